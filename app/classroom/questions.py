"""Questions about the run on the presenter's stage, and their answers: from the run itself."""

from base64 import b64decode
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from app.classroom import polls
from app.classroom.moment import Moment
from app.classroom.polls import Poll, how_many
from specviz.errors import InputError
from specviz.reporting.terminal import token_label, visible
from specviz.trace.records import TokenBytes

Json = Mapping[str, Any]
_OFFERED = 5  # tokens that are offered, besides "another one"
_ANOTHER = "another one"
_LONGEST, _TAIL = 40, 60


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


# ------------------------------------------------------------------ which token


def about_token(source: Json, run: str, index: int) -> Poll | None:
    """Which token will the target write at the position of this round where the draft was least sure, among those that were judged? None where
    there is no such round.

    Args:
        source: prompt, token table and rounds, of a recording or a live run.
    """
    rounds: Sequence[Json] = source["rounds"]
    written = _written(rounds[index]) if 0 <= index < len(rounds) else []
    if not written:
        return None
    at = _least_sure(rounds[index])
    there = [token for token in rounds[index]["drafted"] if token["parent"] == at - 1]  # several of a tree
    tops = [top for token in there[:1] for name in ("draft_top", "target_top") if (top := token.get(name))]
    if not there and (closing := rounds[index]["closing"]) and closing.get("residual_top"):
        tops = [closing["residual_top"]]
    likely = [token for turn in zip(*(top["tokens"] for top in tops), strict=False) for token in turn]
    candidates = dict.fromkeys([written[at], *(token["token"] for token in there), *likely])
    labels = {token: _label(source["tokens"], token) for token in islice(candidates, _OFFERED)}
    offered = sorted(labels, key=labels.__getitem__)  # by no order that says how likely they are
    top = there[0].get("draft_top") if there else None
    claims = dict(zip(top["tokens"], map(float, top["probabilities"]), strict=True)) if top else {}
    claimed = [claims[token] for token in offered if token in claims]
    rest = 1 - sum(claimed)
    before = [token for earlier in rounds[:index] for token in _written(earlier)] + written[:at]
    poll = polls.asked(
        _after(source["tokens"], before),
        [*_distinct(labels, offered), _ANOTHER],
        [*claimed, max(0.0, rest)] if len(claimed) == len(offered) and rest > -1e-9 else (),
    )
    return polls.about(poll, run, index, offered.index(written[at]))


def _written(round_: Json) -> list[int]:
    """The tokens that a round adds to the text."""
    path = [round_["drafted"][index]["token"] for index in round_["accepted"]]
    return [*path, round_["closing"]["token"]] if round_["closing"] is not None else path


def _least_sure(round_: Json) -> int:
    """How many of the round's tokens come before the position that is asked about: where q was smallest among the judged ones. Of a tree
    it is the first."""
    judged = round_["drafted"][: len(round_["accepted"]) + 1]
    if not judged or not _chain(round_["drafted"]):
        return 0
    return min(range(len(judged)), key=lambda index: float(judged[index]["draft_prob"]))


def _label(table: Mapping[str, Json], token: int) -> str:
    """A token as visible text."""
    entry = table.get(str(token))
    label = f"#{token}" if entry is None else token_label(TokenBytes(b64decode(entry["data"])))
    return label if len(label) <= _LONGEST else label[: _LONGEST - 1] + "…"


def _distinct(labels: Mapping[int, str], offered: Sequence[int]) -> list[str]:
    """The labels in this order; those that are the same get the number of their token."""
    same = [_ANOTHER, *labels.values()]
    texts = ((token, labels[token]) for token in offered)
    return [f"{text} (token {token})" if same.count(text) > 1 else text for token, text in texts]


def _after(table: Mapping[str, Json], before: Sequence[int]) -> str:
    """The question, with the end of the text before the token."""
    pieces = (b64decode(table.get(str(token), {"data": ""})["data"]) for token in before[-_TAIL:])
    tail = visible(b"".join(pieces).decode(errors="replace"), spaces=False)[-_TAIL:]
    return (
        f"Which token will the target write after “{tail}”?" if tail.strip() else "Which token will the target write?"
    )
