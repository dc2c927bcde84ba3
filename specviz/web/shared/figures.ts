// What was measured by a moment of the engine's clock: tokens, acceptance, rates and the speedup, for Watch and for Race. Pure, no DOM.

import type { Round, Top } from "./json_types.ts";
import type { Position } from "./phases.ts";
import { judgedOf, tokensOf } from "./round.ts";
import type { PlainTrack, Run, Totals, Track } from "./run_types.ts";
import { word } from "./words.ts";

/** Two equal runs that nothing disturbs differ by so much; the same as `specviz.trace.metrics._CLOCK_NOISE`. */
const CLOCK_NOISE = 1.02;

/** Two moments of the engine's clock that lie closer together than this are one. */
const SAME_S = 1e-9;

/** Running totals after 0, 1, 2 ... rounds. */
export function totalsOf(rounds: Round[]): Totals[] {
  const totals = [{ tokens: 0, judged: 0, accepted: 0 }];
  for (const round of rounds) {
    const last = totals[totals.length - 1];
    totals.push({
      tokens: last.tokens + tokensOf(round),
      judged: last.judged + judgedOf(round),
      accepted: last.accepted + round.accepted.length,
    });
  }
  return totals;
}

/** How many of these ascending moments have come by so many seconds. */
export function countUpTo(ends: number[], seconds: number) {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ends[middle] <= seconds + SAME_S) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many tokens a run had at a moment of the engine's clock. */
export function tokensAt(track: Track, seconds: number) {
  return track.totals[countUpTo(track.ends, seconds)].tokens;
}

/** Seconds when a run first had so many tokens; null where it never did. */
function secondsAt(track: Track, tokens: number) {
  const index = track.totals.findIndex((total, i) => i > 0 && total.tokens >= tokens);
  return index < 0 ? null : track.ends[index - 1];
}

const NO_PROMPT = { plain: 0, own: 0 };

/**
 * The speedup over the plain run once so many rounds have ended: the seconds in which plain decoding wrote their tokens, over the
 * seconds of these rounds. Where the plain text is shorter, for as many tokens as both have. `known` is false where the plain run
 * has not been recorded far enough. Null until there is something to compare.
 * @param prompt seconds that each side took before its first round, where these count.
 */
export function speedupOver(
  plain: PlainTrack,
  track: Track,
  passes: number,
  prompt: { plain: number; own: number } = NO_PROMPT,
): { known: boolean; speedup: number | null } {
  const { tokens } = track.totals[passes];
  const made = plain.ids.length;
  if (!made || (!plain.done && made < tokens)) return { known: false, speedup: null };
  const common = Math.min(tokens, made);
  const own = common ? secondsAt(track, common) : null;
  const plainSeconds = common ? secondsAt(plain, common) : null;
  if (own === null || plainSeconds === null) return { known: true, speedup: null };
  return { known: true, speedup: (prompt.plain + plainSeconds) / (prompt.own + own) };
}

/**
 * The speedup that no undisturbed pair of runs can exceed: tokens per pass of the target, for as many tokens as both have. Plain
 * decoding writes one token per pass, and a pass over a draft takes no less time than a pass over one token.
 */
function mostPossible(plain: PlainTrack, track: Track, passes: number) {
  const common = Math.min(track.totals[passes].tokens, plain.ids.length);
  return common ? common / track.rounds.filter((round) => round.start < common).length : null;
}

/** Whether the clock's noise explains a speedup above the limit; otherwise something disturbed one of the runs. */
export function isPossible(speedup: number | null, most: number | null) {
  return speedup === null || most === null || speedup <= most * CLOCK_NOISE;
}

/** Whether the times of a run that is over can be trusted: nothing disturbed it, and its speedup can be. */
export function isTrusted({ timing, plain, ...track }: Run) {
  if (timing && !timing.trusted) return false;
  const passes = track.rounds.length;
  return isPossible(speedupOver(plain, track, passes).speedup, mostPossible(plain, track, passes));
}

