// The drawer: p and q side by side, the rule with its draw, and what was drawn instead.

const FORMULAS = {
  exact: "accept x when u < p(x) / q(x), u uniform in [0, 1)",
  lenient: "accept x when u < p(x) / (l·q(x)), u uniform in [0, 1), lenience l",
  typical: "accept x when p(x) > min(0.09, 0.3·exp(−H(p)))",
};

class Why {
  // `close` is called when the drawer is to be shut.
  constructor(close) {
    this.node = el("section", "why");
    this.node.setAttribute("aria-label", "Why this token");
    this.node.hidden = true;
    this.title = el("h3", "why-title", "");
    this.reason = el("p", "why-reason", "");
    this.formula = el("button", "chip", "Formula");
    this.formula.type = "button";
    this.formula.addEventListener("click", () => this.toggleFormula());
    const shut = el("button", "chip", "✕");
    shut.type = "button";
    shut.setAttribute("aria-label", "Close (Escape)");
    shut.addEventListener("click", close);
    const head = el("div", "why-head");
    head.append(this.title, this.formula, shut);
    this.candidates = el("div", "candidates");
    this.rule = el("div", "rule");
    this.instead = el("div", "instead");
    const body = el("div", "why-body");
    body.append(this.candidates, this.rule, this.instead);
    this.node.append(head, this.reason, body);
    this.withFormula = false;
  }

  toggleFormula() {
    this.withFormula = !this.withFormula;
    this.formula.setAttribute("aria-pressed", String(this.withFormula));
    this.shown = null;
    this.redraw();
  }

  redraw() {
    if (this.last) this.draw(...this.last);
  }

  // `focus` is {index, place}: a drafted token's place, or "closing"; null shuts the drawer.
  draw(run, position, focus) {
    this.last = [run, position, focus];
    const round = focus && run.rounds[focus.index];
    reveal(this.node, Boolean(round));
    if (!round) {
      this.shown = null;
      return;
    }
    const closing = focus.place === "closing";
    const state = closing ? null : slotAt(round, position, focus.place);
    const drafted = closing ? null : round.drafted[focus.place];
    const key = [run.id, focus.index, focus.place, state && state.typed, state && state.told, position.swept, position.landed, Boolean(drafted && drafted.targetTop), run.over].join();
    if (key === this.shown) return;
    this.shown = key;
    if (closing) this.drawClosing(run, round, position.landed, focus.index);
    else this.drawDrafted(run, round, drafted, { ...state, swept: position.swept, landed: position.landed }, focus);
  }

  drawDrafted(run, round, drafted, state, focus) {
    const verdict = state.told ? drafted.verdict : "";
    this.head(run, drafted.token, verdict, `${run.manner.kind === "ngram" ? "copied" : "drafted"} in round ${focus.index + 1}, ${run.branching ? "depth" : "place"} ${(run.branching ? layoutOf(round.drafted).places[focus.place].depth : focus.place) + 1}`);
    setText(this.reason, !state.swept ? run.manner.kind === "ngram" ? "It was copied from the text before; the target has not looked at it yet." : "The draft has written it; the target has not looked at it yet." : !state.told ? "The target has scored it; the verdict comes next." : reasonOf(run, round, focus.place));
    this.drawCandidates(run, candidatesOf(run, drafted, state.swept), state.swept);
    this.drawRule(state.told ? ruleAt(run, drafted) : null);
    const refusedHere = state.told && drafted.verdict === "rejected" && state.landed && round.closing && round.closing.how === "corrected";
    this.drawInstead(run, refusedHere ? closingOf(run, round) : null);
  }

  drawClosing(run, round, landed, index) {
    if (!landed || !round.closing) {
      this.head(run, null, "", `round ${index + 1}`);
      setText(this.reason, round.closing ? "The target's own token comes at the end of the round." : closingReason(run, round));
      for (const part of [this.candidates, this.rule, this.instead]) part.replaceChildren();
      return;
    }
    this.head(run, round.closing.token, round.closing.how, `the target's own token, round ${index + 1}`);
    setText(this.reason, closingReason(run, round));
    const wall = round.drafted[wallOf(round)];
    if (wall) this.drawCandidates(run, candidatesOf(run, wall, true), true);
    else this.candidates.replaceChildren();
    this.rule.replaceChildren();
    this.drawInstead(run, closingOf(run, round));
  }

  head(run, token, verdict, where) {
    const look = this.looks[verdict];
    const parts = token === null ? [] : [el("span", "why-token", tokenLabel(run.bytes, token).text)];
    if (look) parts.push(el("span", `badge ${verdict}`, `${look.mark} ${look.word}`));
    parts.push(el("span", "why-where", where));
    this.title.replaceChildren(...parts);
  }

