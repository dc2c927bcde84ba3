// A run that goes on, put together from what comes of it: what the player shows of it at any time is a view like that of a recording.

import type { Json, Live, Recording, Round, TokenTable, View } from "./json_types.ts";
import { AGAIN_MS, insist, LiveEvents, type LiveState } from "./live_events.ts";
import type { Component } from "./run_types.ts";

type Batch = { rounds: Round[]; tokens: TokenTable };

/** The recordings that were fetched last, by their runs. */
const fetched = new Map<string, Recording>();
const KEPT = 3;

/** The rounds of a log, joined batch by batch: what was joined before is not joined again. */
export class RoundLog {
  rounds: Round[] = [];
  tokens: TokenTable = {};
  count = 0;
  first: Batch | null = null;

  take(batches: Batch[] | undefined = []) {
    if (batches.length < this.count || (this.count && batches[0] !== this.first)) Object.assign(this, new RoundLog());
    const added = batches.slice(this.count);
    this.first = batches[0] ?? null;
    this.count = batches.length;
    if (!added.length) return;
    this.rounds = [...this.rounds, ...added.flatMap(({ rounds }) => rounds)];
    this.tokens = Object.assign({}, this.tokens, ...added.map(({ tokens }) => tokens));
  }
}

/** Reads a run for the player. */
export function readerOf() {
  const joined = { speculative: new RoundLog(), plain: new RoundLog() };
  return (view: View, live: LiveState) => viewOf(view, live, joined);
}

/** What the player shows of a run, as far as it is known. */
export function viewOf(view: View, live: LiveState, joined: { speculative: RoundLog; plain: RoundLog }): View {
  const { state, started } = live.slots;
  joined.speculative.take(live.logs.speculative);
  joined.plain.take(live.logs.plain);
  const rounds: Live | null =
    started && joined.speculative.rounds.length
      ? {
          ...started,
          tokens: { ...started.tokens, ...joined.speculative.tokens, ...joined.plain.tokens },
          rounds: joined.speculative.rounds,
          plain_rounds: joined.plain.rounds,
          ended: state?.ended ?? {},
        }
      : null;
  return { ...view, ...state, live: rounds };
}

/** What is followed on the server: where it comes from, and where its recording is once it is over. */
type Followed = { id: string; events?: string | null; recorded_at?: string };

/** `read` puts together what is known; `over` is called once nothing more will come. */
type Heard<Shown> = {
  show: (view: Shown) => void;
  over: () => void;
  read: (view: Shown, known: LiveState) => Shown;
};

export class LiveRun<Shown extends Followed> {
  view: Shown;
  heard: Heard<Shown>;
  events: LiveEvents | null;
  drawn = false;
  left = false;

  /** @param events from where it comes already */
  constructor(view: Shown, heard: Heard<Shown>, events: LiveEvents | null = null) {
    this.view = view;
    this.heard = heard;
    const acts = {
      tell: (state: LiveState) => this.hear(state),
      refused: () => this.refused(),
    };
    if (events) this.events = Object.assign(events, acts);
    else this.events = view.events ? new LiveEvents(view.events, acts) : null;
    if (!this.events) this.record();
    else this.hear(this.events.known);
  }

  hear(state: LiveState) {
    const { run } = state.slots; // where the page's last run comes from, that can be another one by now
    if (this.left || (run && run.id !== this.view.id)) return;
    if (!state.over) this.draw();
    else if (state.slots.state?.recorded) this.record();
    else {
      this.draw();
      this.heard.over();
    }
  }

  /** The server does not have this run any more: the page knows what to say. */
  refused() {
    if (this.events?.ended && !this.left) this.heard.over();
  }

  /** Show what is known with the next frame; nothing while the recording of a run that is over is still on its way. */
  draw() {
    if (this.drawn || (!this.events && !fetched.has(this.view.id))) return;
    this.drawn = true;
    requestAnimationFrame(() => {
      this.drawn = false;
      if (!this.left) this.heard.show(this.now());
    });
  }

  now() {
    const recording = fetched.get(this.view.id);
    const { events } = this;
    const view = events ? this.heard.read(this.view, events.known) : this.view;
    return recording ? { ...view, live: null, recording } : view;
  }

  /** Fetch the recording, unless it is here, and show it. Where the server is away for a moment it is asked again. */
  async record() {
    const { id, recorded_at: address = "" } = this.view;
    while (!fetched.has(id) && !this.left) {
      try {
        const answer = await fetch(address);
        if (answer.ok) fetched.set(id, await answer.json());
        else if (answer.status < 500) break; // the server does not have it any more
      } catch {
        // the connection is lost for a moment
      }
      if (!fetched.has(id)) await new Promise((done) => setTimeout(done, AGAIN_MS));
    }
    for (const old of [...fetched.keys()].slice(0, -KEPT)) fetched.delete(old);
    if (this.left) return;
    this.heard.show(this.now());
    if (this.events) this.heard.over();
  }

  /** Another run is shown here. */
  leave() {
    this.left = true;
    this.events?.end();
  }
}

/** What each place on the page follows, and how it is shown now. */
const places = new WeakMap<Element, { run: LiveRun<Json>; component: Component<Json> }>();

/**
 * Show a component's view at a place of the page; where the view is alive, all that comes of it, until another one is shown there or the place is
 * gone. The page is told once when it is over, and rerun then.
 * @returns what Streamlit calls when the component leaves the page
 */
export function follow<Shown extends Followed>(
  root: Element,
  component: Component<Shown>,
  { show, read }: { show: (component: Component<Shown>) => void; read: () => Heard<Shown>["read"] },
  events: LiveEvents | null = null,
) {
  const { data } = component;
  if (!data) return undefined;
  const { view } = data;
  const before = places.get(root);
  if (before?.run.view.id === view.id && before.run.view.events === view.events) {
    before.component = component;
    before.run.view = { ...before.run.view, ...view };
    before.run.draw();
  } else {
    before?.run.leave();
    places.delete(root);
    if (!view.events && !view.recorded_at) {
      show(component);
      return undefined;
    }
    const current = { component } as { run: LiveRun<Shown>; component: Component<Shown> };
    const isShown = () => places.get(root) === current && root.isConnected && current.run.view.events === view.events;
    places.set(root, current);
    current.run = new LiveRun(
      view,
      {
        show: (now) => show({ ...current.component, data: { ...data, ...current.component.data, view: now } }),
        over: () => insist(() => current.component.setTriggerValue?.("over", performance.now()), isShown),
        read: read(),
      },
      events,
    );
  }
  return () => {
    setTimeout(() => {
      if (root.isConnected) return;
      places.get(root)?.run.leave();
      places.delete(root);
    });
  };
}
