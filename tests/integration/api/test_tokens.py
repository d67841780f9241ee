"""Tokens of an OpenID provider: a real JWKS address, keys that change, and everything that a token must not be."""

import base64
import hmac
import json
import time
from collections.abc import Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import jwt
import pytest
from api_server import Server, problem, serving
from command_line import backoffice, url_of
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from front_door import Engine

ISSUER, AUDIENCE = "https://id.casino.example", "backoffice"
COOLDOWN_SECONDS = 0.2


class Provider:
    """An OpenID provider as far as its keys go."""

    def __init__(self) -> None:
        self.keys: dict[str, Any] = {}
        self.fetched = 0
        provider = self

        class Keys(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                provider.fetched += 1
                body = json.dumps(
                    {"keys": [_public(name, key) for name, key in provider.keys.items()]}
                ).encode()
                self.send_response(200)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Keys)
        self.url = f"http://127.0.0.1:{self._server.server_port}/keys"
        Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def rsa(self, name: str) -> None:
        self.keys[name] = rsa.generate_private_key(65537, 2048)

    def token(self, kid: str = "one", algorithm: str = "RS256", key: Any = None, **claims: Any) -> str:
        said = {**good_claims(), **claims}
        left = {name: value for name, value in said.items() if value is not None}
        return jwt.encode(left, key or self.keys[kid], algorithm=algorithm, headers={"kid": kid})


def good_claims() -> dict[str, Any]:
    now = int(time.time())
    return {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "iat": now,
        "exp": now + 600,
        "sub": "mia",
        "realm": {"roles": ["auditor", "office worker"]},
        "casinos": ["tallinn"],
    }


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    made = Provider()
    made.rsa("one")
    made.keys["curve"] = ec.generate_private_key(ec.SECP256R1())
    yield made
    made.close()


@pytest.fixture(scope="module")
def production(books: Engine, provider: Provider) -> Iterator[Server]:
    surroundings = {
        "JWKS_URL": provider.url,
        "ISSUER": ISSUER,
        "AUDIENCE": AUDIENCE,
        "ROLES_CLAIM": "realm.roles",
        "LEEWAY_SECONDS": "10",
        "JWKS_COOLDOWN_SECONDS": str(COOLDOWN_SECONDS),
    }
    named = {f"BACKOFFICE_API_{name}": value for name, value in surroundings.items()}
    with serving(url_of(books), "--host", "127.0.0.1", **named) as running:
        yield running


def status(production: Server, token: str) -> int:
    return production.asking(Authorization=f"Bearer {token}").get("/v1/projections").status_code


@pytest.mark.parametrize(("kid", "algorithm"), [("one", "RS256"), ("curve", "ES256")])
def test_a_good_token_is_taken(production: Server, provider: Provider, kid: str, algorithm: str) -> None:
    assert status(production, provider.token(kid, algorithm)) == 200


def test_a_clock_may_be_wrong_by_the_leeway(production: Server, provider: Provider) -> None:
    now = int(time.time())
    assert status(production, provider.token(exp=now - 4)) == 200
    assert status(production, provider.token(nbf=now + 4)) == 200
    assert status(production, provider.token(exp=now - 20)) == 401
    assert status(production, provider.token(nbf=now + 20)) == 401


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://id.other.example"},
        {"iss": None},
        {"aud": "another house"},
        {"aud": None},
        {"exp": None},
        {"exp": "tomorrow"},
        {"iat": None},
        {"sub": None},
        {"sub": ""},
        {"sub": "x" * 65},
        {"sub": "two\nlines"},
        {"sub": "reactions"},
        {"sub": "person:ann"},
        {"casinos": None},
        {"casinos": []},
        {"casinos": [7]},
        {"realm": None},
        {"realm": {"roles": ["office worker"]}},
        {"realm": {"roles": "emperor"}},
    ],
    ids=str,
)
def test_a_token_that_lacks_something_is_of_nobody(
    production: Server, provider: Provider, claims: dict[str, Any]
) -> None:
    assert status(production, provider.token(**claims)) == 401


