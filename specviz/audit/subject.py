"""The subject of an audit: a decoder, and a clean target that belongs to the auditor.

The decoder is our loop with some parts (the checks see ids and rounds), or any function from a prompt and a seed to ids.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from specviz.audit.plain import PlainPass
from specviz.decoding.judge.judgement import Rule
from specviz.decoding.loop import speculate
from specviz.decoding.protocols import Drafter, LanguageModel
from specviz.decoding.recorder import FULL, LIGHT, Recorder
from specviz.decoding.sampling import Draws
from specviz.errors import SettingsError
from specviz.runs.round_threads import with_fitting_threads
from specviz.settings import Settings
from specviz.trace.records import Round

# From prompt ids and a seed to the new ids, without the prompt's.
Decode = Callable[[Sequence[int], int], Sequence[int]]
Speculate = Callable[..., Iterator[Round]]  # `specviz.decoding.loop.speculate`, or a function with its arguments


@dataclass(frozen=True, slots=True)
class DecoderParts:
    """The arguments of `speculate`: a part that is replaced by a broken one is audited with the others as they are.

    Attributes:
        target: the target as the loop sees it. The auditor's own target is `Subject.plain`.
        drafter: used for one run after the other; each begins anew.
        draws: from a run's settings to its random source; None is the loop's own.
        rule: None is the settings' own.
        recorder: it must record candidates, since the check of the caches compares them.
    """

    target: LanguageModel
    drafter: Drafter
    draws: Callable[[Settings], Draws] | None = None
    rule: Rule | None = None
    recorder: Recorder = FULL
    speculate: Speculate = speculate


@dataclass(frozen=True, slots=True)
class DecodedRun:
    """One run: the new ids, and the rounds where the decoder is our loop (else None)."""

    ids: tuple[int, ...]
    rounds: tuple[Round, ...] | None = None


@dataclass(frozen=True, slots=True)
class Subject:
    """A decoder under audit. Raises SettingsError if there is nothing to audit, or both parts and a function.

    Attributes:
        plain: the clean target, owned by the auditor.
        settings: what the decoder claims to follow: temperature, top-k and top-p; the texts have up to `max_new_tokens` new tokens.
        parts: our loop with these parts; or instead of them
        sampled: a function that decodes with these settings, if their temperature is above 0;
        greedy: one that decodes at temperature 0.
        draft: the clean draft, where the drafter draws its tokens from a model's own scores.
        acceptance: how often the first drafted token of a round is accepted with such settings, as known of the drafter; None where it is not.
        runs: those that were made, for checks that read the same ones; an audit begins with none.
    """

    name: str
    plain: PlainPass
    settings: Settings
    parts: DecoderParts | None = None
    sampled: Decode | None = None
    greedy: Decode | None = None
    draft: PlainPass | None = field(default=None, kw_only=True)
    acceptance: float | None = field(default=None, kw_only=True)
    runs: dict[tuple[tuple[int, ...], Settings], DecodedRun] = field(default_factory=dict, kw_only=True, repr=False)

    def __post_init__(self) -> None:
        functions = self.sampled is not None or self.greedy is not None
        if functions == (self.parts is not None):
            raise SettingsError(
                "An audit was given both parts and a function, or neither: give the parts of our loop, or functions that decode."
            )
        if self.sampled is not None and self.settings.certain:
            raise SettingsError(
                "The function `sampled` was given with settings that leave nothing random: give it as `greedy`, or a temperature above 0."
            )

    def at(self, *, greedy: bool) -> Settings | None:
        """The settings of runs at temperature 0, or of runs with random numbers; None where there are no such runs."""
        if greedy:
            if self.parts is None and self.greedy is None:
                return None
            return replace(self.settings, temperature=0.0, rule="exact", shared_noise=False)
        if self.settings.certain or (self.parts is None and self.sampled is None):
            return None
        return self.settings

    def decode(self, prompt: Sequence[int], settings: Settings, *, light: bool = False) -> Iterator[DecodedRun]:
        """A run with settings that `at` gave, seed included: the ids after every round; a function gives its ids at
        once. `light`: record no candidates, unless the recorder is a special one."""
        if self.parts is None:
            function = self.greedy if settings.greedy else self.sampled
            assert function is not None, "`at` gave these settings"
            yield DecodedRun(tuple(int(i) for i in function(prompt, settings.seed)))
            return
        parts, rounds = self.parts, []
        recorder = LIGHT if light and parts.recorder is FULL else parts.recorder
        draws = parts.draws(settings) if parts.draws is not None else None
        decoding = parts.speculate(
            parts.target, parts.drafter, prompt, settings, draws, recorder=recorder, rule=parts.rule
        )
        for round_ in with_fitting_threads(decoding, on_cpu=parts.target.device.type == "cpu"):
            rounds.append(round_)
            yield DecodedRun(tuple(token for earlier in rounds for token in earlier.tokens), tuple(rounds))


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of an audit.

    Attributes:
        texts: how many texts are compared at temperature 0, and with fresh passes; the prompts take turns.
        tokens: new tokens of each of them.
        samples: runs with a seed of their own; the prompts take turns.
        sampled_tokens: new tokens of each of these: whose distribution is tested.
        seconds_a_text: a decoder that takes longer for one text has failed.
        first_seed: of the runs; the next has the next seed.
        simulations: of each bias, to state the power of the test of the distribution; 0 leaves it out.
        drawn: so many runs are made for the histogram at least: where the decoder is caught before, evidence goes on after the finding.
    """

    texts: int = 4
    tokens: int = 32
    samples: int = 400
    sampled_tokens: int = 6
    seconds_a_text: float = 120.0
    first_seed: int = 0
    simulations: int = 100
    drawn: int = 0
