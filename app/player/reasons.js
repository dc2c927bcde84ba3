// Why a token was kept or refused, from what was recorded: pure functions of (run, round, place), no DOM.

const CANDIDATES = 6;

// p and q at the places that were recorded, likeliest first, the drafted token always among them. At temperature 0 and with
// shared noise the rule sees only zeros and ones: the probabilities at temperature 1 are shown instead, and the logits. Before the target's pass
// (`swept`) p has no say in the order, which would give the verdict away. A drafter without
// probabilities is sure of its token, q = 1, and of no other.
function candidatesOf(run, drafted, swept) {
  const top = drafted.targetTop, other = drafted.draftTop;
  if (!top || !top.tokens.length) return [];
  const column = run.manner.certain ? "probabilities" : "rule";
  const sure = !other || !other.tokens.length;
  const rows = top.tokens.map((token, i) => {
    const place = other ? other.tokens.indexOf(token) : -1;
    return {
      token, label: tokenLabel(run.bytes, token), mine: token === drafted.token,
      p: top[column][i], pLogit: top.logits[i],
      q: sure ? Number(token === drafted.token) : place < 0 ? null : other[column][place], qLogit: place < 0 ? null : other.logits[place],
    };
  });
  if (sure && !swept) return rows.filter((row) => row.mine);
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
  return { how: closing.how, token: closing.token, u: closing.u, rows, greedy: run.manner.certain };
}

// The acceptance bound, min(1, p/q) by the exact rule and min(1, p/(l·q)) by the lenient one, and what was drawn against it;
// the typical rule has none of its own.
function ruleAt(run, drafted) {
  const { rule, lenience, certain, noise } = run.manner;
  const ratio = drafted.q > 0 && rule !== "typical" ? drafted.p / (rule === "lenient" ? lenience * drafted.q : drafted.q) : null;
  return { rule, ratio, bound: ratio === null ? null : Math.min(1, ratio), u: drafted.u ?? null, greedy: certain, noise, verdict: drafted.verdict };
}

// The token that the target itself wants behind `parent`: the child that was accepted, or the round's closing token at the
// end of the accepted path; null where it did not come to that. True where every distribution is one-hot.
function choiceBehind(round, parent) {
  const stands = round.drafted.find((d) => d.parent === parent && d.verdict === "accepted");
  if (stands) return stands.token;
  const end = round.accepted.length ? round.accepted[round.accepted.length - 1] : -1;
  return parent === end && round.closing ? round.closing.token : null;
}

// Plain words for the verdict on one drafted token.
function reasonOf(run, round, place) {
  const drafted = round.drafted[place];
  if (drafted.verdict === "discarded") return "Never judged: a token before it was refused, or the text had ended.";
  if (run.replanned) return drafted.verdict === "accepted" ? "The draft would have written the same here: accepted." : "The draft would have written another token here, and it was not recorded which: refused.";
  const rule = ruleAt(run, drafted);
  if (rule.greedy) {
    const first = choiceBehind(round, drafted.parent);
    if (rule.noise) {
      if (drafted.verdict === "accepted") return "The noise decided: with it this is the target's choice too, so it is accepted. The probabilities are without it.";
      return `The noise decided: with it the target's choice is ${first === null ? "another" : quoted(run, first)}, so this is refused. The probabilities are without it.`;
    }
    if (drafted.verdict === "accepted") return "It is the target's own first choice: accepted. At temperature 0 no chance is needed.";
    return first === null
      ? "It is not the target's first choice: refused. At temperature 0 no chance is needed."
      : `The target's first choice is ${quoted(run, first)}: refused. At temperature 0 no chance is needed.`;
  }
  if (rule.rule === "typical") {
    return drafted.verdict === "accepted"
      ? "LOSSY, the typical rule: the target finds it plausible enough, p > min(0.09, 0.3·exp(−H)). No draw is made."
      : "LOSSY, the typical rule: p is not above min(0.09, 0.3·exp(−H)), so even this rule refuses it. No draw is made.";
  }
  if (rule.ratio === null || rule.u === null) return drafted.verdict === "accepted" ? "Accepted." : "Refused.";
  const lossy = rule.rule === "lenient" ? `LOSSY, the lenient rule asks only for ${run.manner.lenience} of q. ` : "";
  const elder = round.drafted.some((d, i) => i < place && d.parent === drafted.parent && d.verdict === "rejected");
  const left = elder ? "p is what its refused elder siblings have left. " : "";
  const chance = lossy + left + (rule.bound >= 1 ? "The target likes it at least as much as the draft did: always accepted." : `Accepted in ${percent(rule.bound)} of all draws.`);
  if (rule.bound >= 1) return chance;
  return `${chance} The draw was u = ${number(rule.u, 3)}, ${drafted.verdict === "accepted" ? "below it: accepted." : "not below it: refused."}`;
}

// Plain words for the closing token.
function closingReason(run, round) {
  const { closing } = round;
  if (!closing) return "The text ended with an accepted token: the target added none.";
  if (closing.how === "bonus") {
    const from = run.manner.noise ? "It is the target's choice with the noise of that place." : run.manner.certain ? "It is the target's first choice there." : `It was drawn from p${closing.u === null ? "" : ` with u = ${number(closing.u, 3)}`}.`;
    return `${round.drafted.length ? "All drafts stood, and the same pass already scores the next place." : "One pass, one token."} ${from}`;
  }
  if (run.manner.noise) return "The target's own choice with the noise of this place takes the place of the refused token.";
  if (run.manner.certain) return "The target's own first choice takes the place of the refused token.";
  if (run.manner.rule === "typical") return `Drawn from p as it is: after a refusal the typical rule (LOSSY) leaves it so${closing.u === null ? "" : `, with u = ${number(closing.u, 3)}`}.`;
  return `Drawn from what the target wants more than the draft offered${closing.u === null ? "" : `, with u = ${number(closing.u, 3)}`}.`;
}

function percent(value) {
  return value > 0 && value < 0.001 ? "under 0.1 %" : `${number(100 * value, value < 0.1 ? 1 : 0)} %`;
}
