"""The settings of a run and their ranges. Standard library only, so that every part can read it."""

import re
from dataclasses import dataclass

from specviz.errors import PromptError, SettingsError

MAX_DRAFT_LENGTH = 16
MAX_NEW_TOKENS = 4096
MAX_NODES = 64
MAX_PROMPT = 100_000  # characters
AUTO = "auto"  # leaves the drafter or the policy to specviz; people write it for a k or nodes of 0 too


@dataclass(frozen=True, slots=True)
class Range:
    """The values that a number may have, both ends included.

    Attributes:
        low, high: what is accepted.
        step: between two values on a page.
        label: the number in an error's message.
        zero: what the lower end, 0, would do, where it is itself rejected.
        open: whether it may be left to specviz, as 0, which people write as auto.
        page_low, page_high: ends of a narrower range for a page, where a slider over the full one would be of no use.
    """

    low: float
    high: float
    step: float = 1
    page_low: float | None = None
    page_high: float | None = None
    label: str = ""
    zero: str = ""
    open: bool = False

    @property
    def page_range(self) -> tuple[float, float]:
        """The range that a page offers."""
        low = self.low if self.page_low is None else self.page_low
        return low, self.high if self.page_high is None else self.page_high

    def check(self, value: object) -> None:
        """Raises SettingsError if this is no number of the range; where both ends are whole, no whole number."""
        whole = isinstance(self.low, int)
        number = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
        if number and (self.low <= value <= self.high or (self.open and value == 0)):  # type: ignore[operator]  # a number
            if value == 0 and self.zero:
                raise SettingsError(
                    f"{self.label} was 0, which {self.zero}: give a value above 0, up to {self.high:g}."
                )
            return
        wanted = f"a whole number from {self.low} to" if whole else f"a number from {self.low:g} to"
        either = f"{AUTO} or " if self.open else ""
        raise SettingsError(
            f"{self.label} was {value!r:.80}: give {either}{wanted} {self.high if whole else f'{self.high:g}'}."
        )