def test_a_token_signed_otherwise_is_of_nobody(production: Server, provider: Provider) -> None:
    public = provider.keys["one"].public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    forged = {
        "by nobody": _compact({"alg": "none", "kid": "one"}, b""),
        "with the public key as the secret": _compact({"alg": "HS256", "kid": "one"}, public),
        "by a key of the forger's own": provider.token(key=rsa.generate_private_key(65537, 2048)),
        "by a key brought along": provider.token() + "x",
        "by another algorithm than its key's": provider.token("one", "RS256").replace("eyJ", "eyK", 1),
        "by nothing that is known": "a.b.c",
    }
    assert {how: status(production, token) for how, token in forged.items()} == dict.fromkeys(forged, 401)


def test_a_key_that_is_new_at_the_provider_is_fetched_and_one_that_is_gone_is_not_taken(
    production: Server, provider: Provider
) -> None:
    status(production, provider.token())
    time.sleep(COOLDOWN_SECONDS)
    provider.rsa("two")
    assert status(production, provider.token("two")) == 200
    before = provider.fetched
    forger = rsa.generate_private_key(65537, 2048)
    for number in range(20):
        assert status(production, provider.token(f"made-up-{number}", key=forger)) == 401
    assert provider.fetched - before <= 20 * 0.5  # made-up names do not make the house ask for each


def test_roles_and_casinos_are_as_the_token_says(production: Server, provider: Provider) -> None:
    auditor = production.asking(Authorization=f"Bearer {provider.token()}")
    problem(auditor.post("/v1/deposits", json={}), 403, "forbidden")
    problem(auditor.get("/v1/balances", params={"casino": "lugano"}), 403, "forbidden")
    assert auditor.get("/v1/balances", params={"casino": "tallinn"}).status_code == 200


def test_a_provider_that_does_not_answer_is_no_refused_login(books: Engine) -> None:
    silent = {"JWKS_URL": "http://127.0.0.1:9/keys", "ISSUER": ISSUER, "AUDIENCE": AUDIENCE}
    named = {f"BACKOFFICE_API_{name}": value for name, value in silent.items()}
    key = rsa.generate_private_key(65537, 2048)
    token = jwt.encode(good_claims(), key, algorithm="RS256", headers={"kid": "one"})
    with serving(url_of(books), "--host", "127.0.0.1", **named) as server:
        answer = server.asking(Authorization=f"Bearer {token}").get("/v1/projections")
        problem(answer, 503, "unavailable")


@pytest.mark.parametrize(
    "surroundings",
    [
        {"JWKS_URL": "https://id.casino.example/keys"},
        {"JWKS_URL": "http://id.casino.example/keys", "ISSUER": "i", "AUDIENCE": "a"},
    ],
    ids=["half a provider", "keys over an open line"],
)
def test_half_a_provider_is_refused_at_the_start(surroundings: dict[str, str]) -> None:
    named = {f"BACKOFFICE_API_{name}": value for name, value in surroundings.items()}
    refused = backoffice("postgresql:///nowhere", "serve", **named)
    assert refused.code == 2
    assert "BACKOFFICE_API_" in refused.err


def _public(name: str, key: Any) -> dict[str, Any]:
    algorithm = (
        jwt.algorithms.RSAAlgorithm if isinstance(key, rsa.RSAPrivateKey) else jwt.algorithms.ECAlgorithm
    )
    return {**algorithm.to_jwk(key.public_key(), as_dict=True), "kid": name, "use": "sig"}


def _compact(header: dict[str, str], secret: bytes) -> str:
    """A token as no library would sign it."""
    said = b".".join(_part(json.dumps(part).encode()) for part in (header, good_claims()))
    signed = _part(hmac.digest(secret, said, sha256)) if secret else b""
    return b".".join((said, signed)).decode()


def _part(content: bytes) -> bytes:
    return base64.urlsafe_b64encode(content).rstrip(b"=")
