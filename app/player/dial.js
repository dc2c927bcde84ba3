// The figures, each with how it was measured.

const FIGURES = {
  speedup: "speedup over plain decoding",
  rate: "tokens a second",
  perPass: "tokens per target pass",
  accepted: "accepted / judged",
};
const PLAIN_SOURCES = {
  measured: "Plain decoding was measured on this prompt: the same engine, alone, right after this run.",
  load: "Plain decoding of this prompt is still being measured: until then its rate is the one measured when the pair was loaded.",
  stopped: "The run was stopped before plain decoding of this prompt was measured: its rate is the one measured when the pair was loaded.",
  none: "Plain decoding was not measured for this run.",
};

class Dial {
  // `say` is called with how a figure was measured when it has the focus, and with null when it loses it.
  constructor(say) {
    this.node = el("div", "dial");
    this.figures = {};
    for (const [name, title] of Object.entries(FIGURES)) {
      const box = el("div", `figure ${name}`);
      box.tabIndex = 0;
      box.setAttribute("role", "group");
      box.addEventListener("focus", () => {
        if (box.matches(":focus-visible")) say(box.title);
      });
      box.addEventListener("click", () => say(box.title));
      box.addEventListener("blur", () => say(null));
      const value = el("span", "value", "–");
      const small = el("span", "small", "");
      const line = el("div", "line");
      line.append(value, small);
      box.append(line, el("span", "label", title));
      this.figures[name] = { box, value, small };
      this.node.append(box);
    }
  }

  set(name, value, small, how) {
    const figure = this.figures[name];
    setText(figure.value, value);
    setText(figure.small, small);
    if (figure.box.title !== how) figure.box.title = how;
  }

  draw(run, position) {
    const f = figuresAt(run, position);
    const slower = Boolean(f) && f.speedup !== null && f.speedup < 1;
    this.figures.speedup.box.classList.toggle("slower", slower);
    if (!f) {
      for (const name of Object.keys(FIGURES)) this.set(name, "–", "", "");
      return;
    }
    if (run.replanned) this.set("speedup", f.speedup === null ? "–" : `${number(f.speedup, 2)}×`, `replanned, priced${slower ? ": slower" : ""}`, `${REPLANNED}, the plain run's too.`);
    else this.drawSpeedup(f, slower, run.speedups || [], run.manner.lossy);
    this.set(
      "rate", number(f.rate, 0), run.replanned ? "replanned" : f.plainRate ? `plain: ${number(f.plainRate, 0)}` : "",
      run.replanned ? REPLANNED : `New tokens over engine seconds: the engine's clock runs only while it works, never while you watch. ${PLAIN_SOURCES[f.plainIs]}`,
    );
    this.set("perPass", number(f.perPass, 2), run.replanned ? "replanned" : f.passes ? `${f.tokens} in ${f.passes}` : "", "New tokens over passes of the target model; plain decoding always has 1.");
    this.set(
      "accepted", f.judged ? `${f.accepted} / ${f.judged}` : "–", f.judged ? run.replanned ? "replanned" : `${Math.round((100 * f.accepted) / f.judged)} %` : "",
      "Accepted drafts over drafts that were judged. Those behind a rejection were never judged and do not count.",
    );
  }

  // A short run is timed several times; the one that is shown is the median.
  spread(pairs) {
    if (pairs.length < 2) return "";
    return ` Timed ${pairs.length} times, in turn: these are the two runs of the median pair; the speedups went from ${number(Math.min(...pairs), 2)} to ${number(Math.max(...pairs), 2)}.`;
  }

  drawSpeedup(f, slower, pairs, lossy) {
    const how = `Tokens committed by now over tokens that plain decoding had committed by the same engine time; at the end, the ratio of the two times. ${PLAIN_SOURCES[f.plainIs]}${this.spread(pairs)} Reading the prompt is not counted on either side.${lossy ? ` ${lossy}: part of the speed is bought with another text.` : ""}`;
    if (f.speedup === null) {
      this.set("speedup", "–", "after the first round", how);
      return;
    }
    const fromLoad = f.plainIs !== "measured";
    const small = [lossy ? "LOSSY" : "", slower ? "slower than plain" : "", fromLoad ? "plain rate from load" : pairs.length > 1 ? `median of ${pairs.length}` : slower ? "" : "measured"].filter(Boolean).join(", ");
    this.set("speedup", `${fromLoad ? "≈ " : ""}${number(f.speedup, 2)}×`, small, how);
  }
}