# The range of every number in `Settings`, by its name.
RANGES = {
    "k": Range(1, MAX_DRAFT_LENGTH, label="k (draft length)", open=True),
    "temperature": Range(0.0, 10.0, step=0.1, page_high=2.0, label="temperature"),
    "top_k": Range(0, 1_000_000, page_high=1000, label="top-k"),
    "top_p": Range(0.0, 1.0, step=0.05, page_low=0.05, label="top-p", zero="keeps no token at all"),
    "max_new_tokens": Range(1, MAX_NEW_TOKENS, label="max new tokens"),
    "seed": Range(0, 2**63 - 1, page_high=2**31, label="seed"),
    "nodes": Range(1, MAX_NODES, label="nodes (size of the tree)", open=True),
    "threshold": Range(0.0, 1.0, step=0.05, label="threshold"),
    "lenience": Range(0.0, 1.0, step=0.05, page_low=0.05, label="lenience", zero="accepts everything"),
}
OPEN = tuple(name for name, range_ in RANGES.items() if range_.open)  # the numbers that may be left to specviz, as 0
CHILDREN = ("sampled", "distinct", "top")
POLICIES = ("fixed", "confidence", "cost", AUTO)
FORMER_POLICIES = ("history",)  # only recordings of earlier versions name them
RULES = ("exact", "block", "lenient")
FORMER_RULES = ("typical",)  # only recordings of earlier versions name them
CHAIN_RULES = ("block",)  # they judge chains only
EXACT_RULES = ("exact", "block")
_NAME = re.compile("[a-z0-9][a-z0-9-]{0,39}")


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices of one run; refuses impossible ones. Raises SettingsError, which names the value that was received and the range.

    Args:
        k: draft length, tokens drafted in a round (1 to 16); 0 leaves it to specviz.
        temperature: 0 is greedy decoding; above 0 divides the logits before the softmax (anything below 1e-30 counts as 1e-30).
        top_k: keep only the k most likely tokens; 0 keeps all.
        top_p: keep the smallest set of most likely tokens whose probabilities reach this sum; 1 keeps all.
        max_new_tokens: stop after this many tokens.
        seed: the one source of randomness; the same seed, pair and dtype give the same text.
        drafter: the name of the drafter, as `specviz.decoding.drafters.registry` lists it; "auto" leaves it to specviz.
        nodes: how many tokens a tree may have (1 to 64); its depth is k. 0 leaves it to specviz.
        children: how a tree's siblings are chosen: "sampled" independently, "distinct" without replacement, or the "top" n,
            taken as certain. Where every distribution is one-hot they are always the top n.
        policy: when a draft stops before k tokens: never ("fixed"), after a token of low confidence ("confidence"), where a further token
            costs more than it gains ("cost"), or the last with 0 as an answer, so that nothing is drafted where it does not pay ("auto",
            `specviz.decoding.pace`).
        threshold: the confidence policy stops after a token whose draft probability is below this (0 to 1).
        rule: "exact" judges token by token, "block" a chain as a whole: these keep the target's distribution; "lenient" does not.
        lenience: how strict the lenient rule is: 1 is the exact rule, near 0 accepts nearly everything.
        shared_noise: draft and target choose with the same noise at the same position, so that the text is the same
            with every drafter.
    """

    k: int = 5
    temperature: float = 0.0
    top_k: int = 0
    top_p: float = 1.0
    max_new_tokens: int = 64
    seed: int = 0
    drafter: str = "model"
    nodes: int = 12
    children: str = "sampled"
    policy: str = "fixed"
    threshold: float = 0.4
    rule: str = "exact"
    lenience: float = 0.5
    shared_noise: bool = False

    def __post_init__(self) -> None:
        for name, range_ in RANGES.items():
            range_.check(getattr(self, name))
        if not isinstance(self.drafter, str) or not _NAME.fullmatch(self.drafter):
            raise SettingsError(f"drafter was {self.drafter!r:.80}: give the name of a drafter, such as model or tree.")
        _one_of("children", self.children, CHILDREN)
        if self.policy not in FORMER_POLICIES:
            _one_of("policy", self.policy, POLICIES)
        if self.rule not in FORMER_RULES:
            _one_of("rule", self.rule, RULES)
        if not isinstance(self.shared_noise, bool):
            raise SettingsError(f"shared noise was {self.shared_noise!r:.80}: give true or false.")
        if self.lossy and self.certain:
            why = "temperature 0" if self.greedy else "shared noise"
            raise SettingsError(
                f"rule was {self.rule!r} with {why}, where every probability is 0 or 1 and it would be the exact rule: "
                "choose the exact rule, or a temperature above 0 without shared noise."
            )

    @property
    def greedy(self) -> bool:
        """True if the target's most likely token is always taken."""
        return self.temperature == 0

    @property
    def certain(self) -> bool:
        """True if every distribution is one-hot, so that nothing is left to draw: greedy, or chosen by shared noise."""
        return self.greedy or self.shared_noise

    @property
    def open(self) -> tuple[str, ...]:
        """The names that are left to specviz and chosen before a run begins: of drafter, k and nodes."""
        return tuple(name for name in ("drafter", "k", "nodes") if getattr(self, name) in (AUTO, 0))

    @property
    def lossy(self) -> bool:
        """True if the rule gives up the target's distribution."""
        return self.rule not in EXACT_RULES

    @property
    def widest(self) -> int:
        """The most tokens that one draft can have, chain or tree."""
        return max(self.k, self.nodes)


def check_closed(settings: Settings) -> None:
    """Reject settings that leave something to specviz, where all runs must have the settings that a person gave. Raises
    SettingsError, which names what is open."""
    for name in settings.open[:1]:
        give = "name a drafter" if name == "drafter" else "give a number"
        raise SettingsError(
            f"{name} was {AUTO}, which only the commands run and race and the page choose themselves: {give}."
        )


def check_prompt(prompt: str) -> None:
    """Reject a prompt of nothing but white space, and one that is too long. Raises PromptError if it is one."""
    if len(prompt) > MAX_PROMPT:
        raise PromptError(f"The prompt has more than {MAX_PROMPT:,} characters, which is the limit: shorten it.")
    if not prompt.strip():
        raise PromptError("The prompt was empty: write a few words for the models to continue.")


def _one_of(name: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise SettingsError(f"{name} was {value!r:.80}: choose one of {', '.join(choices)}.")
