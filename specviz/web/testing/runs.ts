/// <reference types="vite/client" />
// What the tests share: runs made by hand, of a letter for each drafted token, recorded ones, and what Python gives.

import { expect } from "vitest";
import type {
  Json,
  Live,
  PlayerContext,
  Recording,
  Round,
  Settings,
  TokenTable,
  Trace,
  Verdict,
  View,
} from "../shared/json_types.ts";
import { readRun } from "../shared/read_recording.ts";
import { idsIn } from "../shared/round.ts";

/** What Python computes and says of the same runs: `tests/web/cases.py` writes the file, a test there keeps it current. */
export const CASES: Json = Object.values(
  import.meta.glob("./python_cases.json", { eager: true, import: "default" }),
)[0];
export const GIVEN: PlayerContext = CASES.given;

const files = import.meta.glob<Recording>("/assets/traces/*.json", { eager: true, import: "default" });
/** The recordings that come with the project, by name: the speculative run and its plain one. */
export const RECORDED = Object.fromEntries(
  Object.entries(files).map(([path, { traces }]) => [/([\w-]+)\.json$/.exec(path)?.[1], traces]),
) as Record<string, [Trace, Trace]>;

/** Seconds of the parts of a round, of all of it, and of a plain round. */
export const [DRAFT_S, VERIFY_S, REST_S, ROUND_S, PLAIN_S] = [0.002, 0.005, 0.001, 0.008, 0.006];
export const MIXED = ["aaa", "ard", "rdd", "aa"];
/** Four rounds that write 4, 2, 1 and 1 tokens. */
export const EIGHT = ["aaa", "ard", "rdd", ""];
/** The parents of four drafted tokens of a tree. */
export const TREE = [-1, 0, 0, -1];
const VERDICTS: Record<string, Verdict> = { a: "accepted", r: "rejected", d: "discarded" };

/** A round of drafts that were a(ccepted), r(ejected) or d(iscarded), closed by the target's own token 9. */
function roundOf(start: number, letters: string, index: number, { parents, temperature }: RunOptions): Round {
  const verdicts = [...letters].map((letter) => VERDICTS[letter]);
  const drafted = verdicts.map((verdict, i) => ({
    token: i + 1,
    parent: parents?.[i] ?? i - 1,
    draft_prob: 0.5,
    target_prob: verdict === "accepted" ? 0.45 : 0.1,
    draw: verdict === "discarded" || !temperature ? null : verdict === "accepted" ? 0.3 : 0.7,
    verdict,
    draft_top: { tokens: [i + 1, 9], logits: [2, 1], probabilities: [0.6, 0.2], rule: [0.5, 0.2] },
    target_top: { tokens: [9, i + 1], logits: [3, 1.5], probabilities: [0.7, 0.1], rule: [0.8, 0.1] },
  }));
  const accepted = verdicts.flatMap((verdict, i) => (verdict === "accepted" ? [i] : []));
  const corrected = drafted.some(({ verdict, parent }) => verdict === "rejected" && parent === (accepted.at(-1) ?? -1));
  const top = { tokens: [9, 8], logits: [3, 1], probabilities: [0.7, 0.1], rule: [0.9, 0.1] };
  const draw = temperature ? 0.25 : null;
  const times = { began_s: index * ROUND_S, draft_s: DRAFT_S, verify_s: VERIFY_S, ended_s: (index + 1) * ROUND_S };
  const closing = { token: 9, how: corrected ? "corrected" : "bonus", draw, residual_top: top } as const;
  return { start, drafted, accepted, closing, ...times };
}

type RunOptions = Partial<Settings> & {
  parents?: number[];
  texts?: Record<number, string | number[]>;
  label?: string;
  layers?: number[];
  taps?: number[];
  of?: number;
  source?: number;
};

/**
 * A run of such rounds.
 * @param made settings; `texts`, the text or the bytes of some ids; `label`, `layers` and `taps` of the drafter's card, `of`, how many layers the
 *   target has; `source`, where every draft was copied from
 */
