"""Exhibits whose rule or random source is broken."""

from specviz.audit.zoo.exhibit import Exhibit, ExhibitSource

RULES = (
    Exhibit(
        name="always-accepted",
        title="everything is accepted",
        what="The test compares a random number u with p/q. Here u is always 0, because the device had no such random numbers. "
        "So the target accepts every token that it could write at all, and the draft writes the text. At temperature 0 nothing is wrong.",
        stage="Round after round is accepted in full, also where p is far below q. The acceptance rate is too good to be true.",
        part="rule",
        sources=(ExhibitSource("vllm-project/vllm-ascend", "13730", "issue", "u was written into the code as 0.0"),),
        checks=("drafts", "distribution"),
    ),
    Exhibit(
        name="inclusive-coin",
        title="a coin of exactly 0 accepts the impossible",
        what="The test was u <= p/q instead of u < p/q. A token that top-k or top-p removed has p = 0. If u is exactly 0, it is accepted "
        "all the same. The coin in the report had millions of values; this one has 64, so that you need not wait for weeks.",
        stage="Once in a while a token with p = 0 is accepted. Its bar for p is empty, and u is 0.",
        part="rule",
        sources=(ExhibitSource("sgl-project/sglang", "35771", "issue", "closed; with a reproduction"),),
        checks=("distribution",),
        settings={"top_k": 2},
    ),
    Exhibit(
        name="first-unchecked",
        title="the first drafted token is never checked",
        what="The loop over the draft begins one token too late: it reads the scores after the first drafted token, and never those before it. "
        "A draft of one token is always accepted.",
        stage="The first token of every round is accepted, whatever its p is.",
        part="rule",
        sources=(
            ExhibitSource(
                "ohdearquant/lattice", "243", "issue", "fixed in #258, with a test against plain greedy text"
            ),
            ExhibitSource("ohdearquant/lattice", "258"),
        ),
        checks=("greedy text", "distribution"),
    ),
    Exhibit(
        name="always-greedy",
        title="silently greedy",
        what="The kernel for sampling was missing on one kind of device, and the check fell back to the most likely token without a word. "
        "A request at temperature 1 gets the text of temperature 0. Long answers then fall into loops.",
        stage="Another seed changes nothing. The target's own token is always its most likely one.",
        part="rule",
        sources=(
            ExhibitSource("sgl-project/sglang", "37134", note="merged; a reasoning benchmark rose from 0.71 to 0.89"),
            ExhibitSource("sgl-project/sglang", "31214", note="the same bug, described line by line"),
        ),
        checks=("caches", "distribution"),
    ),
    Exhibit(
        name="redrawn-from-p",
        title="after a rejection the token comes from p",
        what="A rejected token must be replaced by a draw from what is left of p when q is subtracted. Here the replacement is drawn from p itself. "
        "Tokens that the draft likes then have two chances, and are written too often.",
        stage="The distribution at the rejection is p. In an honest run the rejected token's bar is cut down, often to nothing.",
        part="rule",
        sources=(
            ExhibitSource(
                "vllm-project/vllm",
                "46665",
                note="a small form of it: rounding in a logarithm moved the residual towards p; fixed and merged",
            ),
        ),
        checks=("distribution",),
    ),
    Exhibit(
        name="only-one-subtracted",
        title="q is subtracted at one token only",
        what="After a rejection q must be subtracted from p at every token. Here it is subtracted at the rejected token only. "
        "That is right for a draft that always takes its most likely token, and wrong for one that draws.",
        stage="After a rejection other tokens that the draft likes keep their full bars.",
        part="rule",
        sources=(
            ExhibitSource("xLLM-AI/xllm", "2175", note="merged; measured 0.29 instead of 0.20 for one token"),
            ExhibitSource("SafeAILab/EAGLE", "20", "issue", "the authors agreed and changed the code"),
        ),
        checks=("distribution",),
    ),
    Exhibit(
        name="block-token-residual",
        title="a block is judged, and its end replaced as after a token",
        what="Block verification judges the drafted chain as a whole, and so its residual is max(0, w·p - q), where w is the weight that is left of the "
        "accepted prefix. Here the token rule's residual, max(0, p - q), was kept. Every sentence reads well, more is accepted than before, "
        "and the tokens that replace a rejected one follow another distribution.",
        stage="The verdict falls from the right as it should. The bars at the replacement are those of p - q, whatever w was.",
        part="rule",
        sources=(
            ExhibitSource(
                "vllm-project/vllm-ascend",
                "7807",
                "issue",
                "closed; the acceptance test was wrong too",
            ),
            ExhibitSource("vllm-project/vllm-ascend", "7808", note="merged; both follow the paper"),
        ),
        checks=("distribution",),
        settings={"rule": "block"},
    ),
    Exhibit(
        name="coin-used-twice",
        title="the coin that rejected also chooses the replacement",
        what="Two decisions read the same random number. The token was rejected because u was large, "
        "and the same large u then chooses the replacement. So tokens at the end of the vocabulary are favoured. The acceptance rate stays right.",
        stage="At every rejection the numbers u of the rejected token and of its replacement are equal.",
        part="rule",
        sources=(
            ExhibitSource(
                "vllm-project/vllm-ascend",
                "16370",
                note="describes how a reused u is no longer uniform; open when it was read",
            ),
        ),
        checks=("drafts", "distribution"),
    ),
    Exhibit(
        name="number-reused",
        title="draft and target draw with the same noise",
        what="The random number that drew the drafted token is used again to draw its replacement. "
        "We know that this number led to the rejected token, so it is not fresh any more. Both sides took it from the same seed and position.",
        stage="Nothing can be seen in one round. Only the counts over many runs show it.",
        part="random source",
        sources=(
            ExhibitSource("vllm-project/vllm", "54282", note="merged; the draft has its own stream now"),
            ExhibitSource("vllm-project/vllm", "47386", note="found and explained it first"),
            ExhibitSource("local-inference-lab/vllm", "653", note="measured 63.0 % instead of 60 % for one token"),
        ),
        checks=("distribution", "drafts"),
        settings={"k": 1},
    ),
    Exhibit(
        name="one-stream",
        title="all requests share one random stream",
        what="Requests without a seed were meant to be random. They all began at the same place of the same stream, so many of them got the same text. "
        "Each text alone looks fine.",
        stage="Another seed gives the same text, token by token.",
        part="random source",
        sources=(ExhibitSource("NVIDIA/TensorRT-LLM", "19487", "issue", "open when it was read"),),
        checks=("drafts", "distribution"),
    ),
    Exhibit(
        name="bonus-of-sibling",
        title="the bonus token comes from a rejected sibling's leftovers",
        what="In a tree, a rejected sibling changes p for the next sibling. If that one is accepted, the bonus token must come from the target's fresh "
        "scores after it. A flag that was not reset made it come from the changed p of the place before.",
        stage="The bonus token does not fit the text, and often repeats what could have stood one place earlier.",
        part="rule",
        sources=(
            ExhibitSource(
                "SafeAILab/EAGLE", "47", note="merged; one condition was added (read in the repository's history)"
            ),
            ExhibitSource("SafeAILab/EAGLE", "50", "issue", "a user found worse answers; the authors point to the fix"),
        ),
        checks=("distribution",),
        settings={"drafter": "tree", "children": "distinct", "k": 1, "nodes": 3},
    ),
    Exhibit(
        name="typical",
        title="typical acceptance",
        what="Medusa's rule accepts what the target finds plausible, and does not use q. It is meant to be so: "
        "longer accepted runs, and another distribution than the target's.",
        stage="The stage says LOSSY. No random number is compared with p/q.",
        part="rule",
        sources=(
            ExhibitSource("Medusa", "2401.10774", "paper"),
            ExhibitSource("vllm-project/vllm", "5131", note="merged as a choice"),
        ),
        checks=("distribution",),
        lossy=True,
    ),
    Exhibit(
        name="lenient",
        title="lenience",
        what="A token is accepted when u < p/(l·q) with l below 1. The paper that proved the exact rule offers it in an appendix, "
        "for users who accept a different distribution for more speed.",
        stage="The stage says LOSSY. Tokens with u above p/q are accepted.",
        part="rule",
        sources=(ExhibitSource("Leviathan et al.", "2211.17192", "paper", "appendix A.5"),),
        checks=("distribution",),
        lossy=True,
    ),
    Exhibit(
        name="drawn-for-every-path",
        title="the target draws again for every path",
        what="The target draws its own token at every node, separately for each path of the tree, and the longest match wins. "
        "A token that several paths share is drawn several times, so it has several tries to match. After the best path the next token comes "
        'from p itself, so a token that was rejected there can still be written. Medusa\'s mode "nucleus" does this, and REST copied it.',
        stage="Tokens that many paths share are accepted more often than p allows. The stage says LOSSY.",
        part="rule",
        sources=(
            ExhibitSource("Medusa", "2401.10774", "paper", 'the mode "nucleus" of its code, FasterDecoding/Medusa'),
            ExhibitSource("REST", "2311.08252", "paper", "the same mode, copied into its code"),
            ExhibitSource(
                "foundation-model-stack/fms-extras",
                "12",
                "issue",
                "explains the bias, and draws once for each text instead",
            ),
        ),
        checks=("distribution",),
        settings={"drafter": "tree", "k": 2, "nodes": 6},
        lossy=True,
    ),
)
