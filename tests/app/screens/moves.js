// Remembers where each control of the page was when it could first be pressed, and how far it has moved since; and the shifts of the layout.
(() => {
  const CONTROLS = `button, a[href], input:not([type=hidden]), textarea, summary, select, [role=button], [role=radio], [role=tab], [role=slider]`;
  const places = new Map();
  window.moves = [];
  window.shifts = [];
  const within = (root) =>
    [...root.querySelectorAll("*")].flatMap((part) => [part, ...(part.shadowRoot ? within(part.shadowRoot) : [])]);
  const nameOf = (control) => {
    const keyed = control.closest("[class*='st-key-']");
    const key = [...(keyed?.classList ?? [])].find((name) => name.startsWith("st-key-")) ?? "";
    const words = control.getAttribute("aria-label") ?? control.textContent ?? "";
    return `${key} ${control.localName} ${words.trim().replace(/\s+/g, " ").slice(0, 40)}`;
  };
  const look = () => {
    const counts = new Map();
    for (const control of within(document).filter((part) => part.matches(CONTROLS))) {
      const { x, y, width, height } = control.getBoundingClientRect();
      if (!width || !height || control.disabled) continue;
      if (!control.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const same = counts.get(nameOf(control)) ?? 0;
      counts.set(nameOf(control), same + 1);
      const name = `${nameOf(control)} ${same}`;
      const at = { x: x + scrollX, y: y + scrollY };
      const first = places.get(name);
      if (!first) places.set(name, at);
      else if (Math.abs(first.x - at.x) > 2 || Math.abs(first.y - at.y) > 2) {
        window.moves.push(
          `${name}: (${first.x}, ${first.y}) to (${at.x}, ${at.y}) after ${Math.round(performance.now())} ms`,
        );
        places.set(name, at);
      }
    }
    window.controls = places.size;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources, startTime } of list.getEntries()) {
      if (hadRecentInput || !window.controls) continue;
      const parts = sources.map(({ node, previousRect: a, currentRect: b }) => {
        const part = node instanceof Element ? node : node?.parentElement;
        return `${part ? nameOf(part) : "?"}: (${a.x}, ${a.y}, ${a.width} x ${a.height}) to (${b.x}, ${b.y}, ${b.width} x ${b.height})`;
      });
      window.shifts.push({ value, parts: [`after ${Math.round(startTime)} ms`, ...parts] });
    }
  }).observe({ type: "layout-shift", buffered: true });
})();
