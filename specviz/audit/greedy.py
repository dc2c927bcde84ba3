"""Texts at temperature 0, and with shared noise, against plain decoding: token by token the one with the highest score of a plain pass."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from specviz.audit.check import NotApplicableError, audit_check, caught, decode_run, passed
from specviz.audit.plain import PlainPass
from specviz.audit.records import Evidence, Finding
from specviz.audit.subject import Budget, Subject
from specviz.decoding.sampling import warp
from specviz.settings import Settings

NAME = "greedy text"


@dataclass(frozen=True, slots=True)
class Difference:
    """The first token at which two texts differ.

    Attributes:
        prompt: the index of the prompt.
        index: of the token among the new ones.
        expected, found: the ids of plain decoding and of the decoder; None where a text had ended.
        gap: by how much the plain pass scores the expected token higher, in logits; None where a text had ended.
        rounding: the gap that rounding in the model's format may turn round.
    """

    prompt: int
    index: int
    expected: int | None
    found: int | None
    gap: float | None = None
    rounding: float | None = None

    @property
    def tie(self) -> bool:
        """True if rounding explains it."""
        return self.gap is not None and self.rounding is not None and self.gap <= self.rounding


@audit_check(NAME, needs_rounds=False)
def greedy_text(subject: Subject, prompts: Sequence[tuple[int, ...]], budget: Budget) -> Iterator[Evidence | Finding]:
    """Every text that the scores alone determine."""
    settings = certain_settings(subject, budget)
    if not settings:
        raise NotApplicableError("Only a function that draws at random was given, and it has no text at temperature 0.")
    plain, compared = subject.plain, 0
    ties = 0
    chosen = [(index, run_settings) for run_settings in settings for index in range(min(len(prompts), budget.texts))]
    for done, (index, run_settings) in enumerate(chosen, start=1):
        text = decode_run(subject, prompts[index], run_settings, budget, light=True).ids
        compared += len(text)
        for difference in differences(plain, index, prompts[index], text, run_settings):
            if not difference.tie:
                yield Evidence(NAME, done, len(chosen), compared)
                yield caught(_sentence(difference, run_settings))
                return
            ties += 1
        yield Evidence(NAME, done, len(chosen), compared)
    near = f" {ties} differ at a near tie, which rounding explains." if ties else ""
    yield passed(f"{len(chosen)} texts, {compared} tokens: all as plain decoding writes them.{near}")


def certain_settings(subject: Subject, budget: Budget) -> list[Settings]:
    """The settings of the subject's runs in which nothing is random."""
    greedy = subject.at(greedy=True)
    choices = [] if greedy is None else [greedy]
    if subject.parts is not None and subject.settings.shared_noise and not subject.settings.greedy:
        choices.append(subject.settings)
    tokens = min(budget.tokens, subject.settings.max_new_tokens)
    return [replace(settings, max_new_tokens=tokens, seed=budget.first_seed) for settings in choices]


def differences(
    plain: PlainPass, prompt_index: int, prompt: tuple[int, ...], text: tuple[int, ...], settings: Settings
) -> Iterator[Difference]:
    """Compare a text with the plain one; the tokens after a near tie are compared with those of plain decoding after the same text.

    Of a text that is too long, the first token too many is the last difference.
    """
    written, text = text, text[: settings.max_new_tokens]
    ids = (*prompt, *text)
    rows = plain.rows(ids, len(prompt) - 1)
    best = warp(rows, settings, range(len(rows))).argmax(dim=-1).tolist()
    wrong = {index for index, (ours, theirs) in enumerate(zip(text, best, strict=False)) if ours != theirs}
    ended = next((index for index, token in enumerate(text) if token in plain.end_ids), None)
    missed = {shortfall.index: shortfall for shortfall in plain.shortfalls(prompt, text, settings)} if wrong else {}
    for index, token in enumerate(text):
        if ended is not None and index > ended:
            yield Difference(prompt_index, index, None, token)
            return
        if index in missed or index in wrong:
            short = missed.get(index)
            gap, rounding = (0.0, 0.0) if short is None else (short.gap, short.rounding)
            yield Difference(prompt_index, index, best[index], token, gap, rounding)
    if ended is None and len(text) < settings.max_new_tokens:
        yield Difference(prompt_index, len(text), best[len(text)], None)
    if len(written) > len(text):
        yield Difference(prompt_index, len(text), None, written[len(text)])


def _sentence(difference: Difference, settings: Settings) -> str:
    how = "at temperature 0" if settings.greedy else "with shared noise"
    where = f"Prompt {difference.prompt + 1}, new token {difference.index + 1}, {how}: "
    if difference.expected is None and difference.index >= settings.max_new_tokens:
        return f"{where}the text went on with the id {difference.found}, and only {settings.max_new_tokens} new tokens were requested."
    if difference.expected is None:
        return f"{where}the text went on with the id {difference.found} after its end-of-text token."
    if difference.found is None:
        return f"{where}the text ended, and plain decoding goes on with the id {difference.expected}."
    return (
        f"{where}plain decoding writes the id {difference.expected}, and the decoder wrote {difference.found}. Their scores are {difference.gap:.2g} apart; "
        f"rounding explains {difference.rounding:.2g}: this is a bug, not a tie."
    )
