"""Exhibits whose target or loop is broken."""

from specviz.audit.zoo.exhibit import Exhibit, ExhibitSource

TARGETS = (
    Exhibit(
        name="rejected-kept",
        title="a rejected token stays in the cache",
        what="After a rejection the target's cache still holds the rejected token. All later tokens are computed as if it stood in the text. "
        "Some states cannot be cut at all, such as a recurrent state: they must be saved and restored.",
        stage="The text looks good until the first rejection, then it drifts.",
        part="target",
        sources=(
            ExhibitSource("ml-explore/mlx-lm", "1109", note="merged: such caches are refused now"),
            ExhibitSource("vllm-project/vllm", "50272", note="merged: a short convolution kept rejected tokens"),
        ),
        checks=("caches", "greedy text", "distribution"),
    ),
    Exhibit(
        name="emptied",
        title="the cache is emptied instead of cut",
        what="At a rejection the cache was reset to length 0 instead of to the length before the draft. The target then no longer knows the prompt.",
        stage="After the first rejection the text has nothing to do with the prompt.",
        part="target",
        sources=(ExhibitSource("paiml/aprender", "2014", note="merged; a sibling function already had the fix"),),
        checks=("caches", "greedy text", "distribution"),
    ),
    Exhibit(
        name="branches-see-each-other",
        title="the branches of a tree see each other",
        what="In one pass over a tree, a token may see the text and its own ancestors only. A wrong mask lets it see other branches too, "
        "and its scores depend on guesses that are not in the text.",
        stage="With a chain all is well. With a tree the text changes.",
        part="target",
        sources=(
            ExhibitSource(
                "sgl-project/sglang-jax",
                "1188",
                note="found by a test while it was reviewed: the root saw the drafted tokens",
            ),
            ExhibitSource(
                "lablup/mlxcel", "1214", note="merged; a near relative: the mask was right, the positions were not"
            ),
        ),
        checks=("caches", "greedy text", "distribution"),
        settings={"drafter": "tree", "k": 2, "nodes": 6},
    ),
    Exhibit(
        name="kept-by-count",
        title="the right number of entries, but not the right ones",
        what="After a tree the accepted path must stay in the cache. A chain needs only a length, and the same code was used for the tree: "
        "the first entries stay, as many as were accepted, whatever they are.",
        stage="Whenever a second branch is accepted, the text after it goes wrong.",
        part="target",
        sources=(
            ExhibitSource(
                "NVIDIA/TensorRT-LLM",
                "10343",
                "issue",
                "a user asks whether one number can be enough; open when it was read",
            ),
            ExhibitSource(
                "pie-project/pie",
                "197",
                note="merged; drafted tokens were kept in the cache, siblings were found wrongly",
            ),
        ),
        checks=("caches", "greedy text", "distribution"),
        settings={"drafter": "tree", "k": 2, "nodes": 6},
    ),
    Exhibit(
        name="target-by-default",
        title="only the draft follows the settings",
        what="The draft draws with the temperature of the request, and the target's probabilities are computed at temperature 1. "
        "The rule is exact, but for another p: the text is as wild as at temperature 1.",
        stage="The target's bars do not change with the temperature. Fewer tokens are accepted.",
        part="loop",
        sources=(
            ExhibitSource("vllm-project/vllm", "10198", note="merged; the scorer used default sampling parameters"),
        ),
        checks=("caches", "distribution"),
        settings={"temperature": 0.6},
    ),
    Exhibit(
        name="end-inside-missed",
        title="the text goes on after its end",
        what="A round can accept end-of-text in the middle of a draft. Here only the last token of a round is compared with it. "
        "The text goes on after its end, sometimes, depending on where in a round the end falls.",
        stage="An end-of-text token stands in the middle of the text.",
        part="loop",
        sources=(
            ExhibitSource(
                "huggingface/transformers", "47912", "issue", "closed; with a small reproduction, and fixed in #47931"
            ),
            ExhibitSource("LostRuins/koboldcpp", "1276", "issue", "seen by a user in the chat window"),
        ),
        checks=("distribution", "greedy text"),
    ),
    Exhibit(
        name="longer-than-asked",
        title="the text is longer than asked",
        what="The loop asked only between two rounds whether there were enough new tokens. The last round then added all that it accepted, and a token more. "
        "Who asked for 1 token could get 5. A fixed buffer or the end of the context is then too short.",
        stage="The text ends a few tokens after the number that was asked for. How many depends on the last round.",
        part="loop",
        sources=(
            ExhibitSource("ohdearquant/lattice", "242", "issue", "closed; found by reading the code"),
            ExhibitSource("ohdearquant/lattice", "245", note="merged: the last round is cut to what is left"),
        ),
        checks=("greedy text", "distribution"),
    ),
)
