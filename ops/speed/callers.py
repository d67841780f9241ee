"""Many table systems at once, each waiting for the answer before it sends on; run as a program, in a process of its own.

`python -m ops.speed.callers PORT KEY CONNECTIONS SECONDS` prints what each request took. It speaks just enough HTTP to
cost the machine as little as it can: what is measured is the server.
"""

import asyncio
import json
import sys
import time
from itertools import cycle

from ops.speed.house import acts


async def call(port: int, key: str, name: str, until: float) -> list[float]:
    """One table system's requests, in seconds each. Raises RuntimeError for an answer that is not good."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    took: list[float] = []
    for count, fields in enumerate(cycle(acts(name))):
        if time.perf_counter() >= until:
            writer.close()
            return took
        body = json.dumps({"id": f"{name}-{count}", "at": "2026-05-04T16:00:00Z", **fields}).encode()
        head = (
            f"POST /v1/actions HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: {key}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        began = time.perf_counter()
        writer.write(head.encode() + body)
        await _answered(reader)
        took.append(time.perf_counter() - began)
    raise AssertionError("a cycle has no end")


async def _answered(reader: asyncio.StreamReader) -> None:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
    body = await reader.readexactly(length)
    if not head.startswith(b"http/1.1 200"):
        raise RuntimeError(f"{head!r} {body!r}")


async def crowd(port: int, key: str, connections: int, seconds: float) -> list[float]:
    """All of them at once."""
    until = time.perf_counter() + seconds
    calls = (call(port, key, f"r-{number}", until) for number in range(connections))
    return [took for one in await asyncio.gather(*calls) for took in one]


if __name__ == "__main__":
    port, key, connections, seconds = sys.argv[1:]
    json.dump(asyncio.run(crowd(int(port), key, int(connections), float(seconds))), sys.stdout)
