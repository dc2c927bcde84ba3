// Where a run stands at a moment of the clock: pure functions of (run, pace, clock), no DOM, no time of its own.
// Seconds on the clock are seconds of the viewer; seconds of the engine are the recorded ones.

const PHASES = ["draft", "verify", "judge", "commit"];
const TEACHING = { draft: 0.34, verify: 0.22, judge: 0.22, commit: 0.22 };
const HAIR = 1e-6;
const PACES = {
  slow: { word: "Slow", round: 3.2 },
  lesson: { word: "Lesson", round: 1.6 },
  quick: { word: "Quick", round: 0.7 },
  real: { word: "Real time", round: null },
  hand: { word: "Key by key", round: 1.6, byHand: true },
};

// ---------------------------------------------------------------- reading what came

function readBytes(table) {
  const bytes = new Map();
  for (const [id, entry] of Object.entries(table || {})) {
    const data = Uint8Array.from(atob(entry.data), (c) => c.charCodeAt(0));
    bytes.set(Number(id), { data, special: entry.special });
  }
  return bytes;
}

function roundFromRow([start, drafted, accepted, closing, began, draft, verify, ended, source = null]) {
  return {
    start, accepted, began, draft, verify, ended, source,
    drafted: drafted.map(([token, parent, q, p, u, verdict]) => ({ token, parent, q, p, u, verdict })),
    closing: closing && { token: closing[0], how: closing[1], u: closing[2] },
  };
}

// The probability at temperature 1 of a token, where it is among the alternatives that were kept.
function atOne(top, token) {
  const place = top.tokens.indexOf(token);
  return place < 0 ? null : top.probabilities[place];
}

function roundFromRecord(r) {
  return {
    start: r.start, accepted: r.accepted, began: r.began_s, draft: r.draft_s, verify: r.verify_s, ended: r.ended_s, source: r.source ?? null,
    drafted: r.drafted.map((d) => ({
      token: d.token, parent: d.parent, q: d.draft_prob, p: d.target_prob, u: d.draw, verdict: d.verdict,
      qAtOne: atOne(d.draft_top, d.token), pAtOne: atOne(d.target_top, d.token),
      draftTop: d.draft_top, targetTop: d.target_top,
    })),
    closing: r.closing && { token: r.closing.token, how: r.closing.how, u: r.closing.draw, top: r.closing.residual_top },
  };
}

// Between the two best logits; null where fewer were kept.
function gapOf(top) {
  const [first, second] = [...top.logits].sort((a, b) => b - a);
  return second === undefined ? null : first - second;
}

// The plain run that belongs to a run, if the recording has one: nothing drafted, and the same prompt.
function plainOf(traces, main) {
  const same = (t) => t.prompt_ids.length === main.prompt_ids.length && t.prompt_ids.every((id, i) => id === main.prompt_ids[i]);
  return traces.find((t) => t !== main && t.rounds.length && t.rounds.every((r) => !r.drafted.length) && same(t));
}

const OVER = ["cancelled", "failed"]; // a run that is done has its recording

// One run, whatever form it came in: live rows, or a whole recording.
function readRun(view) {
  const base = { id: view.id, status: view.status, plainRate: view.plain_rate || null, plainEnds: [], plainDone: false, finished: false, over: OVER.includes(view.status) };
  if (view.recording) {
    const { traces } = view.recording;
    const main = traces.find((t) => t.rounds.some((r) => r.drafted.length)) || traces[0];
    const plain = plainOf(traces, main);
    const rounds = main.rounds.map(roundFromRecord);
    return {
      ...base, prompt: main.prompt, promptIds: main.prompt_ids, bytes: readBytes(main.tokens),
      rounds, totals: totalsOf(rounds), branching: rounds.some(branches), k: main.settings.k, limit: main.settings.max_new_tokens, complete: true, stop: main.stop,
      plainEnds: plain ? plain.rounds.map((r) => r.ended_s) : [], plainDone: Boolean(plain) && plain.stop !== "cancelled",
      plainTokens: plain ? plain.rounds.map((r) => r.closing.token) : [], plainGaps: plain ? plain.rounds.map((r) => gapOf(r.closing.residual_top)) : [], temperature: main.settings.temperature,
      manner: mannerOf(main.settings, main.card.drafter), replan: view.replan || null, card: main.card, prefill: main.prefill, finished: true, over: true, speedups: view.speedups || [],
    };
  }
  const live = view.live;
  if (!live) {
    const { prompt, settings } = view.asked || { prompt: "", settings: { k: 0 } };
    return { ...base, prompt, promptIds: [], bytes: new Map(), rounds: [], totals: [ZERO], branching: false, k: settings.k, manner: mannerOf(settings, ""), complete: false };
  }
  const rounds = live.rows.map(roundFromRow);
  if (live.detail && live.detail.index < rounds.length) rounds[live.detail.index] = roundFromRecord(live.detail.round);
  return {
    ...base, prompt: live.prompt, promptIds: live.prompt_ids, bytes: readBytes(live.tokens),
    rounds, totals: totalsOf(rounds), branching: rounds.some(branches), k: live.settings.k, manner: mannerOf(live.settings, live.drafter), temperature: live.settings.temperature, plainEnds: live.plain_ends,
    complete: live.plain_ends.length > 0, prefill: live.prefill,
  };
}

