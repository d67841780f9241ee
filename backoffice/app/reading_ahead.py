"""Letting another process make what this one works through, on a processor of its own.

A plain child process that is told over its input what to make and answers over its output: unlike a fork it takes no
locks of this process's threads along, and unlike a spawned worker it does not run the caller's main module again.
"""

import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Any, TypeVar

Item = TypeVar("Item")
_END = None


class ReaderGone(Exception):
    """The process that reads ahead ended before it had read everything."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


@contextmanager
def reading_ahead(make: Callable[..., Iterable[Item]], *arguments: object) -> Iterator[Iterator[Item]]:
    """What `make(*arguments)` yields, in its order, made by a process of its own that stays about one item ahead.

    `make` is a function of a module; its arguments and items can be pickled, and no item is None. What it raises is
    raised here.
    """
    command = [sys.executable, "-c", f"from {__name__} import answer; answer()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:  # noqa: S603 - our own
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
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a person's Ctrl-C is for the parent, who ends this process
    sys.path, make, arguments = pickle.load(sys.stdin.buffer)  # noqa: S301 - our own parent's
    out = sys.stdout.buffer
    try:
        for item in make(*arguments):
            pickle.dump((item, None), out, pickle.HIGHEST_PROTOCOL)
            out.flush()
    except BrokenPipeError:
        return  # nobody wants to know any more
    except Exception as error:
        pickle.dump((_END, error), out)
        raise SystemExit(1) from error  # it is raised over there
    pickle.dump((_END, None), out)


def _received(answers: IO[bytes]) -> Iterator[Any]:
    while True:
        try:
            item, error = pickle.load(answers)  # noqa: S301 - our own child's
        except EOFError as gone:
            raise ReaderGone from gone
        if error is not None:
            raise error
        if item is _END:
            return
        yield item
