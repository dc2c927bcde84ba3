// A film of what plays on the page: an animated WebP, made in the browser from the part's own markup, one picture after the other.
// Source of the container: developers.google.com/speed/webp/docs/riff_container.

import { button, el, setText } from "./dom.ts";
import type { Frames } from "./frames.ts";
import { word } from "./words.ts";

const STEP_S = 0.08; // between two pictures
const LAST_MS = 2500; // the end is shown for so long
const LONGEST_S = 60;
const WIDTH = 960; // pixels
const QUALITY = 0.6;
const KIND = "image/webp";

/** What no XML may hold. */
const NOT_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** A picture as a WebP file, and the milliseconds that it stays. */
export type Picture = { bytes: Uint8Array; lasts: number };

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
  let before = "";
  for (let passed = 0, more = true; more && passed < LONGEST_S; passed += STEP_S) {
    if (stops(passed)) return null;
    more = frames.draw(passed ? STEP_S : 0);
    const markup = camera.markup();
    if (markup !== before) pictures.push({ bytes: await camera.picture(markup), lasts: 0 });
    before = markup;
    pictures[pictures.length - 1].lasts += STEP_S * 1000;
  }
  pictures[pictures.length - 1].lasts += LAST_MS;
  return animated(pictures, camera.canvas);
}

/** Makes pictures of a part of the page as it is styled now. */
class Camera {
  root: HTMLElement;
  canvas = el("canvas");
  sheet: string;
  ground: string;

  constructor(root: HTMLElement, text: string) {
    const style = getComputedStyle(root.parentElement ?? (root.getRootNode() as ShadowRoot).host);
    const given = [...new Set(text.match(/--[\w-]+/g))].map((name) => [name, style.getPropertyValue(name)]);
    const variables = given.filter(([, value]) => value).map(([name, value]) => `${name}: ${value};`);
    this.root = root;
    this.ground = style.getPropertyValue("--st-background-color") || "Canvas";
    this.sheet = `${text}\n.filmed { ${variables.join(" ")} } .filmed * { transition: none !important; animation: none !important; }`;
    const { width, height } = root.getBoundingClientRect();
    const scale = Math.min(1, WIDTH / width);
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(height * scale);
  }

  /** The part as an SVG picture that needs nothing else. */
  markup() {
    const { root } = this;
    const { width, height } = root.getBoundingClientRect();
    const copy = root.cloneNode(true) as HTMLElement;
    const parts = [...root.querySelectorAll<HTMLElement>("*")];
    for (const [i, part] of [...copy.querySelectorAll<HTMLElement>("*")].entries()) {
      const { scrollTop } = parts[i];
      if (scrollTop) (part.firstElementChild as HTMLElement).style.marginTop = `${-scrollTop}px`;
      if (part instanceof HTMLInputElement) part.setAttribute("value", (parts[i] as HTMLInputElement).value);
      if (part instanceof HTMLCanvasElement) part.replaceWith(drawnCopy(parts[i] as HTMLCanvasElement));
    }
    copy.querySelector(".film-progress")?.remove();
    copy.style.width = `${width}px`;
    copy.style.height = `${height}px`;
    const page = el("div", "filmed", el("style", "", this.sheet), copy);
    page.style.background = this.ground;
    const inside = new XMLSerializer().serializeToString(page).replace(NOT_XML, "");
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><foreignObject width="100%" height="100%">${inside}</foreignObject></svg>`;
  }

  /** Raises an error where the browser makes no WebP. */
  async picture(markup: string) {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(markup)}`;
    await image.decode();
    const { canvas } = this;
    canvas.getContext("2d", { alpha: false })?.drawImage(image, 0, 0, canvas.width, canvas.height);
    // `toBlob` waits up to a second until nothing else happens
    const [head, content] = canvas.toDataURL(KIND, QUALITY).split(",");
    if (!head.includes(KIND)) throw new Error("no WebP");
    return Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
  }
}

/** The style sheets of a part of the page. */
async function sheetOf(part: HTMLElement) {
  const sheets = (part.getRootNode() as Document | ShadowRoot).querySelectorAll("link[rel=stylesheet], style");
  const texts = [...sheets].map(async (sheet) =>
    sheet instanceof HTMLLinkElement ? (await fetch(sheet.href)).text() : sheet.textContent,
  );
  return (await Promise.all(texts)).join("\n");
}

/** What a canvas shows, as a picture of its class and style. */
function drawnCopy(canvas: HTMLCanvasElement) {
  const copy = el("img", {
    class: canvas.className,
    src: canvas.toDataURL(),
    style: canvas.getAttribute("style") ?? "",
  });
  copy.style.width = `${canvas.clientWidth}px`;
  copy.style.height = `${canvas.clientHeight}px`;
  return copy;
}

/** A number in so many bytes, the lowest first. */
function little(value: number, bytes: number) {
  return Uint8Array.from({ length: bytes }, (_, i) => (value >> (8 * i)) & 255);
}

function chunk(name: string, ...parts: Uint8Array[]) {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  return joined(new TextEncoder().encode(name), little(size, 4), ...parts, new Uint8Array(size % 2));
}

function joined(...parts: Uint8Array[]) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Pictures of one size as an animated WebP that begins again at its end. A WebP file of one picture without transparency is 12 bytes and its chunk. */
export function animated(pictures: Picture[], { width, height }: { width: number; height: number }) {
  const size = [little(width - 1, 3), little(height - 1, 3)];
  const [ANIMATION, NO_BLENDING] = [2, 2];
  const frames = pictures.map(({ bytes, lasts }) =>
    chunk("ANMF", little(0, 6), ...size, little(Math.round(lasts), 3), little(NO_BLENDING, 1), bytes.subarray(12)),
  );
  const body = [chunk("VP8X", little(ANIMATION, 4), ...size), chunk("ANIM", little(0, 6)), ...frames];
  return new Blob([chunk("RIFF", new TextEncoder().encode("WEBP"), ...body)], { type: KIND });
}

function download(file: Blob, name: string) {
  const link = el("a", { href: URL.createObjectURL(file), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
