"""Keys of table systems: made, rotated and revoked on the command line, shown to a server that runs meanwhile."""

import time

import httpx
import pytest
from api_server import KEY_REFRESH_SECONDS, Server, problem
from command_line import Done, backoffice, url_of
from front_door import EVENING, events, rows, tallinn
from sqlalchemy import Engine


@pytest.fixture
def keys(books: Engine, server: Server) -> "Keys":
    return Keys(books, server)


class Keys:
    """`backoffice keys ...`, and systems that show what it said."""

    def __init__(self, books: Engine, server: Server) -> None:
        self._url = url_of(books)
        self._server = server

    def ask(self, *arguments: str) -> Done:
        return backoffice(self._url, "keys", *arguments)

    def made(self, *arguments: str) -> httpx.Client:
        done = self.ask(*arguments)
        assert done.code == 0, done.err
        return self.showing(done.out.splitlines()[-1])

    def create(self, key: str, *options: str, casino: str = "tallinn") -> httpx.Client:
        return self.made(
            "create", key, "--sender", f"{key}-sender", "--role", "table_feed", "--casino", casino, *options
        )

    def showing(self, key: str) -> httpx.Client:
        client = self._server.asking(**{"X-API-Key": key})
        time.sleep(KEY_REFRESH_SECONDS)  # until then a server may not have heard of what was done to a key
        return client


def deposit(client: httpx.Client, name: str, casino: str = "tallinn") -> httpx.Response:
    asked = {"id": name, "at": EVENING.isoformat(), "do": "deposit", "amount": "1.00", **tallinn("ann")}
    return client.post("/v1/actions", json={**asked, "casino": casino})


def test_a_key_sends_in_its_senders_name_for_its_casinos(keys: Keys, books: Engine) -> None:
    floor = keys.create("floor-1")
    assert deposit(floor, "k-1").json()["outcome"] == "accepted"
    assert events(books)[-1].actor == "floor-1-sender"
    told = problem(deposit(floor, "k-2", casino="stockholm"), 403, "forbidden")
    assert told["rule"] == "casino"
    kept = rows(books, "select sender, whence from intake.accepted_keys where key = 'k-1'")
    assert kept == [("floor-1-sender", "127.0.0.1 by key floor-1")]


def test_a_secret_is_shown_once_and_kept_nowhere(keys: Keys, books: Engine) -> None:
    shown = keys.create("floor-2").headers["X-API-Key"]
    name, _, secret = shown.partition(".")
    assert (name, len(secret)) == ("floor-2", 43)
    log = b"".join(recorded.data for recorded in events(books))
    assert secret.encode() not in log
    listed = keys.ask("list").out
    assert "floor-2-sender" in listed
    assert secret not in listed


def test_a_rotated_key_opens_with_its_new_secret_and_for_a_while_with_the_old(keys: Keys) -> None:
    old = keys.create("floor-3")
    new = keys.made("rotate", "floor-3", "--keep-old-minutes", "10")
    assert deposit(old, "r-1").status_code == deposit(new, "r-2").status_code == 200
    newer = keys.made("rotate", "floor-3")
    problem(deposit(old, "r-3"), 401, "unauthenticated")
    problem(deposit(new, "r-4"), 401, "unauthenticated")
    assert deposit(newer, "r-5").status_code == 200


def test_a_revoked_key_opens_nothing_and_its_name_is_never_given_again(keys: Keys) -> None:
    floor = keys.create("floor-4")
    assert keys.ask("revoke", "floor-4", "--reason", "the table was sold").code == 0
    time.sleep(KEY_REFRESH_SECONDS)
    problem(deposit(floor, "v-1"), 401, "unauthenticated")
    for again in (("rotate", "floor-4"), ("revoke", "floor-4", "--reason", "twice")):
        assert keys.ask(*again).code == 1
    again = keys.ask("create", "floor-4", "--sender", "x", "--role", "table_feed", "--all-casinos")
    assert (again.code, "no name is given twice" in again.err) == (1, True)
    assert "revoked" in next(line for line in keys.ask("list").out.splitlines() if "floor-4" in line)


@pytest.mark.parametrize(
    "shown",
    [
        ".",
        "floor-5",
        "floor-5.",
        "floor-5.wrong",
        ".wrong",
        "nobody.wrong",
        "floor-5.\xff",
        "x" * 9000,
    ],
)
def test_what_is_no_good_key_is_not_told_why(keys: Keys, server: Server, shown: str) -> None:
    if "floor-5" not in keys.ask("list").out:
        keys.create("floor-5")
    answer = server.client.get("/v1/rounds", headers={"X-API-Key": shown.encode("latin-1")})
    assert problem(answer, 401, "unauthenticated")["detail"] == "the key is not good"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--sender", "reactions", "--role", "table_feed"), "the house's own"),
        (("--sender", "person:ann", "--role", "table_feed"), "the house's own"),
        (("--sender", "x", "--role", "compliance"), "a key is no person"),
        (("--sender", "x", "--role", "table_feed", "--casino", "atlantis"), "there is no casino atlantis"),
        (
            ("--sender", "x", "--role", "table_feed", "--as", "kim:shift_manager"),
            "keys are for administrators",
        ),
        (
            ("--sender", "x", "--role", "table_feed", "--as", "kim:administrator@stockholm"),
            "all casinos that the key",
        ),
    ],
)
def test_a_key_that_must_not_be_is_refused(keys: Keys, options: tuple[str, ...], why: str) -> None:
    where = () if "--casino" in options else ("--casino", "tallinn")
    done = keys.ask("create", "never", *options, *where)
    assert (done.code, why in done.err) == (1, True), done.err


def test_what_was_done_to_a_key_is_evidence(keys: Keys, books: Engine) -> None:
    keys.create("floor-6", "--as", "ada:administrator")
    keys.ask("revoke", "floor-6", "--reason", "lost", "--as", "ada:administrator")
    told = rows(
        books,
        "select who, what, about, why, before::text from intake.significant_events where about = 'key floor-6'",
    )
    assert [one[:4] for one in told] == [
        ("ada", "create key", "key floor-6", None),
        ("ada", "revoke key", "key floor-6", "lost"),
    ]
    assert '"revoked":false' in told[1][4]
