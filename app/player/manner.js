// Who drafts, and by which rule, in words: from the registry's description of the drafter, the card and the settings. Pure, no DOM.

/** @import { Card, Description, DrafterCard, Given, Manner, Settings } from "./types" */

/** Counts of layers, which are known from the card alone. */
const COUNTS = /\{(used|layers|rest)\}/;

const VERIFIES = "One pass of the target model reads {all} and scores every position.";

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
    explanation: "",
    shape: "chain",
    picture: "model",
    replannable: false,
    does: "drafts the next tokens",
    checks: "checks all of them in one pass",
    drafting: `${capitalised(label)} drafts {next}.`,
    idle: "Nothing is drafted in this round.",
    verifying: VERIFIES,
  };
}

/** @param {string} text */
function capitalised(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * @param {Settings} settings
 * @param {Card | null} card null while the run has not begun.
 * @param {Pick<Given, "drafters" | "rules">} given
 * @returns {Manner}
 */
export function mannerOf(settings, card, { drafters, rules }) {
  const name = card?.drafter.name ?? settings.drafter ?? "model";
  const label = card?.drafter.label ?? name;
  const found = drafters[name] ?? unknown(name, label);
  const layers = cardLayers(card?.drafter);
  /** @type {(text: string, otherwise: string) => string} */
  const counted = (text, otherwise) => (layers ? withCounts(text, layers) : COUNTS.test(text) ? otherwise : text);
  const plainly = unknown(name, found.label);
  const rule = settings.rule ?? "exact";
  const greedy = settings.temperature === 0;
  const noise = Boolean(settings.shared_noise) && !greedy;
  return {
    name,
    picture: found.picture,
    shape: found.shape,
    replannable: found.replannable,
    layers,
    certain: greedy || noise,
    noise,
    greedy,
    rule,
    lenience: settings.lenience ?? 1,
    typical: rules.typical,
    lossy: rule === "exact" ? "" : `LOSSY: ${rule} rule${rule === "lenient" ? `, lenience ${settings.lenience}` : ""}`,
    who: capitalised(found.label),
    does: counted(found.does, found.explanation || plainly.does),
    checks: counted(found.checks, plainly.checks),
    drafting: counted(found.drafting, plainly.drafting),
    idle: counted(found.idle, plainly.idle),
    verifying: counted(found.verifying, plainly.verifying),
  };
}

/**
 * The target's layers that the drafter uses, where the card names them and the target has others too.
 * @param {DrafterCard | undefined} card
 */
function cardLayers(card) {
  const { layers, of } = card ?? {};
  if (!layers || !of) return null;
  const used = layers.filter((layer) => layer >= 0 && layer < of);
  return used.length > 0 && used.length === layers.length && used.length < of ? { used, of } : null;
}

/**
 * @param {string} text
 * @param {{ used: number[], of: number }} layers
 */
function withCounts(text, { used, of }) {
  return filled(text, { used: used.length, layers: of, rest: of - used.length });
}

/**
 * A sentence of the registry with its placeholders replaced.
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (placeholder, name) => String(values[name] ?? placeholder));
}

/**
 * What happens while a round is drafted.
 * @param {Manner} manner
 * @param {number} drafts
 */
export function draftingOf(manner, drafts) {
  return filled(drafts ? manner.drafting : manner.idle, drafted(drafts));
}

/**
 * What happens in the target's pass over the drafts.
 * @param {Manner} manner
 * @param {number} drafts
 */
export function verifyingOf(manner, drafts) {
  return drafts ? filled(manner.verifying, drafted(drafts)) : "The target model reads the last token.";
}

/** @param {number} drafts */
function drafted(drafts) {
  if (drafts === 1) return { next: "the next token", count: "one token", all: "it" };
  return { next: `the next ${drafts} tokens`, count: `${drafts} tokens`, all: `all ${drafts}` };
}