const ZERO = { tokens: 0, judged: 0, accepted: 0 };

// What stands after each round, the start included: one entry more than there are rounds.
function totalsOf(rounds) {
  const totals = [ZERO];
  for (const round of rounds) {
    const last = totals[totals.length - 1];
    totals.push({ tokens: last.tokens + tokensOf(round), judged: last.judged + judgedOf(round), accepted: last.accepted + round.accepted.length });
  }
  return totals;
}

// ---------------------------------------------------------------- the schedule

// Viewer's seconds of each round: unhurried at first, quickening once the idea is clear.
function schedule(run, pace) {
  const base = PACES[pace].round;
  const starts = [];
  let at = 0;
  run.rounds.forEach((round, index) => {
    starts.push(at);
    const hurry = index < 3 ? 1 : index < 6 ? 0.72 : 0.5;
    at += base === null ? Math.max(round.ended - round.began, 1e-6) : base * hurry;
  });
  return { starts, end: at, pace };
}

// The shares of a round's viewer time that its four phases take, in order.
function shares(round, pace) {
  if (PACES[pace].round !== null) {
    if (round.drafted.length) return TEACHING;
    return { draft: 0, verify: 0.5, judge: 0, commit: 0.5 };
  }
  const total = Math.max(round.ended - round.began, 1e-6);
  const rest = Math.max(0, total - round.draft - round.verify) / total;
  return { draft: round.draft / total, verify: round.verify / total, judge: rest / 2, commit: rest / 2 };
}

function roundAt(plan, clock) {
  let low = 0, high = plan.starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (plan.starts[middle] <= clock) low = middle; else high = middle - 1;
  }
  return low;
}

function tokensOf(round) {
  return round.accepted.length + (round.closing ? 1 : 0);
}

function judgedOf(round) {
  return round.drafted.filter((d) => d.verdict !== "discarded").length;
}

// The drafted tokens in the order in which they were judged; those that never were are not among them.
function judgedOrder(round) {
  return round.drafted.map((_, i) => i).filter((i) => round.drafted[i].verdict !== "discarded");
}

// What is to be seen of one drafted token: whether it stands there, whether its verdict is told.
function slotAt(round, position, place) {
  const typed = place < position.typed;
  const order = judgedOrder(round).indexOf(place);
  const told = order >= 0 ? order < position.judged : position.landed || position.judged > judgedOf(round);
  return { typed, told: typed && told };
}

