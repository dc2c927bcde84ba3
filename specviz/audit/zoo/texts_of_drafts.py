"""Exhibits whose drafter is broken."""

from specviz.audit.zoo.exhibit import Exhibit, ExhibitSource

DRAFTS = (
    Exhibit(
        name="argmax-as-drawn",
        title="a certain draft, scored as a drawn one",
        what="The draft takes its most likely token, so it would propose it every time: its q is 1. But the q of drawing it is reported, which is smaller. "
        "p/q is then too large, and the draft's favourite is accepted too often.",
        stage="All drafted tokens are the draft's first choice, also at temperature 1, and their q is below 1.",
        part="drafter",
        sources=(
            ExhibitSource("huggingface/transformers", "32867", "issue", "the assistant was always greedy"),
            ExhibitSource("jaymody/speculative-sampling", "3", "issue", "the author explains why greedy text differed"),
            ExhibitSource(
                "apple/ml-recurrent-drafter", "6", "issue", "the same with beam search; open when it was read"
            ),
        ),
        checks=("drafts", "distribution"),
    ),
    Exhibit(
        name="q-before-filters",
        title="q from before top-k",
        what="The draft draws after top-k and top-p, but reports q from before them. The kept tokens then have a q that is too small, so p/q is too large. "
        "The default top-k of a library was enough to make a lossless method lossy.",
        stage="The bars of q do not add up to 1 over the tokens that the draft can propose.",
        part="drafter",
        sources=(
            ExhibitSource(
                "huggingface/transformers",
                "47932",
                "issue",
                "measured on two small real models: a total variation distance of 0.05 in the median, of 0.31 at worst",
            ),
            ExhibitSource("huggingface/transformers", "47961", note="names three drafters with this bug; closed"),
        ),
        checks=("drafts", "distribution"),
        settings={"top_k": 3},
    ),
    Exhibit(
        name="q-rounded",
        title="drawn in a small number format, judged in a large one",
        what="The draft draws from probabilities in a small number format, and the rule uses the same probabilities in float32. The two are almost, "
        "but not quite, the same distribution. In bfloat16 the difference is small; this exhibit rounds to powers of four, so that a few runs are enough.",
        stage="Nothing can be seen in one round.",
        part="drafter",
        sources=(ExhibitSource("deepseek-ai/DeepSpec", "31", "issue", "open when it was read; with a fix"),),
        checks=("drafts", "distribution"),
    ),
    Exhibit(
        name="q-in-other-numbering",
        title="q is read at the wrong id",
        what="A draft with a short vocabulary numbers its tokens in its own way. The tokens were translated to the target's ids, the probabilities were not. "
        "The rule then reads q of some other token. Where that q is 0, everything is accepted.",
        stage="q is often 0 for a token that the draft itself proposed.",
        part="drafter",
        sources=(
            ExhibitSource(
                "alibaba/rtp-llm", "1311", note="open when it was read; the comment in the code tells the story"
            ),
        ),
        checks=("drafts", "distribution"),
    ),
    Exhibit(
        name="offsets-misread",
        title="the table of a short vocabulary is misread",
        what="The table says how far to move each id. Here its offsets are wrong, and every drafted token is handed over as another token. "
        "The text stays right, because the target checks it. Almost nothing is accepted, so it is slow.",
        stage="Rejections everywhere, and drafted tokens that make no sense.",
        part="drafter",
        sources=(
            ExhibitSource("verl-project/verl-SpeCo", "67", note="merged; the default table sent id i to 2·i"),
            ExhibitSource("NVIDIA-NeMo/Automodel", "2447", note="merged; without the table the first ids were taken"),
        ),
        checks=("drafts",),
    ),
    Exhibit(
        name="layers-off-by-one",
        title="a head reads the wrong layers",
        what="A trained head reads the target's states at some layers. Two conventions count them: one names the layer that a state enters, the other the "
        "layer that it leaves. Read one layer off, or with a norm or a rotation of another kind, the head loads, drafts and records its true q. The text "
        "is the target's own, whatever is compared; it is only slow: in one engine 1.2% of the guesses were accepted instead of 58.9%. What shows it is "
        "the acceptance, against what is known of the head. The twin's guesses stand for such a head's: they prefer what is unlikely.",
        stage="Rejections everywhere, at the first token of every draft.",
        part="drafter",
        sources=(
            ExhibitSource("vllm-project/vllm", "50170", "issue", "1.2% accepted instead of 58.9%", read=False),
            ExhibitSource(
                "sgl-project/sglang", "25454", note="merged; one is added to the layers only where the first id is 1"
            ),
            ExhibitSource("lightseekorg/tokenspeed", "526", note="merged; accept rate 0.00 before and 0.47 after"),
        ),
        checks=("acceptance",),
        settings={"temperature": 0.3},
        head=True,
    ),
    Exhibit(
        name="one-id-too-many",
        title="an id beyond the vocabulary is drafted",
        what="The draft proposes the id n where ids go from 0 to n - 1. The target has no such token, and the run ends with an error. "
        "Output layers are often padded to a round number of rows, so such an id can have a score.",
        stage="The run stops with an error.",
        part="drafter",
        sources=(
            ExhibitSource(
                "ggml-org/llama.cpp", "28158", "issue", "open when it was read: invalid token 248320 of 248320"
            ),
        ),
        checks=("greedy text", "caches", "drafts", "distribution"),
    ),
    Exhibit(
        name="looks-back",
        title="an unlikely token is dropped after it was drawn",
        what="The draft draws a token, sees that it is unlikely, and does not submit it. Then only likely tokens get the chance to be accepted. "
        "With p = (.7, .3) and q = (.5, .5) this gives (.85, .15). Whether a token is checked must be decided before it is drawn.",
        stage="No drafted token ever has a low q, also at temperature 1.",
        part="drafter",
        sources=(
            ExhibitSource(
                "DSpark",
                "2607.05147",
                "paper",
                "its appendix warns of it; the thread of a shipped bug is not known to us",
            ),
            ExhibitSource(
                "ggml-org/llama.cpp",
                "22506",
                note="drops the last token for its low probability; harmless there, because that draft is not drawn",
            ),
        ),
        checks=("drafts", "distribution"),
    ),
    Exhibit(
        name="stale-siblings",
        title="siblings drawn without, scored with",
        what="In a tree the second sibling is drawn from q without the first one, so its real q is larger. Here the old q is reported. "
        "The second sibling is then accepted too often.",
        stage="The bars of q are the same for both siblings, although the second one cannot be the first again.",
        part="drafter",
        sources=(
            ExhibitSource(
                "SafeAILab/EAGLE", "20", "issue", "the answer explains the mask that removes earlier siblings"
            ),
        ),
        checks=("drafts", "distribution"),
        settings={"drafter": "tree", "children": "distinct", "k": 2, "nodes": 4},
    ),
    Exhibit(
        name="separator-again",
        title="the draft reads a begin-of-text again and again",
        what="Target and draft have different tokenizers, so the new text is encoded again every round. Each time the tokenizer put its begin-of-text id in front. "
        "The draft reads a text full of beginnings, and guesses badly. The text stays right.",
        stage="The first round is good, later rounds are rejected.",
        part="drafter",
        sources=(ExhibitSource("huggingface/transformers", "46124", note="closed without being merged"),),
        checks=("drafts",),
    ),
    Exhibit(
        name="cut-too-far",
        title="the draft's cache is cut too far",
        what="After a rejection the draft model's cache must lose the rejected tokens. Here it loses up to two more, in every such round. "
        "The draft falls behind the text, its guesses get worse, and more is rejected. The text stays right.",
        stage="The acceptance rate falls while the text grows.",
        part="drafter",
        sources=(
            ExhibitSource("lablup/mlxcel", "994", "issue", "the numbers of a round, worked out"),
            ExhibitSource("lablup/mlxcel", "1002", note="merged"),
        ),
        checks=("drafts",),
    ),
    Exhibit(
        name="last-never-read",
        title="the draft never reads its own last token",
        what="The last drafted token is proposed but not read. If everything was accepted, the draft must read it before the bonus token. "
        "Here it goes straight on with the bonus token, and there is a gap in its cache for ever. The text stays right.",
        stage="After every round that was accepted in full, the next one is worse.",
        settings={"k": 2},
        part="drafter",
        sources=(
            ExhibitSource(
                "vllm-project/vllm", "9730", note="merged; acceptance fell when more than one token was drafted"
            ),
            ExhibitSource(
                "vllm-project/vllm", "4212", "issue", "for this reason bonus tokens were switched off for a while"
            ),
        ),
        checks=("drafts",),
    ),
)
