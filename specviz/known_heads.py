"""Heads that others publish, with the targets for which they were trained. Standard library only.

Collected from public repositories, without the hub: what their cards have on sizes, licences and revisions was not available, except where a
repository repeats it. Nothing here was run by us: a head is measured when it is first used (`specviz.models.checks.guesses`).
"""

from dataclasses import dataclass

UNKNOWN = "not known offline"


@dataclass(frozen=True, slots=True)
class PublicHead:
    """A head on the hub.

    Attributes:
        head, target: hub ids.
        kind: of head.
        named_in: the public repository that names the two together.
        size, licence, revision: as a public repository gives them; `UNKNOWN` where none does.
        note: a part of its format that specviz does not compute, or empty.
    """

    head: str
    target: str
    kind: str
    named_in: str
    size: str = UNKNOWN
    licence: str = UNKNOWN
    revision: str = UNKNOWN
    note: str = ""

    @property
    def short_revision(self) -> str:
        """The first digits of the revision."""
        return self.revision if self.revision == UNKNOWN else self.revision[:7]


PUBLIC_HEADS = (
    PublicHead(
        "AngelSlim/Qwen3-1.7B_eagle3",
        "Qwen/Qwen3-1.7B",
        "eagle3",
        "Tencent/AngelSlim",
        licence="AngelSlim's own: see its card",
    ),
    PublicHead("z-lab/Qwen3-4B-DFlash-b16", "Qwen/Qwen3-4B", "dflash", "z-lab/dflash", size="1.07 GB"),
    PublicHead("deepseek-ai/dspark_qwen3_4b_block7", "Qwen/Qwen3-4B", "dspark", "deepseek-ai/DeepSpec"),
    PublicHead("RedHatAI/Qwen3-8B-speculator.eagle3", "Qwen/Qwen3-8B", "eagle3", "vllm-project/speculators"),
    PublicHead("deepseek-ai/eagle3_qwen3_8b_ttt7", "Qwen/Qwen3-8B", "eagle3", "deepseek-ai/DeepSpec"),
    PublicHead("z-lab/Qwen3-8B-DFlash-b16", "Qwen/Qwen3-8B", "dflash", "z-lab/dflash"),
    PublicHead(
        "RedHatAI/Qwen3-8B-speculator.dflash",
        "Qwen/Qwen3-8B",
        "dflash",
        "vllm-project/speculators",
        note="refused if its layer_types have a sliding window",
    ),
    PublicHead(
        "deepseek-ai/dspark_qwen3_8b_block7",
        "Qwen/Qwen3-8B",
        "dspark",
        "deepseek-ai/DeepSpec",
        revision="03326e5043815da1f81b109078b2889737c26017",
    ),
    PublicHead("yuhuili/EAGLE3-LLaMA3.1-Instruct-8B", "meta-llama/Llama-3.1-8B-Instruct", "eagle3", "SafeAILab/EAGLE"),
)