export function traceOf(letters: string[], made: RunOptions = {}): Trace {
  const { parents, texts = {}, label = "draft model", layers, taps, of = 2, source, ...settings } = made;
  const drafter = { name: settings.drafter ?? "model", label, layers, taps };
  let start = 0;
  const rounds = letters.map((verdicts, index) => {
    const round = roundOf(start, verdicts, index, made);
    start += round.accepted.length + 1;
    if (source === undefined || !verdicts) return round;
    return {
      ...round,
      source,
      drafted: round.drafted.map((token) => ({ ...token, draft_prob: 1, draft_top: NO_TOP })),
    };
  });
  const longest = Math.max(0, ...letters.map(({ length }) => length));
  const words = Array.from({ length: Math.max(10, longest + 2) }, (_, i) => ` w${i}`);
  return {
    card: { target: { layers: of }, draft: { layers: 1 }, drafter, device: "cpu", dtype: "float32", notes: [] },
    prompt: "Say",
    prompt_ids: [0],
    settings: { ...SETTINGS, k: Math.min(16, Math.max(1, longest)), ...settings },
    prefill: { target_s: 0.01, draft_s: 0.002 },
    rounds,
    stop: "length",
    tokens: tableOf(Object.assign([], words, texts)),
  };
}

const SETTINGS = { temperature: 0, max_new_tokens: 64, policy: "fixed" };
const NO_TOP = { tokens: [], logits: [], probabilities: [], rule: [] };

/** A table of tokens by their index. */
export function tableOf(texts: (string | number[])[], isMark: (text: string) => boolean = () => false): TokenTable {
  const bytes = (text: string | number[]) => (typeof text === "string" ? new TextEncoder().encode(text) : text);
  const entry = (text: string | number[]) => ({
    data: btoa(String.fromCharCode(...bytes(text))),
    special: typeof text === "string" && isMark(text),
  });
  return Object.fromEntries(texts.map((text, i) => [i, entry(text)]));
}

/** A round without drafts. */
export function plainRound(start: number, token: number, began_s: number, ended_s: number): Round {
  const closing = { token, how: "bonus", draw: null } as const;
  const times = { began_s, draft_s: 0, verify_s: ended_s - began_s - 0.0005, ended_s };
  return { start, drafted: [], accepted: [], closing, ...times };
}

/** The plain run that writes the same. */
export function plainOf(trace: Trace): Trace {
  const rounds = trace.rounds.flatMap(idsIn).map((token, i) => plainRound(i, token, i * PLAIN_S, (i + 1) * PLAIN_S));
  return { ...trace, card: { ...trace.card, draft: null, drafter: { name: "none", label: "none" } }, rounds };
}

/** The same plain run on a machine that something else slowed down. */
export function slowed(plain: Trace, factor: number): Trace {
  const later = ({ began_s, ended_s }: Round) => ({ began_s: factor * began_s, ended_s: factor * ended_s });
  const rounds = plain.rounds.map((round) => ({ ...round, ...later(round) }));
  return { ...plain, rounds };
}

/** A finished run as the page hands it to the player. */
export function viewOf(traces: Trace[], more: Partial<View> = {}): View {
  return { id: "lab", status: "done", recording: { traces }, ...more };
}

/** A finished run as the stage reads it. */
export function runOf(traces: Trace[], more: Partial<View> = {}) {
  return readRun(viewOf(traces, more), GIVEN);
}

/** A run with the plain one that writes the same. */
export function comparedRun(trace: Trace, more: Partial<View> = {}) {
  return runOf([trace, plainOf(trace)], more);
}

/** A run that goes on, when so many plain rounds have come. */
export function liveOf(trace: Trace, { plain = 0, ended = {} }: { plain?: number; ended?: Live["ended"] } = {}): Live {
  const plain_rounds = plainOf(trace).rounds.slice(0, plain);
  return { ...trace, prefill: { target_s: 0.01, draft_s: 0 }, plain_rounds, ended };
}

/** A live run that is read: plain rounds that ended at these seconds, and the rate measured at load. */
export function liveRun(letters: string[], ends: number[] = [], rate: number | null = null) {
  const plain_rounds = ends.map((end, i) => plainRound(i, 9, [0, ...ends][i], end));
  const live = letters.length ? { ...liveOf(traceOf(letters)), plain_rounds } : null;
  return readRun({ id: "x", status: "done", plain_rate: rate, live }, GIVEN);
}

/** Every number of a list, or of lists in it, is near the expected one. */
export function expectNear(actual: unknown, expected: unknown, digits = 9) {
  if (!Array.isArray(expected)) return expect(actual).toBeCloseTo(expected as number, digits);
  expect(actual).toHaveLength(expected.length);
  expected.forEach((value, i) => void expectNear((actual as unknown[])[i], value, digits));
}

/** Each test draws its own numbers, the same every time. */
export { seeded } from "../lessons/rule/sampling.ts";
