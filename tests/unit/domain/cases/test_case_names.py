"""A case's name is made of its round, seat and bet: no two cases share one, and none is too long for a stream."""

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st
from pure_house import BEGINNING

from backoffice.domain.cases.events import CompensationOpened, case_id
from backoffice.kernel.money import Money
from backoffice.log.checked import check
from backoffice.log.envelope import NewEvent

IDS = st.text(st.sampled_from("a/%2Fé🂡 :"), min_size=1, max_size=64)
PARTS = st.lists(IDS, min_size=2, max_size=3)


@given(PARTS, PARTS)
def test_other_parts_make_another_name(one, other):
    assert (case_id(*one) == case_id(*other)) == (one == other)


def test_plain_parts_stay_readable():
    assert case_id("live-1-000135", "2", "call") == "live-1-000135/2/call"


@given(st.tuples(IDS, IDS))
def test_the_longest_ids_make_a_stream_that_the_log_takes(parts):
    round_id, seat = (part.ljust(64, "/") for part in parts)
    event = CompensationOpened(
        case=case_id(round_id, seat),
        round=round_id,
        seat=seat,
        casino="tallinn",
        player="ann",
        hand="flush",
        cards=("Ah", "Jh", "9h", "5h", "3h"),
        suggested=Money(25_00, "EUR"),
    )
    named = NewEvent(
        UUID(int=1), event.stream, 1, event.type_name, 1, BEGINNING, "table", None, None, b'{"a":1}'
    )
    check([named])
