// The same text with another draft length: a pure function of where the draft would have agreed. Holds where the text does
// not depend on the draft: a chain at temperature 0, or with shared noise. Rounds are exact; times are priced.

const REPLANNED = "replanned: rounds exact, times priced from measured c and v";

// Rounds of a run with draft length k over a text of as many tokens as there are `matches`; matches[i] says whether the
// draft, given the true text before place i, would have written the token there. A text shorter than the `limit` ended by itself:
// drafts go past its end, and the round that accepts its last token has no closing one.
function replan(matches, k, limit = matches.length) {
  const rounds = [];
  for (let start = 0; start < matches.length; ) {
    const drafted = Math.min(k, limit - start - 1);
    let accepted = 0;
    while (accepted < drafted && start + accepted < matches.length && matches[start + accepted]) accepted += 1;
    const closed = start + accepted < matches.length;
    rounds.push({ start, drafted, accepted, closed });
    start += accepted + (closed ? 1 : 0);
  }
  return rounds;
}

// Seconds of drafting and of the target's pass over so many drafts: n·c and v[n] of the target's pass over one token.
function priceOf(drafted, { c, v, pass_s: pass }) {
  return { draft: drafted * c * pass, verify: (v.length ? v[Math.min(drafted, v.length - 1)] : 1) * pass };
}

// Whether a run can be replanned, and was prepared for it.
function canReplan(run) {
  const { replan: known, manner } = run;
  return Boolean(known) && run.finished && run.stop !== "cancelled" && !run.branching && manner.kind !== "tree" && manner.certain && !manner.lossy
    && known.matches.length === idsOf(run).length;
}

// The run as it would have gone with draft length k. What the draft would have written instead of the text is not known.
function replanned(run, k) {
  const ids = idsOf(run), { matches, v, pass_s: pass } = run.replan;
  let clock = 0;
  const rounds = replan(matches, k, run.limit).map(({ start, drafted, accepted, closed }) => {
    const { draft, verify } = priceOf(drafted, run.replan);
    const began = clock;
    clock += draft + verify;
    const refused = closed && accepted < drafted;
    return {
      start, began, draft, verify, ended: clock, source: null,
      accepted: Array.from({ length: accepted }, (_, i) => i),
      drafted: Array.from({ length: drafted }, (_, i) => ({
        token: i < accepted ? ids[start + i] : null, parent: i - 1, q: null, p: null, u: null,
        verdict: i < accepted ? "accepted" : refused && i === accepted ? "rejected" : "discarded",
      })),
      closing: closed ? { token: ids[start + accepted], how: refused ? "corrected" : "bonus", u: null } : null,
    };
  });
  const one = (v.length ? v[0] : 1) * pass;
  return {
    ...run, id: `${run.id} k=${k}`, k, replanned: true, rounds, totals: totalsOf(rounds), speedups: [],
    plainEnds: ids.map((_, i) => (i + 1) * one), plainTokens: ids, plainDone: true,
  };
}
