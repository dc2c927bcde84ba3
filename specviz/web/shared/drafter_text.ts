// Who drafts, and by which rule, in words: from the registry's description of the drafter, the card and the settings. Pure, no DOM.

import type { Card, Description, PlayerContext, Round, Rule, Settings } from "./json_types.ts";
import { isCopy } from "./round.ts";
import type { DrafterText } from "./run_types.ts";
import { readsOf, readsWords } from "./trained_heads.ts";
import { english, filledIn, language, word } from "./words.ts";

/** The name of the drafter that drafts nothing: the run is plain decoding. */
export const NOBODY = "none";
const VERIFYING = english("One pass of the target model reads {all} and scores every position.");

/** How copied tokens are spoken of, which are selected rather than drawn, so that q is 1. */
const COPIED = {
  verb: english("copied"),
  from: english("copy"),
  origin: english("It was copied from the text before"),
};

/** The words for a round's tokens where they were copied; undefined where they were drawn. */
export function selectedIn(round: Round) {
  return isCopy(round) ? COPIED : undefined;
}

/** Of a round in which the policy "auto" let nothing be drafted; `NOT_DRAFTING` in setting_labels.py is the same. */
export const NOT_DRAFTING = english("Not drafting: guesses cost more than they bring here.");

/** Before specviz has chosen a drafter. */
const UNCHOSEN: Description = {
  ...unknown("auto", english("small draft")),
  does: english("guesses the next tokens"),
  drafting: english("The small draft guesses {next}."),
};

/** Plain decoding, on the stage by itself. */
const PLAIN: Description = {
  name: NOBODY,
  label: english("no drafter"),
  shape: "chain",
  picture: "model",
  does: english("nothing is drafted"),
  checks: english("writes one token in each pass"),
  drafting: english("Nothing is drafted."),
  idle: english("Nothing is drafted: the target writes alone."),
  verifying: english("One pass of the target model reads the last token."),
};

/** A drafter that the registry does not know, such as a student's own, is drawn as a chain under its own label. */
function unknown(name: string, label: string): Description {
  return {
    name,
    label,
    shape: "chain",
    picture: "model",
    does: english("drafts the next tokens"),
    checks: english("checks all of them in one pass"),
    drafting: word("{who} drafts {next}.", { who: capitalised(word(label)) }),
    idle: english("Nothing is drafted in this round."),
    verifying: "",
  };
}

/** Every drafter in the words of the opening: what the small draft is. */
const INTRODUCTIONS: Record<Description["picture"], string> = {
  model: english("a small model"),
  copy: english("a copy from the text above"),
  "first layers": english("the first layers of the large model itself"),
  "fewer bits": english("the large model itself, its weights in 8 bits"),
  heads: english("small heads that read the large model's last state"),
  "fed layer": english("a head of one layer that reads the large model's states"),
  "joined layer": english("one more layer on top of the large model"),
  "open block": english("a head that fills a block of tokens at once"),
  "linked block": english("a head that fills a block of tokens at once"),
  "causal block": english("a head that fills a block of tokens at once"),
};

function introductionOf({ name, picture, otherwise }: Description) {
  if (name === UNCHOSEN.name) return word("the fastest one here is being chosen");
  const what = word(INTRODUCTIONS[picture]);
  return otherwise ? word("{what}, or a copy where the text repeats itself", { what }) : what;
}

export function capitalised(text: string) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The rules that keep what is written; another one is lossy. */
export const EXACT: string[] = ["exact", "block"] satisfies Rule[];

/** @param card null while the run has not begun. */
export function drafterTextOf(
  settings: Settings,
  card: Card | null,
  { drafters }: Pick<PlayerContext, "drafters">,
): DrafterText {
  const name = card?.drafter.name ?? settings.drafter ?? "model";
  const label = card?.drafter.label ?? name;
  const description = Object.hasOwn(drafters, name)
    ? drafters[name]
    : name === NOBODY
      ? PLAIN
      : name === UNCHOSEN.name
        ? UNCHOSEN
        : unknown(name, label);
  const layers = cardLayers(card);
  const reads = readsOf(card);
  const counts = { ...countsOf(layers), reads: readsWords(reads) };
  const rule = settings.rule ?? "exact";
  const greedy = settings.temperature === 0;
  const noise = Boolean(settings.shared_noise) && !greedy;
  return {
    name,
    picture: description.picture,
    shape: description.shape,
    layers,
    reads,
    certain: greedy || noise,
    noise,
    greedy,
    rule,
    lenience: settings.lenience ?? 1,
    lossy: EXACT.includes(rule) ? "" : lossyWords(rule, settings),
    label: word(description.label),
    introduction: introductionOf(description),
    who: capitalised(word(description.label)),
    does: word(description.does, counts),
    checks: word(description.checks, counts),
    drafting: word(description.drafting, counts),
    copying: word(Object.hasOwn(drafters, "suffix") ? drafters.suffix.drafting : description.drafting, counts),
    idle: word(description.idle, counts),
    verifying: word(description.verifying || VERIFYING, counts),
  };
}

function lossyWords(rule: string, { lenience = 1 }: Settings) {
  return rule === "lenient"
    ? word("LOSSY: lenient rule, lenience {lenience}", { lenience: lenience.toLocaleString(language()) })
    : word("LOSSY: {rule} rule", { rule });
}

/** The target's layers that the drafter uses, where the card names them and the target has others too. */
function cardLayers(card: Card | null) {
  const of = card?.target.layers ?? 0;
  const used = card?.drafter.layers ?? [];
  return used.length > 0 && used.length < of && used.every((layer) => layer >= 0 && layer < of) ? { used, of } : null;
}

/** The counts of layers in a sentence of the registry, each followed by a space; empty where they are not known. */
function countsOf(layers: { used: number[]; of: number } | null) {
  if (!layers) return { of: "", rest: "" };
  return {
    of: `${word("{some} of {all}", { some: layers.used.length, all: layers.of })} `,
    rest: `${layers.of - layers.used.length} `,
  };
}

/** What happens while a round is drafted. */
export function draftingOf({ picture, drafting, copying, idle }: DrafterText, drafts: number, copied = false) {
  const sentence = filledIn(!drafts ? idle : copied && picture !== "copy" ? copying : drafting, drafted(drafts));
  return drafts === 1 ? sentence.replace(word(", one after the other"), "") : sentence;
}

/** What happens in the target's pass over the drafts. */
export function verifyingOf(drafterText: DrafterText, drafts: number) {
  return drafts ? filledIn(drafterText.verifying, drafted(drafts)) : word("The target model reads the last token.");
}

function drafted(drafts: number) {
  if (drafts === 1) return { next: word("the next token"), count: word("one token"), all: word("it") };
  return {
    next: word("the next {drafts} tokens", { drafts }),
    count: word("{drafts} tokens", { drafts }),
    all: word("all {drafts}", { drafts }),
  };
}