  // A row for each candidate: q to the left, p to the right, longer is likelier.
  drawCandidates(run, rows, swept) {
    if (!rows.length) {
      this.candidates.replaceChildren(el("p", "why-empty", run.over ? "No alternatives were recorded here." : "The alternatives come with the whole recording, when the run is over."));
      return;
    }
    const head = el("div", "candidate head");
    head.append(
      el("span", "side q", run.manner.kind === "ngram" ? "copy: q" : "draft: logit, q"),
      el("span", "name", run.manner.certain ? "at temperature 1" : "in the rule"),
      el("span", "side p", "target: p, logit"),
    );
    this.candidates.replaceChildren(head, ...rows.map((row) => this.candidate(row, swept)));
  }

  candidate(row, swept) {
    const node = el("div", `candidate${row.mine ? " mine" : ""}`);
    node.append(
      this.bar("q", row.q, row.qLogit),
      el("span", `name${row.label.raw ? " raw" : ""}`, `${row.label.text}`),
      this.bar("p", swept ? row.p : null, swept ? row.pLogit : null),
    );
    return node;
  }

  bar(kind, value, logit) {
    const node = el("span", `side ${kind}`);
    const fill = el("span", "fill");
    fill.style.setProperty("--share", value === null ? 0 : value);
    node.append(el("span", "logit", number(logit ?? NaN, 1)), el("span", "value", value === null ? "–" : number(value, 3)), fill);
    return node;
  }

  // The bound as a stretch of a line from 0 to 1, the draw as a needle on it.
  drawRule(rule) {
    if (!rule || rule.verdict === "discarded") {
      this.rule.replaceChildren(...(rule && this.withFormula ? [el("p", "formula", `${FORMULAS[rule.rule]}: not asked of this one`)] : []));
      return;
    }
    const nodes = [el("h4", "", rule.rule === "exact" ? "The rule" : `The ${rule.rule} rule: LOSSY`)];
    if (rule.bound !== null) {
      const gauge = el("div", "gauge");
      gauge.setAttribute("role", "img");
      gauge.setAttribute("aria-label", `accepted below ${number(rule.bound, 3)}${rule.u === null ? "" : `, drawn ${number(rule.u, 3)}`}`);
      const zone = el("span", "zone");
      zone.style.setProperty("--bound", rule.bound);
      gauge.append(zone);
      if (rule.u !== null) {
        const needle = el("span", `needle ${rule.verdict}`);
        needle.style.setProperty("--at", rule.u);
        gauge.append(needle);
      }
      const ends = el("div", "ends");
      ends.append(el("span", "", "0"), el("span", "", "1"));
      nodes.push(gauge, ends, el("p", "rule-words", rule.greedy ? `${rule.noise ? "with the noise p" : "p"} is ${number(rule.bound, 0)} here, so no draw is needed` : `min(1, ${rule.rule === "lenient" ? "p/(l·q)" : "p/q"}) = ${number(rule.bound, 3)}${rule.u === null ? "" : `, u = ${number(rule.u, 3)}`}`));
    }
    if (this.withFormula || rule.rule === "typical") nodes.push(el("p", "formula", FORMULAS[rule.rule]));
    this.rule.replaceChildren(...nodes);
  }

  drawInstead(run, closing) {
    if (!closing) {
      this.instead.replaceChildren();
      return;
    }
    const residual = closing.how === "corrected";
    const nodes = [el("h4", "", residual ? "Drawn instead" : "Drawn from p")];
    if (this.withFormula) nodes.push(el("p", "formula", !residual ? "from p, after a whole draft" : run.manner.rule === "typical" ? "from p, which this rule leaves as it is" : "from max(0, p − q), scaled to sum to 1"));
    for (const row of closing.rows) {
      const node = el("div", `share${row.mine ? ` mine ${closing.how}` : ""}`);
      node.title = `target: ${number(row.atOne, 3)} at temperature 1, logit ${number(row.logit, 2)}`;
      const fill = el("span", "fill");
      fill.style.setProperty("--share", row.share);
      node.append(el("span", `name${row.label.raw ? " raw" : ""}`, row.label.text), fill, el("span", "value", number(row.share, 3)));
      nodes.push(node);
    }
    if (!closing.rows.length) nodes.push(el("p", "why-empty", run.over ? "No alternatives were recorded here." : "Its alternatives come with the whole recording."));
    this.instead.replaceChildren(...nodes);
  }
}