// Everything that the picture needs to know at this moment of the clock.
function positionAt(run, plan, clock) {
  const count = run.rounds.length;
  if (!count) {
    return { index: -1, phase: "draft", typed: 0, sweep: 0, swept: false, judged: 0, landed: false, committed: 0, engine: 0, ended: false };
  }
  const held = Math.min(Math.max(clock, 0), plan.end);
  const index = roundAt(plan, held);
  const round = run.rounds[index];
  const length = (index + 1 < count ? plan.starts[index + 1] : plan.end) - plan.starts[index];
  const share = shares(round, plan.pace);
  let left = length > 0 ? Math.min(1, (held - plan.starts[index]) / length) : 1;
  let phase = "commit", fraction = 1;
  for (const name of PHASES) {
    if (left < share[name]) { phase = name; fraction = left / share[name]; break; }
    left -= share[name];
  }
  const past = (name) => PHASES.indexOf(phase) > PHASES.indexOf(name);
  const drafts = round.drafted.length;
  const verdicts = judgedOf(round) < drafts ? judgedOf(round) + 1 : drafts; // one step more for those behind the wall
  const rest = Math.max(0, round.ended - round.began - round.draft - round.verify);
  const engine = {
    draft: round.began + fraction * round.draft,
    verify: round.began + round.draft + fraction * round.verify,
    judge: round.began + round.draft + round.verify + 0.5 * fraction * rest,
    commit: round.ended - 0.5 * (1 - fraction) * rest,
  }[phase];
  const landed = phase === "commit";
  const joined = landed && fraction >= 0.55;
  return {
    index, phase, fraction, engine, landed, joined,
    typed: phase === "draft" ? Math.min(drafts, Math.floor(fraction * drafts + 0.5)) : drafts,
    sweep: phase === "verify" ? fraction : past("verify") ? 1 : 0,
    swept: past("verify"),
    judged: phase === "judge" ? Math.min(verdicts, Math.floor(fraction * (verdicts + 0.6) + 0.4)) : past("judge") ? verdicts : 0,
    committed: round.start + (joined ? tokensOf(round) : 0),
    ended: index === count - 1 && held >= plan.end,
  };
}

// Where the clock must stand for a phase of a round to begin.
function clockOf(run, plan, index, phase) {
  const next = index + 1 < plan.starts.length ? plan.starts[index + 1] : plan.end;
  const share = shares(run.rounds[index], plan.pace);
  let at = 0;
  for (const name of PHASES) {
    if (name === phase) break;
    at += share[name];
  }
  return plan.starts[index] + at * (next - plan.starts[index]);
}

// The end of every phase of a round that takes time, on the viewer's clock: a hair before the next one begins.
function phaseEnds(run, plan, index) {
  const share = shares(run.rounds[index], plan.pace);
  const lasting = PHASES.filter((name) => share[name] > 0);
  const begins = lasting.slice(1).map((name) => clockOf(run, plan, index, name));
  return [...begins, index + 1 < plan.starts.length ? plan.starts[index + 1] : plan.end + HAIR].map((at) => at - HAIR);
}

// Where the clock stands one phase on (by = 1) or back (by = -1): at the end of that phase.
function phaseStep(run, plan, clock, by) {
  if (!run.rounds.length) return 0;
  const index = roundAt(plan, Math.min(clock, plan.end));
  const near = [index - 1, index, index + 1].filter((i) => i >= 0 && i < run.rounds.length);
  const stops = [0, ...near.flatMap((i) => phaseEnds(run, plan, i))];
  if (by > 0) return stops.find((at) => at > clock + HAIR / 2) ?? plan.end;
  return stops.findLast((at) => at < clock - HAIR / 2) ?? 0;
}

// The nearest round after this one (by = 1) or before it (by = -1) in which a draft was rejected; -1 where there is none.
function nextRejection(run, index, by) {
  for (let i = index + by; i >= 0 && i < run.rounds.length; i += by) {
    if (run.rounds[i].drafted.some((d) => d.verdict === "rejected")) return i;
  }
  return -1;
}

// Where the viewer's clock must stand for the engine's clock to show so many seconds.
function clockAtEngine(run, plan, seconds) {
  const { rounds } = run;
  if (!rounds.length) return 0;
  let low = 0, high = rounds.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (rounds[middle].began <= seconds) low = middle; else high = middle - 1;
  }
  const round = rounds[low];
  if (low === rounds.length - 1 && seconds >= round.ended) return plan.end;
  const verifyAt = round.began + round.draft, judgeAt = verifyAt + round.verify;
  const part = (from, length) => (length > 0 ? Math.min(1, Math.max(0, (seconds - from) / length)) : 1);
  const share = shares(round, plan.pace);
  let done;
  if (seconds < verifyAt) done = share.draft * part(round.began, round.draft);
  else if (seconds < judgeAt) done = share.draft + share.verify * part(verifyAt, round.verify);
  else done = share.draft + share.verify + (share.judge + share.commit) * part(judgeAt, round.ended - judgeAt);
  const next = low + 1 < rounds.length ? plan.starts[low + 1] : plan.end;
  return plan.starts[low] + Math.min(done, 1 - 1e-9) * (next - plan.starts[low]);
}

