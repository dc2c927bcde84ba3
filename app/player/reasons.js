// Why a token was kept or refused, from what was recorded: pure functions of (run, round, place), no DOM.

const CANDIDATES = 6;

// p and q at the places that were recorded, likeliest first, the drafted token always among them. At temperature 0 the
// rule sees only zeros and ones: the probabilities at temperature 1 are shown instead, and the logits. Before the target's pass
// (`swept`) p has no say in the order, which would give the verdict away.
function candidatesOf(run, drafted, swept) {
  const top = drafted.targetTop, other = drafted.draftTop;
  if (!top || !top.tokens.length) return [];
  const column = run.temperature === 0 ? "probabilities" : "rule";
  const rows = top.tokens.map((token, i) => {
    const place = other ? other.tokens.indexOf(token) : -1;
    return {
      token, label: tokenLabel(run.bytes, token), mine: token === drafted.token,
      p: top[column][i], pLogit: top.logits[i],
      q: place < 0 ? null : other[column][place], qLogit: place < 0 ? null : other.logits[place],
    };
  });
  const weight = (row) => Math.max(swept ? row.p : 0, row.q || 0);
  rows.sort((a, b) => weight(b) - weight(a) || (swept ? b.pLogit - a.pLogit : b.qLogit - a.qLogit));
  const kept = rows.slice(0, CANDIDATES);
  const mine = rows.find((row) => row.mine);
  if (mine && !kept.includes(mine)) kept[kept.length - 1] = mine;
  return kept;
}

// What the closing token was drawn from: the residual after a rejection, p itself after a whole draft.
function closingOf(run, round) {
  const { closing } = round;
  if (!closing) return null;
  const top = closing.top;
  const rows = (top ? top.tokens : [])
    .map((token, i) => ({ token, label: tokenLabel(run.bytes, token), share: top.rule[i], mine: token === closing.token, atOne: top.probabilities[i], logit: top.logits[i] }))
    .filter((row) => row.share > 0 || row.mine)
    .sort((a, b) => b.share - a.share)
    .slice(0, CANDIDATES);
  return { how: closing.how, token: closing.token, u: closing.u, rows, greedy: run.temperature === 0 };
}

// The acceptance bound min(1, p/q) and what was drawn against it.
function ruleAt(run, drafted) {
  const ratio = drafted.q > 0 ? drafted.p / drafted.q : null;
  return { ratio, bound: ratio === null ? null : Math.min(1, ratio), u: drafted.u ?? null, greedy: run.temperature === 0, verdict: drafted.verdict };
}

// Plain words for the verdict on one drafted token.
function reasonOf(run, round, place) {
  const drafted = round.drafted[place];
  if (drafted.verdict === "discarded") return "Never judged: a token before it was refused, or the text had ended.";
  const rule = ruleAt(run, drafted);
  if (rule.greedy) {
    const top = drafted.targetTop;
    const first = top && top.tokens.length ? top.tokens[top.rule.indexOf(Math.max(...top.rule))] : null;
    if (drafted.verdict === "accepted") return "It is the target's own first choice: accepted. At temperature 0 no chance is needed.";
    return first === null
      ? "It is not the target's first choice: refused. At temperature 0 no chance is needed."
      : `The target's first choice is ${quoted(run, first)}: refused. At temperature 0 no chance is needed.`;
  }
  if (rule.ratio === null || rule.u === null) return drafted.verdict === "accepted" ? "Accepted." : "Refused.";
  const chance = rule.bound >= 1 ? "The target likes it at least as much as the draft did: always accepted." : `Accepted in ${percent(rule.bound)} of all draws.`;
  if (rule.bound >= 1) return chance;
  return `${chance} The draw was u = ${number(rule.u, 3)}, ${drafted.verdict === "accepted" ? "below it: accepted." : "not below it: refused."}`;
}

// Plain words for the closing token.
function closingReason(run, round) {
  const { closing } = round;
  if (!closing) return "The text ended with an accepted token: the target added none.";
  if (closing.how === "bonus") {
    const from = run.temperature === 0 ? "It is the target's first choice there." : `It was drawn from p${closing.u === null ? "" : ` with u = ${number(closing.u, 3)}`}.`;
    return `${round.drafted.length ? "All drafts stood, and the same pass already scores the next place." : "One pass, one token."} ${from}`;
  }
  if (run.temperature === 0) return "The target's own first choice takes the place of the refused token.";
  return `Drawn from what the target wants more than the draft offered${closing.u === null ? "" : `, with u = ${number(closing.u, 3)}`}.`;
}

function percent(value) {
  return value > 0 && value < 0.001 ? "under 0.1 %" : `${number(100 * value, value < 0.1 ? 1 : 0)} %`;
}
