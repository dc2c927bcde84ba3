"""The complete examination of the embedded pair, as one object that can be printed or saved."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.text import Text

from recipes.embedded import acceptance, bits, forms, held_out_texts, knowledge, openings, speed
from recipes.embedded.answers import Pupil
from recipes.embedded.marks import Share
from recipes.embedded.mixture import Library
from recipes.embedded.sections import SECTIONS
from specviz.decoding.recorder import LIGHT
from specviz.models.loading import load_pair
from specviz.models.pair import Pair
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.metrics import summarise

CREATIVE = ("story", "verse")
K = 5
WARM_TEMPERATURE = 0.8
STORY_TOKENS = 200
DRAFT, UNDISTILLED = "draft", "draft-undistilled"


@dataclass(frozen=True, slots=True)
class Size:
    """How thorough an examination is.

    Attributes:
        samples: questions in a class; capitals are always asked for every country.
        runs: prompts in a category for the acceptance rate.
        repeats: pairs of runs of a prompt for the speedup.
        prompts: ready-made prompts in a category for the speedup.
        creative_k: draft lengths that are tried on creative text.
        documents: documents of a class for the bits a byte.
        thorough: ask capitals in all phrasings, examine every draft, measure float32 besides the format that this machine would choose.
    """

    samples: int
    runs: int
    repeats: int
    prompts: int
    creative_k: tuple[int, ...]
    documents: int
    thorough: bool


FULL = Size(samples=100, runs=20, repeats=5, prompts=3, creative_k=(1, 2, 3, 5), documents=60, thorough=True)
QUICK = Size(samples=100, runs=2, repeats=1, prompts=1, creative_k=(2,), documents=5, thorough=False)


@dataclass(frozen=True, slots=True)
class Candidate:
    """The pair that is examined.

    Attributes:
        folder: of the pair, with target, drafts and countries.
        ready_made: category -> prompts, for the speedups.
        library: held-out text for the bits a byte; None for generated text only.
    """

    folder: Path
    ready_made: Mapping[str, tuple[str, ...]]
    library: Library | None

    def pair(self, draft: str, dtype: str) -> Pair:
        """Target and one of its drafts, as the engine runs them."""
        return load_pair(target=str(self.folder / "target"), draft=str(self.folder / draft), device="cpu", dtype=dtype)

    @property
    def drafts(self) -> tuple[str, ...]:
        """Names of the drafts' folders, the default draft first."""
        found = sorted(path.parent.name for path in self.folder.glob("draft*/config.json"))
        return tuple(sorted(found, key=lambda name: name != DRAFT))


def examine(
    candidate: Candidate,
    size: Size,
    report: Callable[[int, int, str], object],
    sections: Collection[str] = tuple(SECTIONS),
) -> dict[str, Any]:
    """Measure every figure that the pair allows: without countries there are no questions about them, and a single draft is not compared.

    Args:
        report: callback with the number of finished sections, the number of sections, and the name of the next one.
        sections: names of the sections to take, from SECTIONS.

    Returns:
        plain values: shares from 0 to 1, rates, ratios; `counts` and `intervals` have [right, asked] and the 95% interval of every share.
    """
    examination = _Examination(candidate, size)
    chosen = [section for section in SECTIONS if section in sections]
    for done, section in enumerate(chosen):
        report(done, len(chosen), SECTIONS[section])
        getattr(examination, section)()
    report(len(chosen), len(chosen), "")
    return examination.figures | {
        **{name: share.value for name, share in examination.shares.items() if "." not in name},
        "counts": {name: [share.right, share.asked] for name, share in examination.shares.items()},
        "intervals": {name: list(share.interval) for name, share in examination.shares.items()},
    }