/**
 * How many more tokens than plain decoding the run had after so many rounds, below 0 where it was behind; null where the plain run
 * has not been recorded that far.
 */
function tokensAhead(plain: PlainTrack, track: Track, passes: number) {
  const seconds = passes ? track.ends[passes - 1] : 0;
  const recorded = plain.done || (plain.ends.at(-1) ?? -1) >= seconds;
  if (!plain.ids.length || !recorded) return null;
  return track.totals[passes].tokens - tokensAt(plain, seconds);
}

/**
 * Which of several timed pairs is shown: the median one; of an even number the lower of the two in the middle, which no reader must
 * take for the median. The same as `specviz.trace.metrics.middle_words`.
 */
export function middleWords(pairs: number) {
  if (pairs % 2) return word("the median of {pairs} pairs", { pairs });
  return pairs === 2 ? word("the lower of 2 pairs") : word("the lower middle one of {pairs} pairs", { pairs });
}

/**
 * The same when the time to read the prompt counts on both sides, the draft's own reading included: as if both clocks had started
 * before it. Null where these times are not known.
 */
export function speedupWithPrompt(plain: PlainTrack, track: Track, passes: number) {
  if (plain.promptS === null || track.promptS === null) return null;
  return speedupOver(plain, track, passes, { plain: plain.promptS, own: track.promptS }).speedup;
}

/**
 * All figures of a run at a moment: tokens, judged and accepted drafts, passes, rates, and the comparison with plain decoding,
 * which rests on the plain run or, until that has come so far, on the rate measured when the pair was loaded (`plainIs`). They are
 * `final` at the end of a run of which nothing more will come. Null before there is a round.
 */
export function figuresAt(run: Run, position: Pick<Position, "index" | "joined">) {
  if (position.index < 0) return null;
  const passes = position.index + (position.joined ? 1 : 0);
  const { tokens, judged, accepted } = run.totals[passes];
  const seconds = passes ? run.ends[passes - 1] : 0;
  return {
    tokens,
    judged,
    accepted,
    seconds,
    passes,
    perPass: passes ? tokens / passes : null,
    rate: seconds > 0 ? tokens / seconds : null,
    ahead: tokensAhead(run.plain, run, passes),
    final: run.over && passes === run.rounds.length,
    ...plainSide(run, passes),
  };
}

function plainSide(run: Run, passes: number) {
  const { plain } = run;
  const { known, speedup } = speedupOver(plain, run, passes);
  if (known) {
    const common = Math.min(run.totals[passes].tokens, plain.ids.length);
    const seconds = common ? secondsAt(plain, common) : null;
    return {
      plainIs: "measured" as const,
      plainRate: seconds ? common / seconds : null,
      speedup,
      most: mostPossible(plain, run, passes),
      withPrompt: speedupWithPrompt(plain, run, passes),
    };
  }
  const plainTokens = passes ? (run.plainRate ?? 0) * run.ends[passes - 1] : 0;
  const plainIs: "none" | "stopped" | "load" = !run.plainRate ? "none" : run.over ? "stopped" : "load";
  const byRate = plainTokens > 0 ? run.totals[passes].tokens / plainTokens : null;
  const most = passes ? run.totals[passes].tokens / passes : null;
  return { plainIs, plainRate: run.plainRate, speedup: byRate, most, withPrompt: null };
}

/**
 * The index of the first token at which the text differs from the plain one, -1 where they are the same. Null where it is not
 * known, because the plain text is shorter, or need not be so: they must be the same at temperature 0 and with shared noise, by
 * the exact rule.
 */
export function divergenceOf(run: Run) {
  if (!run.plain.done || !run.drafterText.certain || run.drafterText.lossy) return null;
  const index = run.ids.findIndex((id, i) => id !== run.plain.ids[i]);
  return index < run.plain.ids.length ? index : null;
}

/** How far apart the two highest logits are; null where fewer were kept. */
export function gapOf(top: Top | undefined) {
  const [first, second] = (top?.logits ?? []).toSorted((a, b) => b - a);
  return second === undefined ? null : first - second;
}
