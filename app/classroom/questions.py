"""Questions about the run on the presenter's stage, and their answers: from the run itself."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.classroom import polls
from app.classroom.moment import Moment
from app.classroom.polls import Poll, how_many
from app.classroom.tokens import about_token
from specviz.errors import InputError

Json = Mapping[str, Any]


def of_run(view: Json | None, moment: Moment, *, token: bool = False) -> Poll:
    """A question about the round at the presenter's moment, with the answer that the run gives. Raises InputError if
    there is no round to ask about.

    Args:
        token: which token the target will write, instead of how many will be accepted.
    """
    source, at, poll = None if view is None else source_of(view), moment.round, None
    rounds: Sequence[Json] = source["rounds"] if source else ()
    if view is not None and moment.page is None and moment.run in ("", view["id"]):
        if rounds and any(token_["draft_prob"] is None for token_ in rounds[0]["drafted"]):
            raise InputError(
                "A server's log has neither tokens nor probabilities to ask about: run a prompt, or open a recording."
            )
        if token:
            poll = about_token(source, view["id"], at) if source else None
        elif (many := about(rounds, at)) is not None:
            poll = polls.about(many, view["id"], at, len(rounds[at]["accepted"]))
    if poll is None:
        raise InputError(
            "There is no round to ask about: go back to an earlier moment of the run, or run another prompt."
        )
    return poll


def source_of(view: Json) -> Json | None:
    """Prompt, token table and rounds of the run that the player shows of a view: of a recording the first in which something was drafted."""
    recording, live = view.get("recording"), view.get("live")
    if not recording:
        return live or None
    traces: Sequence[Json] = recording["traces"]
    return next((trace for trace in traces if any(token["drafted"] for token in trace["rounds"])), traces[0])


def about(rounds: Sequence[Json], index: int) -> Poll | None:
    """How many tokens of this round's draft will be accepted? None where there is no such round, or nothing was drafted in it."""
    if not 0 <= index < len(rounds) or not rounds[index]["drafted"]:
        return None
    drafted = rounds[index]["drafted"]
    if not _chain(drafted):
        return how_many(_deepest(drafted))
    return how_many(len(drafted), [_claimed(token) for token in drafted])


def _claimed(token: Json) -> float:
    """The draft's probability of its token at temperature 1; as the rule used it where no other was recorded."""
    top = token.get("draft_top")
    if top and token["token"] in top["tokens"]:
        return float(top["probabilities"][top["tokens"].index(token["token"])])
    return min(1.0, max(0.0, float(token["draft_prob"])))


def _chain(drafted: Sequence[Json]) -> bool:
    return all(token["parent"] == index - 1 for index, token in enumerate(drafted))


def _deepest(drafted: Sequence[Json]) -> int:
    """The number of tokens on the longest branch of a tree."""
    depths: list[int] = []
    for token in drafted:
        depths.append(1 + (depths[token["parent"]] if token["parent"] >= 0 else 0))
    return max(depths)
