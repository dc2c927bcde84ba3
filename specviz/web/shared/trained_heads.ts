// How a trained head drafts: which states of the target it reads, in which order its guesses come, and what a guess sees. Pure, no DOM.

import type { Card, Description, Round } from "./json_types.ts";
import { percent } from "./labels.ts";
import { isCopy } from "./round.ts";
import type { DrafterText, Reads, Run } from "./run_types.ts";
import { layoutOf } from "./tree_layout.ts";
import { english, word } from "./words.ts";

/** The part of the draft phase after which the one pass of a head is done. */
const FILLED = 0.5;
/** The same where the tokens are then drawn one after the other. */
const FILLED_FIRST = 0.35;

/**
 * One kind of head. `part` is what drafts one position, `seam` the sign between two neighbours and its sentence, `sees` what a guess
 * sees: in the first slot, and in the others. `columns` says of a tree, in a word and in a sentence, what its guesses at one depth have in
 * common. `joins` says what is joined before the layer.
 */
type Kind = {
  joins?: string;
  part: string;
  order: "at once" | "one by one" | "linked";
  seam: string;
  seen: string;
  first: [string, string];
  later: [string, string];
  columns: [string, string];
};

const ALIKE: [string, string] = [
  english("same for all"),
  english("One list of candidates, the same after every guess before them."),
];

const HEAD_KINDS: Partial<Record<Description["picture"], Kind>> = {
  heads: {
    part: "head",
    order: "at once",
    seam: "",
    seen: english("No head sees what another one guesses."),
    first: ["↑", english("head")],
    later: ["↑", english("head")],
    columns: ALIKE,
  },
  "fed layer": {
    part: "step",
    order: "one by one",
    seam: "↷",
    seen: english("The guess goes back into the head."),
    first: ["↑", english("from the target")],
    later: ["↷", english("from its guess")],
    columns: [
      english("after each guess"),
      english("The head goes on from each guess, so the candidates after it are its own."),
    ],
  },
  "joined layer": {
    joins: english("The target's last state and the embedding of the token after it, each normalised, become one."),
    part: "step",
    order: "one by one",
    seam: "+",
    seen: english("It joins a state with the token after it, and its own state takes the place of the target's."),
    first: ["⊕", english("last state")],
    later: ["⊕", english("own state")],
    columns: [
      english("after each guess"),
      english("The layer goes on from each guess, so the candidates after it are its own."),
    ],
  },
  "open block": {
    part: "slot",
    order: "at once",
    seam: "↔",
    seen: english("All slots of the block see each other."),
    first: ["↔", english("sees all")],
    later: ["↔", english("sees all")],
    columns: ALIKE,
  },
  "causal block": {
    part: "slot",
    order: "at once",
    seam: "→",
    seen: english("A slot sees only the slots before it."),
    first: ["→", english("sees itself")],
    later: ["→", english("sees those before")],
    columns: ALIKE,
  },
  "linked block": {
    part: "slot",
    order: "linked",
    seam: "→",
    seen: english("The token before a slot changes the scores of the slot (Markov bias)."),
    first: ["↔", english("one pass")],
    later: ["→", english("linked")],
    columns: [
      english("after each guess"),
      english("The token before changes the scores (Markov bias), so the candidates after each guess are its own."),
    ],
  },
};

/** The kind of head that a drafter has; null where it has none. */
export function drawnHead({ picture }: Pick<DrafterText, "picture">): Kind | null {
  return HEAD_KINDS[picture] ?? null;
}

/** Whether the candidates for a position are the same after every guess before them. */
export function areAlike(drafterText: Pick<DrafterText, "picture">) {
  return drawnHead(drafterText)?.columns === ALIKE;
}

/** How many drafted tokens stand when so much of the draft phase has passed. A head that guesses at once has none, then all. */
export function typedAt(drafterText: Pick<DrafterText, "picture">, drafts: number, fraction: number) {
  const order = drawnHead(drafterText)?.order ?? "one by one";
  if (order === "at once") return fraction >= FILLED ? drafts : 0;
  const filled = order === "linked" ? FILLED_FIRST : 0;
  return Math.max(0, Math.min(drafts, Math.floor(((fraction - filled) / (1 - filled)) * drafts + 0.5)));
}

/**
 * How much of a head's one pass over its block is done, 0 to 1; null for a head without a block.
 * @param fraction of the draft phase.
 */
