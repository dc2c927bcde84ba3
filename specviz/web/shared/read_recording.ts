// What came from Python, read: rounds by the names of the record, live and recorded alike. Pure, no DOM.

import { drafterTextOf } from "./drafter_text.ts";
import { totalsOf } from "./figures.ts";
import type { Card, PlayerContext, Round, Settings, Source, TokenTable, Top, Trace, View } from "./json_types.ts";
import { branches, idsIn } from "./round.ts";
import type { Bytes, ByteTable, PlainTrack, Run, Track } from "./run_types.ts";

/** A run that is done has its recording; these are over without one. */
const OVER = ["cancelled", "failed"];

const NOTHING: Source = { prompt_ids: [], tokens: {}, rounds: [] };

/** What was read before: a live run is read again with every message, and most of it has not changed. */
const seen = { bytes: new WeakMap(), rounds: new WeakMap() };

function once<T extends object, R>(known: WeakMap<T, R>, given: T, read: (given: T) => R): R {
  const found = known.get(given) ?? read(given);
  known.set(given, found);
  return found;
}

export function readBytes(table: TokenTable): ByteTable {
  return new Map(Object.entries(table).map(([id, entry]) => [Number(id), once(seen.bytes, entry, bytesOf)]));
}

function bytesOf({ data, special }: TokenTable[string]): Bytes {
  return { data: Uint8Array.from(atob(data), (c) => c.charCodeAt(0)), special: Boolean(special) };
}

/**
 * The record calls every closing token without a rejection before it a bonus; where nothing was drafted it is nothing of the kind,
 * and is read as the target's own.
 */
function named(round: Round): Round {
  if (!round.closing || round.drafted.length) return round;
  return { ...round, closing: { ...round.closing, how: "own" } };
}

/** One run's rounds with their text, times and running totals; of nothing where it has not come yet. */
export function readTrack(source: Source | null): Track {
  const { prompt_ids: promptIds, tokens, rounds: recorded } = source ?? NOTHING;
  const rounds = recorded.map((round) => once(seen.rounds, round, named));
  return {
    promptIds,
    bytes: readBytes(tokens),
    rounds,
    ids: rounds.flatMap(idsIn),
    ends: rounds.map((round) => round.ended_s),
    totals: totalsOf(rounds),
    promptS: source?.prefill ? source.prefill.target_s + source.prefill.draft_s : null,
  };
}

/** The probability at temperature 1 of a token, where it is among the alternatives that were kept. */
export function atOne(top: Top | undefined, token: number | null) {
  const index = top && token !== null ? top.tokens.indexOf(token) : -1;
  return top && index >= 0 ? top.probabilities[index] : null;
}

/** The plain run that belongs to a run, if the recording has one: nothing drafted, and the same prompt. */
function plainOf(traces: Trace[], main: Trace) {
  const samePrompt = ({ prompt_ids: ids }: Trace) =>
    ids.length === main.prompt_ids.length && ids.every((id, i) => id === main.prompt_ids[i]);
  const plain = ({ rounds }: Trace) => rounds.length > 0 && rounds.every((round) => !round.drafted.length);
  return traces.find((trace) => trace !== main && plain(trace) && samePrompt(trace)) ?? null;
}

/** A run before anything has come of it. */
function begin(
  view: View,
  given: PlayerContext,
  { prompt, settings, card, source }: { prompt: string; settings: Settings; card: Card | null; source: Source | null },
): Run {
  const track = readTrack(source);
  return {
    ...track,
    id: view.id,
    status: view.status,
    prompt,
    k: settings.k,
    limit: settings.max_new_tokens ?? 0,
    policy: settings.policy ?? "fixed",
    chosen: false,
    drafterText: drafterTextOf(settings, card, given),
    plain: { ...readTrack(null), done: false },
    plainRate: view.plain_rate || null,
    branching: track.rounds.some(branches),
    complete: false,
    finished: false,
    over: OVER.includes(view.status),
    stop: null,
    card,
    prefill: null,
    speedups: [],
    timed: 0,
    timing: null,
  };
}

/** One run in whatever form it came: as a recording, live, or only asked for. */
export function readRun(view: View, given: PlayerContext): Run {
  if (view.recording) return readRecorded(view, given, view.recording.traces);
  const { live } = view;
  if (!live) {
    const { prompt, settings } = view.asked ?? { prompt: "", settings: { k: 0 } };
    return begin(view, given, { prompt, settings, card: null, source: null });
  }
  const { prompt, settings, card } = live;
  return {
    ...begin(view, given, { prompt, settings, card, source: live }),
    plain: { ...readTrack({ ...live, rounds: live.plain_rounds, prefill: null }), done: false },
    complete: Boolean(live.ended.speculative) || (live.plain_rounds.length > 0 && !live.rounds.at(-1)?.covered),
    prefill: live.prefill,
  };
}

function readRecorded(view: View, given: PlayerContext, traces: Trace[]): Run {
  const main = traces.find((trace) => trace.rounds.some((round) => round.drafted.length)) ?? traces[0];
  const { prompt, settings, card } = main;
  return {
    ...begin(view, given, { prompt, settings, card, source: main }),
    plain: readPlain(plainOf(traces, main)),
    complete: true,
    finished: true,
    over: true,
    chosen: main.plan?.left.includes("drafter") ?? false,
    stop: main.stop,
    prefill: main.prefill,
    speedups: view.speedups ?? [],
    timed: view.timed ?? 0,
    timing: view.timing ?? null,
  };
}

function readPlain(trace: Trace | null): PlainTrack {
  return { ...readTrack(trace), done: trace !== null && trace.stop !== "cancelled" };
}