class _Examination:
    """One pair's examination: each method measures the figures of one section."""

    def __init__(self, candidate: Candidate, size: Size) -> None:
        self.candidate, self.size = candidate, size
        self.target, self.draft = (Pupil.of(candidate.folder / name) for name in ("target", DRAFT))
        self.countries = knowledge.read(candidate.folder)
        self.prompts = openings.by_category(self.countries, size.runs)
        self.missed: list[tuple[str, str]] = []
        self.shares: dict[str, Share] = {}
        self.figures: dict[str, Any] = {}

    def knowledge(self) -> None:
        """Capitals of target and draft; continents, currencies and languages of the target."""
        if not self.countries:
            return
        known = knowledge.capitals(self.target, self.countries)
        self.missed = knowledge.missed(self.draft, self.countries)
        self.shares["capitals.target"] = known
        self.shares["capitals.draft"] = Share(known.asked - len(self.missed), known.asked)
        self.figures["capitals"] = {name: self.shares[f"capitals.{name}"].value for name in ("target", "draft")}
        for phrasing in range(1, 5) if self.size.thorough else ():
            self.shares[f"capitals_phrasing_{phrasing + 1}"] = knowledge.capitals(self.target, self.countries, phrasing)
        for kind in ("continent", "currency", "language"):
            most = None if self.size.thorough else self.size.samples
            self.shares[f"{kind}_right"] = knowledge.others(self.target, self.countries, kind, most)

    def forms(self) -> None:
        """How well-formed the target's texts are: records, functions, letters, sums, counting, stories."""
        for name, exercise in forms.EXERCISES.items():
            self.shares[name] = forms.take(self.target, exercise, self.size.samples)

    def alpha(self) -> None:
        """α at temperature 0 by category, for every draft or for the two that the lesson compares."""
        for name in self.candidate.drafts:
            if not (self.size.thorough or name in (DRAFT, UNDISTILLED)):
                continue
            settings = Settings(k=K, max_new_tokens=acceptance.TOKENS)
            found = acceptance.by_category(self.candidate.pair(name, "float32"), self.prompts, settings)
            key = "alpha" + name.removeprefix(DRAFT).replace("-", "_")
            self.figures[key] = {category: rate.alpha for category, rate in found.items()}
        if "alpha_undistilled" in self.figures:
            ours, other = self.figures["alpha"], self.figures["alpha_undistilled"]
            self.figures["alpha_gain"] = sum(ours[category] - other[category] for category in ours) / len(ours)

    def sampled(self) -> None:
        """α of creative text at temperature 0.8, and how often the first rejection is on the answer for capitals that the draft does not know."""
        pair = self.candidate.pair(DRAFT, "float32")
        settings = Settings(k=K, max_new_tokens=acceptance.TOKENS, temperature=WARM_TEMPERATURE)
        creative = {category: self.prompts[category] for category in CREATIVE}
        found = acceptance.by_category(pair, creative, settings)
        self.figures["alpha_at_0.8"] = {category: rate.alpha for category, rate in found.items()}
        if self.missed:
            some = self.missed if self.size.thorough else self.missed[:: max(1, len(self.missed) // 30)]
            greedy = Settings(k=K, max_new_tokens=16)
            self.shares["first_rejection_on_answer"] = acceptance.first_rejection_on_answer(pair, some, greedy)

    def stories(self) -> None:
        """Twenty stories at temperature 0.8, to read."""
        if not self.size.thorough:
            return
        pair = self.candidate.pair(DRAFT, "float32")
        self.figures["stories"] = [
            {"prompt": prompt, "text": _story(pair, prompt, seed)} for seed, prompt in enumerate(openings.STORIES)
        ]

    def speed(self) -> None:
        """Speedups on the ready-made prompts, in the format that this machine would choose; a thorough examination also takes float32."""
        chosen = {category: texts[: self.size.prompts] for category, texts in self.candidate.ready_made.items()}
        pairs = {"speedup": self.candidate.pair(DRAFT, "auto")}
        if self.size.thorough and (own := pairs["speedup"].card.dtype) != "float32":
            pairs = {"speedup": self.candidate.pair(DRAFT, "float32"), f"speedup_{own}": pairs["speedup"]}
        for key, pair in pairs.items():
            found = speed.speedups(pair, chosen, dict.fromkeys(CREATIVE, self.size.creative_k), self.size.repeats)
            self.figures[key] = {category: one.speedup for category, one in found.items()}
            self.figures[f"{key}_k"] = {category: one.k for category, one in found.items()}
            if busy := [category for category, one in found.items() if not one.trusted]:
                self.figures[f"{key}_on_a_busy_machine"] = busy
            self.figures[f"{key}_dtype"] = pair.card.dtype

    def bits(self) -> None:
        """Held-out loss of the target and of each draft."""
        documents = held_out_texts.texts(self.candidate.library, self.size.documents)
        names = self.candidate.drafts if self.size.thorough else (DRAFT,)
        pupils = {"target": self.target} | {name: Pupil.of(self.candidate.folder / name) for name in names}
        self.figures["bits_per_byte"] = {
            name: {kind: bits.bits_per_byte(pupil, texts) for kind, texts in documents.items()}
            for name, pupil in pupils.items()
        }


def _story(pair: Pair, prompt: str, seed: int) -> str:
    settings = Settings(max_new_tokens=STORY_TOKENS, temperature=WARM_TEMPERATURE, seed=seed)
    return summarise(Run(pair, prompt, settings, plain=True, recorder=LIGHT).finish()).text


def lines(figures: Mapping[str, Any]) -> Iterator[Text]:
    """The figures as lines of text for people."""
    for name, (right, asked) in figures["counts"].items():
        low, high = figures["intervals"][name]
        yield Text(
            f"{name.replace('_', ' '):<32} {right:>5} of {asked:<5} {right / max(asked, 1):6.1%}  [{low:.1%}, {high:.1%}]"
        )
    for name, value in figures.items():
        if name.endswith("_on_a_busy_machine"):
            yield Text(f"{name.replace('_', ' ')}, not to be trusted: {', '.join(value)}")
        if name in ("counts", "intervals", "capitals") or not isinstance(value, dict):
            continue
        if name == "bits_per_byte":
            for network, by_kind in value.items():
                yield Text(f"bits per byte, {network}: " + _listed(by_kind))
        else:
            yield Text(f"{name.replace('_', ' ')}: " + _listed(value))
    if "alpha_gain" in figures:
        yield Text(f"alpha distilled minus undistilled, mean: {figures['alpha_gain']:.3f}")


def _listed(values: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{kind} {value:.2f}" if isinstance(value, float) else f"{kind} {value}" for kind, value in values.items()
    )
