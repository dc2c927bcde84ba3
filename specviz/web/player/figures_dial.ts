// The figures, drawn: the headline and three smaller ones, each with how it was measured.

import { el, setText } from "../shared/dom.ts";
import { explain } from "../shared/notes.ts";
import type { Position } from "../shared/phases.ts";
import type { Run } from "../shared/run_types.ts";
import { type FigureText, headlineOf } from "./figures_dial_text.ts";

const FIGURES = ["speedup", "rate", "perPass", "accepted"] as const;

export class FiguresDial {
  node = el("div", "dial");
  figures = Object.fromEntries(FIGURES.map((name) => [name, this.figure(name)]));

  figure(name: string) {
    const box = el("div", { class: `figure ${name}`, tabindex: 0, role: "group" });
    const value = el("span", "value", "–");
    const small = el("span", "small", "");
    const beside = el("span", "beside", "");
    const label = el("span", "label", "");
    const smalls = el("div", "smalls", small, beside);
    const line = el("div", "line", value, smalls);
    box.append(line, label);
    this.node.append(box);
    return { box, value, small, beside, label, name: "" };
  }

  /** Its accessible name is the figure itself; how it was measured is its description. */
  set(which: string, { value, label, small, beside, how }: FigureText) {
    const figure = this.figures[which];
    setText(figure.value, value);
    setText(figure.label, label);
    setText(figure.small, small);
    setText(figure.beside, beside);
    explain(figure.box, how);
    figure.box.classList.toggle("unknown", value === "–");
    const name = [`${value} ${label}`, small, beside].filter(Boolean).join(", ");
    if (figure.name !== name) figure.box.setAttribute("aria-label", name);
    figure.name = name;
  }

  draw(run: Run, position: Position) {
    const headline = headlineOf(run, position);
    for (const name of FIGURES) this.set(name, headline[name]);
    this.node.dataset.mood = headline.mood;
  }
}
