// Who drafts, and by which rule, in words: from the registry's description of the drafter, the card and the settings. Pure, no DOM.

/** @import { Card, Description, Given, DrafterText, Settings } from "./types" */

import { readsOf, readsWords } from "./trained_heads.js";
import { filledIn } from "./words.js";

/** The name of the drafter that drafts nothing: the run is plain decoding. */
export const NOBODY = "none";
const VERIFYING = "One pass of the target model reads {all} and scores every position.";

/**
 * How tokens are spoken of that are selected rather than drawn, so that q is 1, by the picture of their drafter.
 * @type {Partial<Record<Description["picture"], { verb: string, from: string, origin: string }>>}
 */
const SELECTED = {
  copy: { verb: "copied", from: "copy", origin: "It was copied from the text before" },
  "re-cut text": { verb: "re-cut", from: "re-cut text", origin: "It was cut from the text that the draft model wrote" },
  table: { verb: "recycled", from: "table", origin: "It comes from the table of likely successors" },
  window: {
    verb: "iterated",
    from: "window",
    origin: "It was written by the target itself in an earlier pass, ahead of its turn",
  },
};

/**
 * The words for the tokens of a drafter that selects them; undefined for one that draws them.
 * @param {Pick<DrafterText, "picture">} drafterText
 */
export function selectedBy({ picture }) {
  return SELECTED[picture];
}

/** Of a round in which the policy "auto" let nothing be drafted; `NOT_DRAFTING` in words.py is the same. */
export const NOT_DRAFTING = "Not drafting: guesses cost more than they bring here.";

/** Before specviz has chosen a drafter. @type {Description} */
const UNCHOSEN = {
  ...unknown("auto", "fastest drafter here"),
  does: "drafts the next tokens, while that pays",
};

/** Plain decoding, on the stage by itself. @type {Description} */
const PLAIN = {
  name: NOBODY,
  label: "no drafter",
  shape: "chain",
  picture: "model",
  replannable: false,
  does: "nothing is drafted",
  checks: "writes one token in each pass",
  drafting: "Nothing is drafted.",
  idle: "Nothing is drafted: the target writes alone.",
  verifying: "One pass of the target model reads the last token.",
};

/**
 * A drafter that the registry does not know, such as a student's own, is drawn as a chain under its own label.
 * @param {string} name
 * @param {string} label
 * @returns {Description}
 */
function unknown(name, label) {
  return {
    name,
    label,
    shape: "chain",
    picture: "model",
    replannable: false,
    does: "drafts the next tokens",
    checks: "checks all of them in one pass",
    drafting: `${capitalised(label)} drafts {next}.`,
    idle: "Nothing is drafted in this round.",
    verifying: "",
  };
}

/** @param {string} text */
export function capitalised(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The rules that change what is written. */
const LOSSY = ["typical", "lenient"];

/**
 * @param {Settings} settings
 * @param {Card | null} card null while the run has not begun.
 * @param {Pick<Given, "drafters" | "rules">} given
 * @returns {DrafterText}
 */
export function drafterTextOf(settings, card, { drafters, rules }) {
  const name = card?.drafter.name ?? settings.drafter ?? "model";
  const label = card?.drafter.label ?? name;
  const found = Object.hasOwn(drafters, name)
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
    picture: found.picture,
    shape: found.shape,
    replannable: found.replannable,
    layers,
    reads,
    certain: greedy || noise,
    noise,
    greedy,
    rule,
    lenience: settings.lenience ?? 1,
    typical: rules.typical,
    lossy: LOSSY.includes(rule)
      ? `LOSSY: ${rule} rule${rule === "lenient" ? `, lenience ${settings.lenience}` : ""}`
      : "",
    label: found.label,
    who: capitalised(found.label),
    does: filledIn(found.does, counts),
    checks: filledIn(found.checks, counts),
    drafting: filledIn(found.drafting, counts),
    idle: filledIn(found.idle, counts),
    verifying: filledIn(found.verifying || VERIFYING, counts),
  };
}

/**
 * The target's layers that the drafter uses, where the card names them and the target has others too.
 * @param {Card | null} card
 */
function cardLayers(card) {
  const of = card?.target.layers ?? 0;
  const used = card?.drafter.layers ?? [];
  return used.length > 0 && used.length < of && used.every((layer) => layer >= 0 && layer < of) ? { used, of } : null;
}

/**
 * The counts of layers in a sentence of the registry, each followed by a space; empty where they are not known.
 * @param {{ used: number[], of: number } | null} layers
 */
function countsOf(layers) {
  if (!layers) return { of: "", rest: "" };
  return { of: `${layers.used.length} of ${layers.of} `, rest: `${layers.of - layers.used.length} ` };
}

/**
 * What happens while a round is drafted.
 * @param {DrafterText} drafterText
 * @param {number} drafts
 */
export function draftingOf(drafterText, drafts) {
  const sentence = filledIn(drafts ? drafterText.drafting : drafterText.idle, drafted(drafts));
  return drafts === 1 ? sentence.replace(", one after the other", "") : sentence;
}

/**
 * What happens in the target's pass over the drafts.
 * @param {DrafterText} drafterText
 * @param {number} drafts
 */
export function verifyingOf(drafterText, drafts) {
  return drafts ? filledIn(drafterText.verifying, drafted(drafts)) : "The target model reads the last token.";
}

/** @param {number} drafts */
function drafted(drafts) {
  if (drafts === 1) return { next: "the next token", count: "one token", all: "it" };
  return { next: `the next ${drafts} tokens`, count: `${drafts} tokens`, all: `all ${drafts}` };
}
