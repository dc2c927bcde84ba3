"""The closed lists of a lesson: every name that its file may use, each with one line on what it means. Standard library only."""

# The parts of the stage that a step may light. N is a number from 1.
LIT = {
    "prompt": "the prompt, where the text begins",
    "text": "the text so far: prompt and committed tokens",
    "typist": "who drafts: name, cost, layers",
    "editor": "the target model: name, cost, layers",
    "draft row": "all drafted tokens of the round",
    "target row": "what the target model writes, below the drafted tokens",
    "slot N": "the drafted token number N of the round and its verdict",
    "token N": "token number N of the new text, in both texts at the end",
    "closing": "the target's own token that ends the round: corrected or bonus",
    "why N": "the slot number N with its drawer open: both distributions and the rule that decided",
    "why closing": "the target's own token with its drawer open",
    "figures": "all figures beside the text",
    "speedup": "the figure: plain time over this run's time",
    "rate": "the figure: tokens a second",
    "tokens per pass": "the figure: new tokens for each pass of the target model",
    "accepted": "the figure: accepted drafts of those that were checked",
    "caption": "the sentence under the round",
    "legend": "the signs and their words",
    "lanes": "both runs on one time axis",
    "controls": "play, step and the scrubber",
}

# The words of a moment. N and M are numbers from 1.
MOMENTS = {
    "start": "before anything is drafted",
    "round N, begins": "the round is there, and nothing is drafted yet",
    "round N, drafting": "half of the tokens are drafted",
    "round N, M drafted": "exactly M tokens are drafted",
    "round N, drafted": "all tokens are drafted, none is checked",
    "round N, verifying": "in the middle of the target's one pass",
    "round N, verified": "the pass is over, and no verdict is shown yet",
    "round N, M judged": "exactly M verdicts are shown",
    "round N, judged": "all verdicts are shown, and the target's own token is not there yet",
    "round N, committed": "the round's tokens have joined the text",
    "end": "after the last round: the whole text, beside that of the plain run where the recording has one",
}

# The picture beside the text of a step; the stage where the step names none.
PICTURES = {
    "stage": "the player with the step's recording",
    "rule": "the acceptance rule with bars that can be dragged",
    "formula": "the speedup formula with sliders, and the lesson's recordings as dots",
    "bug": "a planted bug, as an audit sees it",
    "one token": "the weights of the model going past one token, with the bytes and the time of a recorded machine",
    "six passes": "six passes over one token, one after the other",
    "six in one": "the same six tokens in one pass",
    "mask": "which tokens a token sees in a pass: a triangle that fills",
    "cost": "the curve v(n) of a recorded machine",
    "large model": "v(n) of a model of 70 billion parameters on two graphics cards, calculated",
    "guests": "the same for one guest and for several in a batch",
    "one guest": "a server with one guest: what a pass reads, the spare arithmetic, the speedup",
    "rush hour": "guests who fill its batch one after the other, up to 64",
    "switched off": "the full server without drafts",
    "routing": "the full server with drafts for those guests whose text is easy to guess",
    "experts": "v(n) of a mixture of experts beside that of a dense model, with the experts that a pass reads",
}

# The screens to which "try it with your own prompt" can lead.
SCREENS = {
    "watch": "one run, round by round",
    "race": "plain and speculative decoding side by side",
}