// The same place of the run on another schedule (the pace was changed, or rounds were added).
function carryOver(run, before, after, clock) {
  if (!before.starts.length || !after.starts.length) return 0;
  const index = Math.min(roundAt(before, Math.min(clock, before.end)), after.starts.length - 1);
  const lengthOf = (plan) => (index + 1 < plan.starts.length ? plan.starts[index + 1] : plan.end) - plan.starts[index];
  const part = Math.min(1, (clock - before.starts[index]) / Math.max(lengthOf(before), 1e-9));
  return after.starts[index] + part * lengthOf(after);
}

// ---------------------------------------------------------------- trees of drafts

// Where each drafted token is drawn: depth from the root, and row; a first child stands in its parent's row, every further
// one in a row of its own. A chain has one row.
function layoutOf(drafted) {
  const children = new Map();
  drafted.forEach((d, i) => children.set(d.parent, [...(children.get(d.parent) || []), i]));
  const places = [];
  let rows = 0;
  const waiting = [...(children.get(-1) || [])].reverse().map((i) => [i, 0]);
  let row = -1, before = Infinity;
  while (waiting.length) {
    const [i, depth] = waiting.pop();
    if (depth <= before) row = rows++;
    before = depth;
    places[i] = { depth, row };
    for (const child of [...(children.get(i) || [])].reverse()) waiting.push([child, depth + 1]);
  }
  return { places, rows: Math.max(1, rows), depth: Math.max(0, ...places.map((p) => p.depth + 1)) };
}

function branches(round) {
  return round.drafted.some((d, i) => d.parent !== i - 1);
}

// ---------------------------------------------------------------- figures

function countUpTo(ends, seconds) {
  let low = 0, high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ends[middle] <= seconds + 1e-9) low = middle + 1; else high = middle;
  }
  return low;
}

// What was measured by this moment of the engine's clock.
function figuresAt(run, position) {
  if (position.index < 0) return null;
  const passes = position.index + (position.joined ? 1 : 0);
  const { tokens, judged, accepted } = run.totals[passes];
  const seconds = passes ? run.rounds[passes - 1].ended : 0;
  const plain = plainAt(run, seconds, tokens, position.ended);
  return {
    tokens, judged, accepted, seconds, ...plain, passes,
    perPass: passes ? tokens / passes : null,
    rate: seconds > 0 ? tokens / seconds : null,
  };
}

// The plain side of the comparison: how it is known, its rate, and the speedup over it.
// Live, tokens by now over plain tokens by the same engine time; once one side has come to its end, the ratio of the
// two times for as many tokens as both have.
function plainAt(run, seconds, tokens, ended) {
  const made = run.plainEnds.length;
  const last = made ? run.plainEnds[made - 1] : 0;
  const over = ended || seconds > last;
  if (made && (!over || run.plainDone || made >= tokens)) {
    const plainRate = made / last;
    const plainTokens = countUpTo(run.plainEnds, seconds);
    if (!over) return { plainIs: "measured", plainRate, plainTokens, speedup: plainTokens ? tokens / plainTokens : null };
    const common = Math.min(tokens, made);
    const end = run.rounds.find((r) => r.start + tokensOf(r) >= common);
    return { plainIs: "measured", plainRate, plainTokens, speedup: common && end ? run.plainEnds[common - 1] / end.ended : null };
  }
  const plainIs = !run.plainRate ? "none" : run.over ? "stopped" : "load";
  const plainTokens = (run.plainRate || 0) * seconds;
  return { plainIs, plainRate: run.plainRate, plainTokens, speedup: plainTokens > 0 ? tokens / plainTokens : null };
}

// The ids of the new text.
function idsOf(run) {
  return run.rounds.flatMap((r) => [...r.accepted.map((i) => r.drafted[i].token), ...(r.closing ? [r.closing.token] : [])]);
}

// Whether the text is the plain one, where both must be the same: at temperature 0 and with shared noise, by the exact rule.
// Null where it cannot be said, else the place where they part (-1: nowhere).
function partingOf(run) {
  if (!run.plainDone || !run.manner.certain || run.manner.lossy) return null;
  return idsOf(run).findIndex((id, i) => id !== run.plainTokens[i]);
}

// How many times slower than the engine the viewer sees the round at this place.
function slowdownAt(run, plan, index) {
  if (index < 0) return null;
  const next = index + 1 < plan.starts.length ? plan.starts[index + 1] : plan.end;
  const round = run.rounds[index];
  return (next - plan.starts[index]) / Math.max(round.ended - round.began, 1e-6);
}
