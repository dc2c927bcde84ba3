"""How drafting, verification and overhead reduce the tokens per pass to the measured speedup. Standard library only.

If drafting were free, verification as cheap as a plain pass, and nothing else took time, the speedup would equal the tokens
per pass. Each step adds one real cost to the mean round, in units of the mean time of a plain token. The loss of a step is
the difference of the quotient before and after it (d: drafting time of the mean round):

    tokens per pass / 1
    - drafting       -> / (1 + d)
    - verification   -> / (1 + d + cost of the verify pass beyond a plain pass)
    - overhead       -> / (1 + d + ... + cost of judging, commit and recording beyond a plain round's)

The last denominator is the mean round over the mean plain token, so the last quotient is the measured speedup.
"""

from dataclasses import dataclass

from specviz.trace.metrics import speedup
from specviz.trace.records import Round, Trace


@dataclass(frozen=True, slots=True)
class Ledger:
    """A waterfall: tokens per pass minus the three losses is the speedup. A negative loss is a gain.

    Attributes:
        tokens_per_pass: of the speculative run.
        drafting: speedup lost to the drafter's passes.
        verification: speedup lost because the verify pass costs more than a pass over one token.
        overhead: speedup lost to the rest of the round (ended - began - draft - verify), beyond that of a plain round.
        speedup: as measured.
    """

    tokens_per_pass: float
    drafting: float
    verification: float
    overhead: float
    speedup: float


def ledger(plain: Trace, speculative: Trace) -> Ledger:
    """The ledger of a plain and a speculative run, over the tokens that both have.

    Raises:
        ValueError: one of the runs has no tokens, or took no time.
    """
    common = min(len(plain.token_ids), len(speculative.token_ids))
    measured = speedup(plain, speculative)
    base, rounds = _until(plain, common), _until(speculative, common)
    token_s = base[-1].ended_s / common
    pass_s = sum(r.verify_s for r in base) / common
    count = len(rounds)
    draft_s = sum(r.draft_s for r in rounds) / count
    verify_s = sum(r.verify_s for r in rounds) / count
    rest_s = rounds[-1].ended_s / count - draft_s - verify_s
    drafting = 1 + draft_s / token_s
    verification = drafting + (verify_s - pass_s) / token_s
    overhead = verification + (rest_s - (token_s - pass_s)) / token_s
    made = common / count
    return Ledger(
        tokens_per_pass=made,
        drafting=made - made / drafting,
        verification=made / drafting - made / verification,
        overhead=made / verification - made / overhead,
        speedup=measured,
    )


def _until(trace: Trace, tokens: int) -> tuple[Round, ...]:
    """The rounds up to the one with the last of the first `tokens` tokens."""
    return tuple(round_ for round_ in trace.rounds if round_.start < tokens)
