"""The closed lists of a lesson: every name that its file may use. Standard library only."""

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

# The forms of a moment, where N and M are numbers from 1, and the pictures beside a step's text: docs/writing-a-lesson.md explains them.
MOMENTS = (
    *("start", "round N, begins", "round N, drafting", "round N, M drafted", "round N, drafted", "round N, verifying"),
    *("round N, verified", "round N, M judged", "round N, judged", "round N, committed", "end"),
)
PICTURES = (
    *(
        "stage",
        "rule",
        "formula",
        "four kinds",
        "bug",
        "one token",
        "six passes",
        "six in one",
        "mask",
        "cost",
        "large model",
        "guests",
    ),
    *("one guest", "rush hour", "switched off", "routing", "experts"),
)
SCREENS = ("watch", "race")  # to which "try it with your own prompt" can lead
