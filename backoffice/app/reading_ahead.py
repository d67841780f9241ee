"""Letting another process make what this one works through, on a processor of its own.

A plain child process that is told over its input what to make and answers over its output: unlike a fork it takes no
locks of this process's threads along, and unlike a spawned worker it does not run the caller's main module again. Each
answer comes with its length and a checksum: what is not as it was sent is never taken for a feed's line.
"""

import pickle
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from struct import Struct
from typing import IO, Any, TypeVar
from zlib import crc32

from backoffice.app.collecting import seldom_collecting

Item = TypeVar("Item")
_END = None
_HEADING = Struct(">QI")
"""How long an answer is, and its CRC-32."""


class ReaderGone(Exception):
    """The process that reads ahead ended before it had read everything."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


class Garbled(Exception):
    """What the process that reads ahead sent did not arrive as it was sent."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


@contextmanager
def reading_ahead(make: Callable[..., Iterable[Item]], *arguments: object) -> Iterator[Iterator[Item]]:
    """What `make(*arguments)` yields, in its order, made by a process of its own that stays about one item ahead.

    `make` is a function of a module; its arguments and items can be pickled, and no item is None. What it raises is
    raised here.
    """
    command = [sys.executable, "-c", f"from {__name__} import answer; answer()"]
    with subprocess.Popen(  # noqa: S603 - our own
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        process_group=0,  # a person's Ctrl-C is for this process, which ends that one
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            with child.stdin as asking:
                pickle.dump((sys.path, make, arguments), asking)
            yield _received(child.stdout)
        finally:
            child.kill()


def answer() -> None:
    """The child's side: make what is asked for on the input, and write it to the output."""
    sys.path, make, arguments = pickle.load(sys.stdin.buffer)  # noqa: S301 - our own parent's
    out = sys.stdout.buffer
    try:
        with seldom_collecting():
            for item in make(*arguments):
                _send(out, (item, None))
    except BrokenPipeError:
        return  # nobody wants to know any more
    except Exception as error:
        _send(out, (_END, error))
        raise SystemExit(1) from error  # it is raised over there
    _send(out, (_END, None))


def _send(out: IO[bytes], answer: tuple[Any, Exception | None]) -> None:
    packed = pickle.dumps(answer, pickle.HIGHEST_PROTOCOL)
    out.write(_HEADING.pack(len(packed), crc32(packed)))
    out.write(packed)
    out.flush()


def _received(answers: IO[bytes]) -> Iterator[Any]:
    while True:
        length, checksum = _HEADING.unpack(_exactly(answers, _HEADING.size))
        packed = _exactly(answers, length)
        if crc32(packed) != checksum:
            raise Garbled
        item, error = pickle.loads(packed)  # noqa: S301 - our own child's
        if error is not None:
            raise error
        if item is _END:
            return
        yield item


def _exactly(answers: IO[bytes], length: int) -> bytes:
    read = answers.read(length)
    if len(read) < length:
        raise ReaderGone
    return read
