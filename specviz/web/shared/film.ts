// A film of what plays on the page: an animated WebP, made in the browser from the part's own markup, one picture after the other.
// Source of the container: developers.google.com/speed/webp/docs/riff_container.

import { button, el, setText } from "./dom.ts";
import type { Frames } from "./frames.ts";
import { word } from "./words.ts";

const STEP_S = 0.1; // between two pictures
const LAST_MS = 2500; // the end is shown for so long
const LONGEST_S = 60;
const WIDTH = 960; // pixels, with the margin
const MARGIN = 24; // pixels on all sides
const QUALITY = 0.6;
const KIND = "image/webp";

/** What a film does not show, since nobody can press it there: the first without their places. The bar of the stage stands under everything else. */
const [CONTROLS, IN_PLACE] = [
  ".film-progress, .help, .end-ways, .controls > :is(.button, .choice)",
  ".transport, .chips > *, .scrubber",
];
const BAR = ".transport";

/** What no XML may hold. */
const NOT_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

type Bytes = Uint8Array<ArrayBuffer>;

type Box = { x: number; y: number; width: number; height: number };

/** What differs from the picture before: a WebP file, where it is, and the milliseconds until the next one. */
export type Picture = { bytes: Bytes; box: Box; lasts: number };

/**
 * Film what a part of the page shows from now on, and save it: the part's own frames are drawn, each at its time, as fast as pictures can be
 * made. A sentence in the part says how far it is, and stops it.
 */
export async function saveFilm(frames: Frames, name: string, lengthS: number) {
  if (frames.filmed) return;
  let stopped = false;
  const said = el("span");
  const progress = el("div", { class: "film-progress", role: "status" }, said);
  progress.append(button("", word("Stop"), () => (stopped = true)));
  frames.root.append(progress);
  frames.filmed = true;
  try {
    const film = await filmed(frames, (passedS) => {
      setText(said, word("Film: {share} %", { share: Math.min(99, Math.round((100 * passedS) / lengthS)) }));
      return stopped;
    });
    if (film) download(film, `${name}.webp`);
  } catch {
    setText(said, word("This browser makes no WebP pictures: save the film with Chrome, Edge or Firefox."));
    await new Promise((done) => setTimeout(done, 6000));
  } finally {
    frames.filmed = false;
    progress.remove();
    frames.rest();
  }
}

/** Film when the page's button for it is pressed. */
export function whenFilmIsAsked(film: () => void) {
  addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest(".st-key-save-film button")) film();
  });
}

async function filmed(frames: Frames, stops: (passedS: number) => boolean) {
  const camera = new Camera(frames.root, await sheetOf(frames.root));
  const pictures: Picture[] = [];
  for (let passed = 0, more = true; more && passed < LONGEST_S; passed += STEP_S) {
    if (stops(passed)) return null;
    more = frames.draw(passed ? STEP_S : 0);
    const picture = await camera.picture();
    if (picture) pictures.push({ ...picture, lasts: 0 });
    pictures[pictures.length - 1].lasts += STEP_S * 1000;
  }
  pictures[pictures.length - 1].lasts += LAST_MS;
  return animated(pictures, camera.canvas);
}

/** Makes pictures of a part of the page as it is styled now. */
class Camera {
  root: HTMLElement;
  canvas = el("canvas");
  cutOut = el("canvas");
  before: Uint32Array | null = null;
  sheet: string;
  ground: string;
  margin: number;

  constructor(root: HTMLElement, text: string) {
    const style = getComputedStyle(root.parentElement ?? (root.getRootNode() as ShadowRoot).host);
    const given = [...new Set(text.match(/--[\w-]+/g))].map((name) => [name, style.getPropertyValue(name)]);
    const variables = given.filter(([, value]) => value).map(([name, value]) => `${name}: ${value};`);
    this.root = root;
    this.ground = style.getPropertyValue("--st-background-color") || "Canvas";
    const sheet = `${text}\n.filmed { ${variables.join(" ")} } .filmed * { transition: none !important; animation: none !important; scrollbar-width: none !important; } .filmed :is(${CONTROLS}) { display: none !important; } .filmed :is(${IN_PLACE}) { visibility: hidden !important; }`;
    const { documentElement } = document;
    const units: Record<string, number> = { vw: innerWidth / 100, vh: innerHeight / 100 };
    units.rem = Number.parseFloat(getComputedStyle(documentElement).fontSize);
    // In a picture they are those of the picture
    this.sheet = sheet.replace(/([\d.]+)(vw|vh|rem)\b/g, (_, n, unit) => `${n * units[unit]}px`);
    const { width, height } = this.size();
    const scale = Math.min(1, (WIDTH - 2 * MARGIN) / width);
    this.margin = MARGIN / scale;
    this.canvas.width = Math.round(width * scale) + 2 * MARGIN;
    this.canvas.height = Math.round(height * scale) + 2 * MARGIN;
  }

  /** Of the part, without its bar. */
  size() {
    const { width, top, bottom } = this.root.getBoundingClientRect();
    const bar = this.root.querySelector(BAR)?.getBoundingClientRect();
    return { width, height: (bar?.height ? bar.top : bottom) - top };
  }

