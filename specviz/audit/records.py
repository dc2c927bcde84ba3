"""The records of an audit: typed evidence while it runs, a finding for each check, and the report. Standard library only.

A screen or a command iterates over `Evidence` and `Finding`; neither computes anything of its own.
"""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

SCHEMA = "specviz.audit/1"
# How often an audit of an honest decoder may report something, over all of its statistical tests together, however
# long it runs.
FALSE_ALARM = 1e-3
_LARGEST = 20.0  # logarithm of the largest wealth that is written as a number
# The checks by name, and in one sentence what each can catch.
CATCHES = {
    "greedy text": "Another text than plain decoding writes at temperature 0, or with shared noise; another length; a missed end of text.",
    "caches": "A cache, tree mask or fast pass that gives other scores than a fresh pass over the same text; another warp than the settings'.",
    "drafts": "A q that differs from the draft's own, tokens that were not drawn from their q, numbers u that are not fresh and uniform.",
    "acceptance": "A drafter that guesses far less than is known of it, such as a head that reads the wrong layers: the text stays right, and is slow.",
    "distribution": "First tokens whose distribution is not the target's: a lossy rule, a wrong q, temperature or residual, seeds without effect.",
}


def counted(check: str, count: int) -> str:
    """A count in words, in the unit of this check: texts or runs."""
    unit = "text" if check in ("greedy text", "caches") else "run"
    return f"{count:,} {unit}{'' if count == 1 else 's'}"


class AuditVerdict(StrEnum):
    """The conclusion of a check. FAILED: the decoder raised an error or did not come back in time, so nothing more could be tried."""

    PASSED = "passed"
    CAUGHT = "caught"
    FAILED = "failed"
    NOT_APPLICABLE = "not applicable"


@dataclass(frozen=True, slots=True)
class Bar:
    """One token of a histogram: its exact probability p, and how often the decoder wrote it. `token` is None for all others together."""

    token: int | None
    p: float
    count: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """The progress of a check and its observations so far; each record replaces the one before.

    Attributes:
        done, total: steps of the budget: texts, or runs with a seed.
        compared: how many tokens or positions have been compared.
    """

    check: str
    done: int
    total: int
    compared: int = 0


@dataclass(frozen=True, slots=True)
class ScoreEvidence(Evidence):
    """Recorded probabilities against fresh passes: the largest difference, and the one that rounding explains."""

    largest: float = 0.0
    allowed: float = 0.0


@dataclass(frozen=True, slots=True)
class SequentialEvidence(Evidence):
    """A sequential test: a bet against the claim, whose wealth grows only where the claim is false.

    Attributes:
        log_wealth: natural logarithm of the wealth; 0 at the start.
        limit: the claim is rejected when the wealth's logarithm has reached this, ln(1/false alarm).
        best: the alternative that won most so far, in a word.
        bars: the histogram of the first token after the first prompt over the exact p, most likely first.
    """

    log_wealth: float = 0.0
    limit: float = 0.0
    best: str = ""
    bars: tuple[Bar, ...] = ()


def evidence_sentence(evidence: Evidence) -> str:
    """The evidence of a check, in a sentence."""
    if isinstance(evidence, SequentialEvidence):
        observed = "tokens" if evidence.check == "distribution" else "tokens and numbers"
        return (
            f"{evidence.done} of {evidence.total} runs, {evidence.compared} {observed}. A bet against the decoder stands at {_times(evidence.log_wealth)}; "
            f"at {_times(evidence.limit)} it is caught."
        )
    done = f"{evidence.done} of {evidence.total} texts"
    if isinstance(evidence, ScoreEvidence):
        return f"{done}, {evidence.compared} probabilities, at most {evidence.largest:.1g} from a fresh pass."
    return f"{done}, {evidence.compared} tokens."


def _times(log: float) -> str:
    """A wealth, where a bet begins with 1."""
    if log > _LARGEST:
        return "more than 100 million times the stake"
    value = math.exp(log)
    if value < 0.01:
        return "less than 0.01 times the stake"
    return f"{value:,.2f} times the stake" if value < 10 else f"{value:,.0f} times the stake"


@dataclass(frozen=True, slots=True)
class Power:
    """The probability of having caught a bias of this size with the samples that were used.

    Attributes:
        bias: total variation distance between p and what is written: the share of texts whose first token is another one than it should be.
        probability: of catching it, simulated with the exact p of the first prompt; the least over the tried directions.
        samples: how many first tokens after this prompt there were.
    """

    bias: float
    probability: float
    samples: int


@dataclass(frozen=True, slots=True)
class Finding:
    """A check's conclusion.

    Attributes:
        check: its name; `catches` says in one sentence what it can catch.
        sentence: the finding, or why the check does not apply, for people.
        evidence: the last of its evidence; None where nothing was tried.
        power: the biases that a statistical test would have caught, from small to large.
    """

    verdict: AuditVerdict
    sentence: str
    check: str = ""
    catches: str = ""
    seconds: float = 0.0
    evidence: Evidence | None = None
    power: tuple[Power, ...] = ()


@dataclass(frozen=True, slots=True)
class AuditReport:
    """An audit: its subject, and every check's finding.

    Attributes:
        settings: the choices of its runs, by name.
        stopped: it was stopped before its last check was finished.
    """

    subject: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    seconds: float = 0.0
    stopped: bool = False

    @property
    def caught(self) -> tuple[Finding, ...]:
        """The checks that report something: a caught bug, or a decoder that failed."""
        return tuple(
            finding for finding in self.findings if finding.verdict in (AuditVerdict.CAUGHT, AuditVerdict.FAILED)
        )

    @property
    def clean(self) -> bool:
        """True if nothing was caught and at least one check applied."""
        return not self.caught and any(finding.verdict is AuditVerdict.PASSED for finding in self.findings)

    def as_object(self) -> dict[str, Any]:
        """The report as plain JSON values. JSON has no infinite numbers: they become text."""
        return {
            "schema": SCHEMA,
            **_as_json(asdict(self)),
            "settings": dict(self.settings),
            "false_alarm": FALSE_ALARM,
            "caught": [finding.check for finding in self.caught],
            "clean": self.clean,
        }


def _as_json(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_as_json(item) for item in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
