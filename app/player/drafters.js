// Who drafts, and by which rule, in plain words: from the settings and the name on the card. Pure functions, no DOM.

const MANNERS = {
  model: { who: "Draft model", does: "types ahead, one token at a time" },
  tree: { who: "Draft tree", does: "a small model's guesses, several at a place" },
  ngram: { who: "N-gram lookup", does: "no model: copies what stood in the text before" },
  "early-exit": { who: "Early exit", does: "the target's own first layers" },
  "layer-skip": { who: "Layer skip", does: "the target without some of its layers" },
};
const CHECKS = "checks all of them in one pass";

// `name` is the card's, such as "early exit, 4 of 12 layers"; empty while it is not known.
function mannerOf(settings, name) {
  const kind = MANNERS[settings.drafter] ? settings.drafter : "model";
  const found = /(\d{1,4}) of (\d{1,4}) layers/.exec(name || "");
  const counted = found && { used: Number(found[1]), all: Number(found[2]) };
  const layers = counted && counted.used > 0 && counted.used < counted.all ? counted : null;
  const greedy = settings.temperature === 0, noise = Boolean(settings.shared_noise) && !greedy;
  const manner = {
    kind, layers, noise, certain: greedy || noise, rule: settings.rule || "exact", lenience: settings.lenience,
    who: MANNERS[kind].who, does: MANNERS[kind].does, checks: CHECKS,
  };
  manner.lossy = manner.rule === "exact" ? "" : `LOSSY: ${manner.rule} rule${manner.rule === "lenient" ? `, lenience ${settings.lenience}` : ""}`;
  if (kind === "early-exit") {
    if (layers) manner.does = `the target's own first ${layers.used} layers of ${layers.all}`;
    manner.checks = "goes on where the draft stopped, in one pass";
  } else if (kind === "layer-skip") {
    if (layers) manner.does = `the target with ${layers.used} of its ${layers.all} layers`;
    manner.checks = "checks all of them with all its layers, in one pass";
  }
  return manner;
}

// Where in prompt and text a round's draft was copied from: [first place, place behind the last]; null where it was not.
function copiedOf(round) {
  return round && Number.isInteger(round.source) && round.drafted.length ? [round.source, round.source + round.drafted.length] : null;
}

// What happens while a round is drafted.
function draftingOf(manner, drafts) {
  const { kind, layers } = manner;
  const next = `the next ${drafts === 1 ? "token" : `${drafts} tokens`}`;
  if (!drafts) return kind === "ngram" ? "The text has not been here before: there is nothing to copy." : "Nothing is drafted in this round.";
  if (kind === "ngram") return `The text was here before: the ${drafts === 1 ? "token that followed is" : `${drafts} tokens that followed are`} copied.`;
  if (kind === "tree") return `The draft model guesses ${drafts === 1 ? "one token" : `${drafts} tokens`}, several at a place: a tree.`;
  if (kind === "early-exit") return `The target's own first ${layers ? `${layers.used} of ${layers.all} layers` : "layers"} guess ${next}, one after the other.`;
  if (kind === "layer-skip") return `The target guesses ${next} with ${layers ? `only ${layers.used} of its ${layers.all} layers` : "some of its layers left out"}, one after the other.`;
  return `The draft model guesses ${next}, one after the other.`;
}

// What happens in the target's pass over the drafts.
function verifyingOf(manner, drafts) {
  if (!drafts) return "The target model reads the last token.";
  const many = drafts > 1;
  if (manner.kind === "early-exit") {
    const others = manner.layers ? `other ${manner.layers.all - manner.layers.used} layers go` : "other layers go";
    return `The ${others} on from there: one pass over ${many ? `all ${drafts}` : "it"}.`;
  }
  if (!many) return "One pass of the target model reads it, and scores what follows.";
  return `One pass of the target model reads all ${drafts} at once, and scores each of them.`;
}
