"""Whether a trained head guesses what its target writes: the fault that no text shows.

A head whose layers, rotation, normalisation or ids are read wrongly changes no text, because the target corrects every guess. It only makes
runs slow: 1.2% of its guesses accepted instead of 58.9% (vllm-project/vllm#50170). So at first use every head guesses the next token at a few
dozen positions of a text, and its guesses are compared with the target's own choices there, all from one pass of the target.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from time import perf_counter

import torch

from specviz.decoding.drafters import registry
from specviz.decoding.drafters.parts import Parts
from specviz.decoding.protocols import Drafter, Reading, Scores
from specviz.decoding.sampling import CertainDraws
from specviz.models.cached_model import CachedModel
from specviz.models.checks.measure import Check
from specviz.models.heads.folder import BoundHead, network_of
from specviz.models.heads.spec import Spec
from specviz.models.tokens import TokenText
from specviz.settings import MAX_DRAFT_LENGTH, Settings

POSITIONS = 36  # at how many positions a head guesses
FEWEST = 12  # at fewer positions nothing is decided
# A smaller share of right guesses sets a head aside. Measured on the shipped heads: 0.81 to 1, and 0 to 0.25 where
# the norm was read wrongly (docs/heads.md).
FLOOR = 0.3
TRUSTED = 0.9  # with this share of right guesses a published head is not read in other ways
# A head is set aside too if another reading is right at more positions than it, by so many standard deviations: of
# the positions where only one of the two is right, half would be the other's by coincidence (McNemar's test).
BETTER = 3.0
# Easy to continue, so that many of its tokens are those that a target would have written.
_TEXT = (
    "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16. Once upon a time there was a little girl. She lived in a small house with her mother and "
    "her father. One day the little girl went to the park to play with her friends."
)
_PROMPT = 8  # tokens of the text that are its prompt at least
_LONGEST = 64  # tokens of the text: one pass over them takes most of the time


def check_first_guesses(head: BoundHead, target: CachedModel, text: TokenText) -> Check:
    """Compare the first guesses of a head with the target's own next tokens; a failed check names the likely cause.

    Uses the target's cache: a run in progress on it cannot continue.
    """
    began = perf_counter()
    alternatives = rereadings(head)
    taps = {tap for reading in (head, *alternatives.values()) for tap in reading.taps}
    choices = OwnChoices.of(target, text.encode(_TEXT, template=False), taps)
    name = f"first guesses of the head {head.spec.kind}"
    return replace(check_guesses(choices, head, alternatives, name), seconds=perf_counter() - began)


def check_guesses(
    text: "OwnChoices", head: BoundHead, alternatives: Mapping[str, BoundHead], name: str = "guesses"
) -> Check:
    """True if enough of the head's first guesses are right, and no more would be if it were read otherwise.
    `alternatives`: the same head read otherwise, by what would then be wrong with its files, see `rereadings`."""
    count = len(text.next_tokens)
    if count < FEWEST:
        return Check(
            name,
            True,
            inf,
            0.0,
            measured=f"not measured: the target writes the text's own token at {count} positions only",
        )
    made_here = bool(head.spec.digest)  # for these very weights, and read as it was trained
    enough = (FLOOR if made_here else TRUSTED) * count
    hits = text.hits(head, enough)
    right = sum(hits)
    least = "at least " * (len(hits) < count)  # it ended where that was enough
    measured = f"{least}{right} of {count} first guesses right"
    if right >= enough:
        return Check(name, True, inf, 0.0, measured=measured)
    rivals = {cause: text.hits(alternative) for cause, alternative in alternatives.items()}
    cause = max(rivals, key=lambda fault: sum(rivals[fault]), default="")
    best, clear = sum(rivals.get(cause, ())), _clearly_more(rivals.get(cause, hits), hits)
    if right >= FLOOR * count and not clear:
        return Check(name, True, inf, 0.0, measured=measured)
    likely = f"{cause}; so read it guesses {best}" if clear else "it may be of another target, or barely trained"
    sentence = (
        f"The trained head {head.spec.kind} guesses only {right} of {count} next tokens of the target, so it is set aside: it would keep the text "
        f"and slow it down ({likely}). Choose another head or another drafter."
    )
    return Check(name, False, inf, 0.0, sentence, measured)


def _clearly_more(rival: Sequence[bool], own: Sequence[bool]) -> bool:
    """True if a rival is right where the head is wrong much more often than the other way round."""
    differences = [rival_hit - own_hit for rival_hit, own_hit in zip(rival, own, strict=True)]
    return sum(differences) > 0 and sum(differences) ** 2 > BETTER**2 * sum(map(abs, differences))


def rereadings(head: BoundHead) -> dict[str, BoundHead]:
    """These weights, read in the ways in which heads are often misread, by the fault that the head's files would then have."""
    spec = head.spec
    if spec.kind == "mtp":  # one state, and the rotation of the target's own layers
        return {}
    specs: dict[str, Spec] = {}
    inner = [tap for tap in spec.taps if tap < spec.shape.depth]
    for by in (1, -1):
        taps = tuple(tap + by for tap in spec.taps)
        if inner and all(0 <= tap <= spec.shape.depth for tap in taps):
            specs[
                f"its layers are off by one: it expects the states that enter layers {_listed(taps)}, not {_listed(spec.taps)}"
            ] = replace(spec, taps=taps)
    if spec.kind == "eagle3":
        flag = spec.options.get("norm_before_residual") is not True
        options = {**spec.options, "norm_before_residual": flag}
        specs[f"its norm_before_residual should be {str(flag).lower()}"] = replace(spec, options=options)
    layer = spec.options.get("layer", {})
    own = layer.get("rope_theta", spec.shape.rope_theta)
    for theta in {spec.shape.rope_theta, 10_000.0, 1_000_000.0} - {own} if spec.kind != "medusa" else ():
        options = {**spec.options, "layer": {**layer, "rope_theta": theta}}
        specs[f"its rope_theta should be {theta:g}, not {own:g}"] = replace(spec, options=options)
    return {cause: _read_as(head, changed) for cause, changed in specs.items()}


