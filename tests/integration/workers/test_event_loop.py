"""Kombu's loop, which waits with work in hand unless it is kept turning."""

import socket
import time
from collections.abc import Callable

import pytest
from kombu.asynchronous import Hub

from workers.event_loop import keep_turning

FAR_SECONDS = 1.5
"""When the loop's next timer is due; left alone, it waits for that."""


def seconds_until_done(prepare: Callable[[Hub], object]) -> float:
    """How long what is put off by something that was put off itself has to wait on a quiet connection."""
    hub, done = Hub(), list[float]()
    quiet, other = socket.socketpair()
    hub.add_reader(quiet, lambda: None)
    hub.call_later(FAR_SECONDS, lambda: None)
    prepare(hub)
    began = time.monotonic()
    hub.call_soon(lambda: hub.call_soon(lambda: done.append(time.monotonic())))
    turns = hub.create_loop()
    while not done:
        next(turns)
    hub.close()
    quiet.close()
    other.close()
    return done[0] - began


def test_what_is_put_off_twice_waits_a_turn_and_no_longer() -> None:
    assert seconds_until_done(keep_turning) < FAR_SECONDS / 2


def test_left_alone_kombu_waits_for_its_next_timer() -> None:
    """Once this fails kombu is mended, and keeping its loop turning is needed no more."""
    assert seconds_until_done(lambda _: None) == pytest.approx(FAR_SECONDS, abs=FAR_SECONDS / 2)
