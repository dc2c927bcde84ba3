// The sentences of the surface of chapter 10: when speculation pays for so many guests, and for which task. Pure, no DOM.

/** @import { BatchResult, RunDot } from "../types" */
/** @import { Best, Surface } from "./surface.js" */

import { english, fixed, several, word } from "../../shared/words.js";
import { amount, timeWords } from "../common/quantities.js";
import { howWords } from "../measured/measured_text.js";
import { passAt, sampleAt, switchOff } from "./surface.js";

/** Two kinds of task: the recording that an acceptance rate is taken from, and the rate that is assumed where there is none. */
const TASKS = [
  { task: english("letters"), recording: "letter", assumed: 0.9 },
  { task: english("stories"), recording: "lighthouse", assumed: 0.5 },
];

/** @typedef {{ task: string, alpha: number, recorded: boolean }} Task */

/**
 * The tasks with their acceptance rates, from the lesson's recordings where it has them.
 * @param {RunDot[] | undefined} dots
 * @returns {Task[]}
 */
export function tasksOf(dots) {
  const runs = Array.isArray(dots) ? dots : [];
  return TASKS.map(({ task, recording, assumed }) => {
    const alpha = runs.find((dot) => dot?.name === recording)?.alpha;
    const recorded = typeof alpha === "number" && alpha >= 0 && alpha <= 1;
    return { task, alpha: recorded ? Math.round(alpha * 100) / 100 : assumed, recorded };
  });
}

/** @param {Task} task */
export function taskWords({ task, alpha, recorded }) {
  return recorded
    ? {
        text: `${word(task)}: α = ${fixed(alpha, 2)}`,
        how: word("The acceptance rate of the {task} that this lesson recorded.", { task: word(task) }),
      }
    : {
        text: word("{task}: α = {alpha}, assumed", { task: word(task), alpha: fixed(alpha, 2) }),
        how: word("An example: this lesson has no recording of {task}.", { task: word(task) }),
      };
}

/** The best draft length for a number of guests, or that there is none that pays. @param {Best | null} best */
export function payVerdict(best) {
  if (!best) return { mark: "–", figure: "", words: word("nothing to calculate with here"), state: "none" };
  const figure = `${fixed(best.speedup, 2)}×`;
  if (best.speedup >= 1)
    return { mark: "✓", figure, words: word("with draft length k = {k}", { k: best.k }), state: "faster" };
  return { mark: "✕", figure, words: word("at best, with k = {k}: switch it off", { k: best.k }), state: "slower" };
}

/**
 * How a speedup was calculated.
 * @param {BatchResult} result
 * @param {Surface} surface
 * @param {number} guests
 * @param {Best} best
 */
export function speedupHow(result, surface, guests, { k, letters }) {
  const plain = passAt(surface, guests, 1) ?? 0;
  const check = passAt(surface, guests, k + 1) ?? 0;
  const draft = sampleAt(surface.draft, guests) ?? 0;
  const times = `a plain pass ${timeWords(plain)}, a pass that checks ${timeWords(check)}, and ${k} times a draft pass ${timeWords(draft)}`;
  return howWords(
    `Calculated from measured passes for ${amount(guests, "guest")}: ${times}; α = ${fixed(letters.alpha, 2)} is assumed.`,
    result,
  );
}

/**
 * Whether the figures at this number of guests are measured, or between two measured numbers.
 * @param {Surface} surface
 * @param {number} guests
 */
export function betweenWords({ guests: measured }, guests) {
  if (measured.includes(guests)) return word("Calculated from measured passes.");
  const upper = measured.findIndex((b) => b > guests);
  return word("Calculated from measured passes; between {low} and {high} guests on a straight line.", {
    low: measured[upper - 1],
    high: measured[upper],
  });
}

/**
 * From how many guests on speculation should be switched off.
 * @param {Surface} surface
 * @param {number} alpha
 */
export function switchWords(surface, alpha) {
  const { guests } = surface;
  const { from, others, known } = switchOff(surface, alpha);
  const most = guests[guests.length - 1];
  if (!known) return word("No pass of a draft was measured, so there is no speedup to calculate.");
  if (from === guests[0]) return word("It pays for no number of guests here: leave it switched off.");
  const also = others.length ? ` ${word("It does not pay for {others} either.", { others: others.join(", ") })}` : "";
  if (from === null) {
    const except = others.length ? word(", but not for {others}", { others: others.join(", ") }) : "";
    return several(
      most,
      "It pays up to {n} guest, the most that were measured{except}.",
      "It pays up to {n} guests, the most that were measured{except}.",
      { except },
    );
  }
  const off = guests.includes(from)
    ? several(from, "Switch it off from {n} guest on.", "Switch it off from {n} guests on.")
    : several(from, "Switch it off from about {n} guest on.", "Switch it off from about {n} guests on.");
  return `${off}${also}`;
}

/** What a server should use for a task. @param {Best | null} best */
export function routeWords(best) {
  if (!best) return { text: word("– not known"), state: "none" };
  const figure = `${fixed(best.speedup, 2)}×`;
  return best.speedup >= 1
    ? { text: word("✓ use k = {k}: {figure}", { k: best.k, figure }), state: "faster" }
    : { text: word("✕ no draft: at best {figure}", { figure }), state: "slower" };
}