  /** The part as an SVG picture that needs nothing else. */
  markup() {
    const { root, margin } = this;
    const { width, height } = this.size();
    const copy = root.cloneNode(true) as HTMLElement;
    const parts = [...root.querySelectorAll<HTMLElement>("*")];
    for (const [i, part] of [...copy.querySelectorAll<HTMLElement>("*")].entries()) {
      const { scrollTop } = parts[i];
      if (scrollTop) scroll(part, scrollTop);
      if (part instanceof HTMLInputElement) part.setAttribute("value", (parts[i] as HTMLInputElement).value);
      // A canvas is empty in a copy: it gets what it showed as its ground.
      if (part instanceof HTMLCanvasElement)
        part.style.background = `url(${(parts[i] as HTMLCanvasElement).toDataURL()}) 0 0 / 100% 100%`;
    }
    copy.style.width = `${width}px`;
    copy.style.height = `${root.getBoundingClientRect().height}px`;
    const page = el("div", "filmed", el("style", "", this.sheet), copy);
    page.style.background = this.ground;
    page.style.padding = `${margin}px`;
    const inside = new XMLSerializer().serializeToString(page).replace(NOT_XML, "");
    const [wide, high] = [width, height].map((side) => Math.floor(side + 2 * margin)); // part of a pixel would be dark
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}"><foreignObject width="100%" height="100%">${inside}</foreignObject></svg>`;
  }

  /** What differs from the picture before; null where nothing does. Raises an error where the browser makes no WebP. */
  async picture() {
    const { canvas, cutOut } = this;
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(this.markup())}`;
    await image.decode();
    const ground = canvas.getContext("2d", { alpha: false, willReadFrequently: true }) as CanvasRenderingContext2D;
    ground.drawImage(image, 0, 0, canvas.width, canvas.height);
    const now = new Uint32Array(ground.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
    const box = differing(now, this.before, canvas);
    this.before = now;
    if (!box) return null;
    [cutOut.width, cutOut.height] = [box.width, box.height];
    cutOut.getContext("2d", { alpha: false })?.drawImage(canvas, -box.x, -box.y);
    // `toBlob` waits up to a second until nothing else happens
    const [head, content] = cutOut.toDataURL(KIND, QUALITY).split(",");
    if (!head.includes(KIND)) throw new Error("no WebP");
    return { bytes: Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0)), box };
  }
}

/** Where two pictures differ, from even coordinates on, as the container wants them; null where they do not. */
export function differing(
  now: Uint32Array,
  before: Uint32Array | null,
  { width, height }: Pick<Box, "width" | "height">,
) {
  if (!before) return { x: 0, y: 0, width, height };
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i++) {
      if (now[i] === before[i]) continue;
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), y];
    }
  const [x, y] = [left - (left % 2), top - (top % 2)];
  return right < 0 ? null : { x, y, width: right + 1 - x, height: bottom + 1 - y };
}

/** Show what is in a copy from so many pixels on: a copy is not scrolled. */
function scroll(part: HTMLElement, pixels: number) {
  const inside = el("div", "", ...part.childNodes);
  inside.style.marginTop = `${-pixels}px`;
  part.replaceChildren(inside);
}

/** The style sheets of a part of the page. */
async function sheetOf(part: HTMLElement) {
  const sheets = (part.getRootNode() as Document | ShadowRoot).querySelectorAll("link[rel=stylesheet], style");
  const texts = [...sheets].map(async (sheet) =>
    sheet instanceof HTMLLinkElement ? (await fetch(sheet.href)).text() : sheet.textContent,
  );
  return (await Promise.all(texts)).join("\n");
}

/** A number in so many bytes, the lowest first. */
function little(value: number, bytes: number) {
  return Uint8Array.from({ length: bytes }, (_, i) => (value >> (8 * i)) & 255);
}

/** The bytes of a part of the file, in pieces. */
function chunk(name: string, ...parts: Bytes[]) {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  return [new TextEncoder().encode(name), little(size, 4), ...parts, new Uint8Array(size % 2)];
}

/** Of a WebP file of one picture the chunk with its pixels: before it others can stand, as that of its colours. */
function pixels(file: Bytes) {
  const view = new DataView(file.buffer);
  let at = 12;
  while (!new TextDecoder().decode(file.subarray(at, at + 4)).match(/^VP8[ L]$/)) {
    const size = view.getUint32(at + 4, true);
    at += 8 + size + (size % 2);
    if (at + 8 > file.length) throw new Error("no WebP");
  }
  return file.subarray(at);
}

/** An animated WebP that begins again at its end; each picture is drawn over the one before. */
export function animated(pictures: Picture[], canvas: Pick<Box, "width" | "height">) {
  const sizeOf = ({ width, height }: Pick<Box, "width" | "height">) => [little(width - 1, 3), little(height - 1, 3)];
  const [ANIMATION, NO_BLENDING] = [2, 2];
  const frames = pictures.flatMap(({ bytes, box, lasts }) => {
    const place = [little(box.x / 2, 3), little(box.y / 2, 3), ...sizeOf(box)];
    return chunk("ANMF", ...place, little(Math.round(lasts), 3), little(NO_BLENDING, 1), pixels(bytes));
  });
  const body = [...chunk("VP8X", little(ANIMATION, 4), ...sizeOf(canvas)), ...chunk("ANIM", little(0, 6)), ...frames];
  return new Blob(chunk("RIFF", new TextEncoder().encode("WEBP"), ...body), { type: KIND });
}

function download(file: Blob, name: string) {
  const link = el("a", { href: URL.createObjectURL(file), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