def _listed(taps: Sequence[int]) -> str:
    return ", ".join(map(str, taps))


def _read_as(head: BoundHead, spec: Spec) -> BoundHead:
    """The head's weights in the network of another spec."""
    with torch.device("meta"):
        network = network_of(spec)
    network.load_state_dict(head.network.state_dict(), assign=True)
    return replace(head, spec=spec, network=network.eval().requires_grad_(False))


@dataclass(frozen=True, slots=True)
class OwnChoices:
    """A text, the tokens that the target would have written at each of its positions, and the states from which a head guesses them.

    Attributes:
        target: it read the text.
        ids: of the text.
        scores: what the target computed for each of them, with the states [n, taps, width] at `taps`.
        taps: the layers of these states.
        positions: the indices of ids that the target would have written too, after the prompt: there a head guesses what follows.
        next_tokens: the target's choice after each of these.
    """

    target: CachedModel
    ids: tuple[int, ...]
    scores: Scores
    taps: tuple[int, ...]
    positions: tuple[int, ...]
    next_tokens: tuple[int, ...]

    @classmethod
    @torch.inference_mode()
    def of(cls, target: CachedModel, ids: Sequence[int], taps: Collection[int]) -> "OwnChoices":
        """One pass of the target over the beginning of a text, at these layers. Its cache is empty afterwards."""
        layers, ids = tuple(sorted(taps)), tuple(ids[: min(_LONGEST, target.context - 1)])
        target.tap(layers)
        try:
            target.begin(len(ids))
            scores = target.forward(torch.tensor(ids, device=target.device))
        finally:
            target.tap(())
            target.begin(0)
        own = scores.logits.argmax(dim=-1).tolist()
        positions = [index for index in range(_PROMPT, len(ids)) if ids[index] == own[index - 1]][:POSITIONS]
        return cls(target, ids, scores, layers, tuple(positions), tuple(own[index] for index in positions))

    @torch.inference_mode()
    def hits(self, head: BoundHead, enough: float = inf) -> tuple[bool, ...]:
        """For each position, whether the head's first guess is the target's choice; the positions end after so many right ones, asked every
        `FEWEST` positions, because more cannot change what was decided."""
        drafter: Drafter = registry.make(_drafter_of(head.spec.kind), Parts(self.target, trained_head=head))
        columns = [self.taps.index(tap) for tap in head.taps]
        assert self.scores.states is not None, "the target was tapped"
        states, tokens = self.scores.states[:, columns], torch.tensor(self.ids, device=self.scores.logits.device)
        settings, draws = Settings(k=1, max_new_tokens=1), CertainDraws()
        drafter.begin(self.ids[: self.positions[0] + 1 if self.positions else 1], len(self.ids) + MAX_DRAFT_LENGTH + 1)
        begin, hits = 0, list[bool]()
        for first in range(0, len(self.positions), FEWEST):
            guesses = []
            for end in self.positions[first : first + FEWEST]:
                part = slice(begin, end)
                rows = tuple(range(end - begin))
                drafter.saw(Reading(tokens[part], Scores(self.scores.logits[part], states[part]), rows))
                guesses.append(drafter.propose(self.ids[: end + 1], settings, draws, 1).tokens[:1])
                begin = end
            hits += [
                guess == own for guess, own in zip(torch.cat(guesses).tolist(), self.next_tokens[first:], strict=False)
            ]
            if sum(hits) >= enough:
                break
        return tuple(hits)


def _drafter_of(kind: str) -> str:
    return next(name for name, description in registry.descriptions().items() if description.head == kind)
