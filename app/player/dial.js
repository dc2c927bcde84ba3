// The figures, each with how it was measured.

/** @import { Position, Run } from "./types" */

import { el, setText } from "./dom.js";
import { figuresAt, movingSpeedup, SETTLED_ROUNDS } from "./figures.js";
import { number } from "./labels.js";
import { REPLANNED } from "./replan.js";

const FIGURES = /** @type {const} */ ([
  ["speedup", "speedup over plain decoding"],
  ["rate", "tokens a second"],
  ["perPass", "tokens per target pass"],
  ["accepted", "accepted / judged"],
]);

const HOW = {
  rate: "New tokens over engine seconds: the engine's clock runs only while it works, never while you watch.",
  perPass: "New tokens over passes of the target model; plain decoding always has 1.",
  accepted: "Accepted drafts over drafts that were judged. Those after a rejection were never judged and do not count.",
  speedup: `For the tokens written so far, the ratio of the two times: plain decoding's over this run's. It is shown from round ${SETTLED_ROUNDS} on, since over fewer rounds one rejected draft decides it, and moves to its new value when a round ends.`,
  prompt:
    "Reading the prompt is not counted on either side; “with the prompt” counts it on both, and only speculation also pays for the draft's own reading.",
  once: "Timed once, the speculative run first: a longer run is not repeated, because others may wait for the engine.",
};

const PLAIN_SOURCES = {
  measured: "Plain decoding was measured on this prompt: the same engine, alone, right after this run.",
  load: "Plain decoding of this prompt is still being measured: until then its rate is the one measured when the pair was loaded.",
  stopped:
    "The run was stopped before plain decoding of this prompt was measured: its rate is the one measured when the pair was loaded.",
  none: "Plain decoding was not measured for this run.",
};

/** @typedef {NonNullable<ReturnType<typeof figuresAt>>} Figures */

export class Dial {
  /** @param {(how: string | null) => void} say called with how a figure was measured when it has the focus, null when it loses it. */
  constructor(say) {
    this.node = el("div", "dial");
    this.figures = Object.fromEntries(FIGURES.map(([name, title]) => [name, this.figure(name, title, say)]));
  }

  /**
   * @param {string} name
   * @param {string} title
   * @param {(how: string | null) => void} say
   */
  figure(name, title, say) {
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
    const beside = el("span", "beside", "");
    const smalls = el("div", "smalls");
    smalls.append(small, beside);
    const line = el("div", "line");
    line.append(value, smalls);
    box.append(line, el("span", "label", title));
    this.node.append(box);
    return { box, value, small, beside };
  }

  /**
   * @param {string} name
   * @param {string} value
   * @param {string} small
   * @param {string} how
   * @param {string} beside a second small line.
   */
  set(name, value, small, how, beside = "") {
    const figure = this.figures[name];
    setText(figure.value, value);
    setText(figure.small, small);
    setText(figure.beside, beside);
    if (figure.box.title !== how) figure.box.title = how;
  }

  /**
   * @param {Run} run
   * @param {Position} position
   */
  draw(run, position) {
    const f = figuresAt(run, position);
    const busy = run.timing !== null && !run.timing.trusted ? run.timing : null;
    const speedup = movingSpeedup(run, position);
    const slower = speedup !== null && speedup < 1 && !busy;
    this.figures.speedup.box.classList.toggle("busy", Boolean(busy));
    this.figures.speedup.box.classList.toggle("slower", slower);
    if (!f) {
      for (const [name] of FIGURES) this.set(name, "–", "", "");
      return;
    }
    const accepted = f.judged ? `${f.accepted} / ${f.judged}` : "–";
    const times = speedup === null ? "–" : `${number(speedup, 2)}×`;
    if (run.replanned) {
      this.set("speedup", times, `replanned, priced${slower ? ": slower" : ""}`, `${REPLANNED}, the plain run's too.`);
      this.set("rate", number(f.rate, 0), "replanned", REPLANNED);
      this.set("perPass", number(f.perPass, 2), "replanned", HOW.perPass);
      this.set("accepted", accepted, f.judged ? "replanned" : "", HOW.accepted);
      return;
    }
    if (busy) {
      const how = [busy.grounds, HOW.speedup, PLAIN_SOURCES[f.plainIs]].join(" ");
      this.set("speedup", "–", busy.why, how, busy.between || "no figure can be trusted");
    } else this.drawSpeedup(run, f, { times, slower });
    const plainRate = f.plainRate ? `plain: ${number(f.plainRate, 0)}` : "";
    const grounds = run.timing?.grounds ?? "";
    const sources = [HOW.rate, PLAIN_SOURCES[f.plainIs], grounds].filter(Boolean).join(" ");
    this.set("rate", number(f.rate, 0), plainRate, sources);
    this.set("perPass", number(f.perPass, 2), f.passes ? `${f.tokens} in ${f.passes}` : "", HOW.perPass);
    const percent = f.judged ? `${Math.round((100 * f.accepted) / f.judged)} %` : "";
    this.set("accepted", accepted, percent, HOW.accepted);
  }

  /**
   * @param {Run} run
   * @param {Figures} f
   * @param {{ times: string, slower: boolean }} shown
   */
  drawSpeedup({ finished, speedups, timed, timing, manner: { lossy } }, f, { times, slower }) {
    const once = timed === 1 && f.plainIs === "measured";
    const timings = once ? HOW.once : spread(speedups);
    const sentences = [HOW.speedup, PLAIN_SOURCES[f.plainIs], timings, timing?.grounds ?? "", HOW.prompt];
    if (lossy) sentences.push(`${lossy}: part of the speed is bought with another text.`);
    const how = sentences.filter(Boolean).join(" ");
    if (f.speedup === null) {
      const why = f.plainIs === "none" ? "no plain run" : `from round ${SETTLED_ROUNDS} on`;
      this.set("speedup", times, why, how);
      return;
    }
    const fromLoad = f.plainIs !== "measured";
    let source = slower ? "" : finished ? "measured" : "timed once so far";
    if (fromLoad) source = "plain rate from load";
    else if (speedups.length > 1) source = `median of ${speedups.length}`;
    else if (once) source = "timed once";
    const small = [lossy ? "LOSSY" : "", slower ? "slower than plain" : "", source].filter(Boolean).join(", ");
    const beside = f.withPrompt === null ? "" : `${number(f.withPrompt, 2)}× with the prompt`;
    this.set("speedup", `${fromLoad ? "≈ " : ""}${times}`, small, how, beside);
  }
}

/**
 * A short run is timed several times; the one that is shown is the median.
 * @param {number[]} speedups
 */
function spread(speedups) {
  if (speedups.length < 2) return "";
  const [low, high] = [number(Math.min(...speedups), 2), number(Math.max(...speedups), 2)];
  return `Timed ${speedups.length} times, in turn, starting with the other side each time: these are the two runs of the median pair; the speedups ranged from ${low} to ${high}.`;
}