export function filledAt(drafterText: Pick<DrafterText, "picture">, fraction: number) {
  const kind = drawnHead(drafterText);
  if (kind?.part !== "slot") return null;
  return Math.min(1, fraction / (kind.order === "linked" ? FILLED_FIRST : FILLED));
}

/**
 * How many passes of its own the drafter made for a round, for the ticks of the time lanes: one for all slots, one for each level of a
 * head's tree, one for each token of a chain.
 */
export function passesOf(drafterText: Pick<DrafterText, "picture">, round: Round) {
  const { drafted } = round;
  const kind = drawnHead(drafterText);
  if (!kind || !drafted.length || isCopy(round)) return drafted.length;
  return kind.order === "one by one" ? layoutOf(drafted).depth : 1;
}

/**
 * What a drafted token's slot says while it is drafted: a sign and a word; null where nothing is said. Where the head estimated how
 * likely the token is to be accepted, that is said.
 */
export function wayOf(drafterText: Pick<DrafterText, "picture">, index: number, confidence?: number | null) {
  const kind = drawnHead(drafterText);
  if (!kind) return null;
  if (typeof confidence === "number") {
    return { sign: "≈", word: word("{confidence} sure", { confidence: percent(confidence) }) };
  }
  const [sign, way] = index ? kind.later : kind.first;
  return { sign, word: kind.part === "head" ? `${word(way)} ${index + 1}` : word(way) };
}

/** The boxes on top of the target's layers: one for each head or slot, a single one for a layer that is fed its own guesses. */
export function boxesOfHead({ drafterText, rounds }: Run): string[] {
  const kind = drawnHead(drafterText);
  if (!kind) return [];
  if (kind.order === "one by one") return kind.joins ? ["⊕", "↻"] : ["↻"];
  const count = Math.max(0, ...rounds.map((round) => layoutOf(round.drafted).depth));
  return Array.from({ length: count }, (_, i) => String(i + 1));
}

/** What each of these boxes does, and what it sees; nothing without a head. */
export function headWords(run: Run) {
  const kind = drawnHead(run.drafterText);
  if (!kind) return "";
  const does =
    kind.order === "one by one"
      ? [word("One trained layer."), kind.joins ? word(kind.joins) : ""]
      : boxesOfHead(run).map((_, i) => guessing(kind, i + 1));
  return [...does, word(kind.seen)].filter(Boolean).join(" ");
}

/** How many of these boxes have guessed, none where the round copies; of a layer that is fed its own guesses the number of its steps. */
export function depthTyped(round: Round | undefined, typed: number) {
  return round && !isCopy(round) ? layoutOf(round.drafted.slice(0, typed)).depth : 0;
}

/** The names of a tree's columns, and what the guesses of one have in common; none without a head. */
export function columnsOf(drafterText: Pick<DrafterText, "picture">, depth: number) {
  const kind = drawnHead(drafterText);
  if (!kind) return [];
  return Array.from({ length: depth }, (_, i) => ({
    label: `${word(PARTS[kind.part] ?? kind.part)} ${i + 1}`,
    word: i ? word(kind.columns[0]) : "",
    title: i ? word(kind.columns[1]) : "",
    alike: kind.columns === ALIKE,
  }));
}

const PARTS: Record<string, string> = { head: english("head"), step: english("step"), slot: english("slot") };

/** Which token a head or a slot guesses. */
function guessing({ part }: Kind, position: number) {
  if (part === "head") {
    return position === 1
      ? word("Head 1 guesses the token after the text.")
      : word("Head {position} guesses the token {position} positions after the text.", { position });
  }
  return position === 1
    ? word("Slot 1 guesses the token after the text.")
    : word("Slot {position} guesses the token {position} positions after the text.", { position });
}

/** After which of the target's layers a head reads the states; null where the card does not say. */
export function readsOf(card: Card | null): Reads | null {
  const of = card?.target.layers ?? 0;
  const taps = card?.drafter.taps ?? [];
  return taps.length && taps.every((tap) => tap >= 0 && tap <= of) ? { taps, of } : null;
}

/** The same in words. */
export function readsWords(reads: Reads | null) {
  if (!reads) return word("the target's states");
  const { taps, of } = reads;
  if (taps.length === 1) {
    return taps[0] === of ? word("the target's last state") : word("layer {layer} of the target", { layer: taps[0] });
  }
  return word("layers {layers} and {last} of the target", {
    layers: taps.slice(0, -1).join(", "),
    last: taps[taps.length - 1],
  });
}
