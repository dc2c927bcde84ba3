// The height of the window that is left for the lanes.

import { isEmbedded } from "../shared/embed.ts";

const BELOW = 12;
const PAGE = '[data-testid="stMainBlockContainer"]';

/** Keep `--room`, in pixels, at the height from the top of a node to the bottom of the window, when nothing is scrolled. */
export function measureRoom(node: HTMLElement) {
  if (isEmbedded()) return; // a frame is as high as its lanes
  const root = node.getRootNode();
  const host = root instanceof ShadowRoot ? root.host : node;
  const page = host.closest(PAGE) ?? document.body;
  const measure = () => {
    if (!node.isConnected) return stop();
    const top = node.getBoundingClientRect().top + scrolledBy(page);
    const room = `${Math.max(0, Math.floor(window.innerHeight - top - BELOW))}px`;
    if (node.style.getPropertyValue("--room") !== room) node.style.setProperty("--room", room);
  };
  const observer = new ResizeObserver(measure);
  const stop = () => {
    observer.disconnect();
    removeEventListener("resize", measure);
  };
  observer.observe(page);
  for (const above of partsAbove(host, page)) observer.observe(above);
  addEventListener("resize", measure);
  measure();
}

/** What stands above a node on a page, part by part: when one of them grows, the page need not. */
function partsAbove(node: Element, page: Element) {
  const parts = [];
  for (let at = node as Element | null; at && at !== page; at = at.parentElement)
    for (let part = at.previousElementSibling; part; part = part.previousElementSibling) parts.push(part);
  return parts;
}

/** How far everything around a node has been scrolled. */
function scrolledBy(node: Element) {
  let sum = 0;
  for (let at = node as Element | null; at; at = at.parentElement) sum += at.scrollTop;
  return sum;
}
