// Whoever was away for any reason has every entry once and in order. What a server sends: tests/app/server/test_updates.py.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LiveEvents } from "./live_events.ts";

/** A server with a log of numbers. What it sends ends in a mark, and after a mark of its own it sends the rest. */
class Server {
  first: number;
  numbers: number[] = [];
  sent = 0;
  connections = new Set<Source>();

  constructor(first: number) {
    this.first = first;
  }

  count(more: number) {
    for (let i = 0; i < more; i += 1) this.numbers.push(this.first + this.numbers.length);
    for (const source of this.connections) source.receive();
  }

  after(mark: string, over = false) {
    const [first, had] = mark.split(":").map(Number);
    const anew = !mark || first !== this.first;
    const from = anew ? 0 : had;
    const entries = this.numbers.slice(from);
    this.sent += entries.length;
    const add = { numbers: [from, entries] as [number, number[]] };
    const message = { anew, set: { [`from ${this.first}`]: true }, add, over };
    return { known: `${this.first}:${this.numbers.length}`, message, clock: 0 };
  }
}

/** An event source as a browser has it, at the server of now. */
class Source extends EventTarget {
  static readonly CLOSED = 2;
  readyState = 1;
  mark: string;
  onmessage: (event: { lastEventId: string; data: string }) => void = () => {};
  onerror = () => {};

  constructor(address: string) {
    super();
    this.mark = new URL(address).searchParams.get("from") ?? "";
    server.connections.add(this);
    queueMicrotask(() => this.receive());
  }

  receive(over = false) {
    if (speechless) return;
    const { known, message } = server.after(this.mark, over);
    this.mark = known;
    this.dispatchEvent(Object.assign(new Event("clock"), { data: "0" }));
    this.onmessage({ lastEventId: known, data: JSON.stringify(message) });
  }

  close() {
    server.connections.delete(this);
  }
}

let server = new Server(0);
let speechless = false;
const page = Object.assign(new EventTarget(), { hidden: false });
const show = (hidden: boolean) => {
  page.hidden = hidden;
  page.dispatchEvent(new Event("visibilitychange"));
};

beforeEach(() => {
  server = new Server(0);
  speechless = false;
  vi.useFakeTimers();
  const globals = { EventSource: Source, document: page, window: globalThis, location: { href: "http://localhost/" } };
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Somebody who follows the server, and what was shown last. */
async function follow() {
  const shown = { numbers: [] as number[], times: 0 };
  const live = new LiveEvents("/events", {
    tell: ({ logs }) => Object.assign(shown, { numbers: logs.numbers, times: shown.times + 1 }),
  });
  server.count(3);
  await vi.advanceTimersByTimeAsync(0);
  return { live, shown };
}

test("a computer that slept opens another connection; a server that counts from elsewhere makes it forget what it knew", async () => {
  const { live, shown } = await follow();
  const [dead] = server.connections;
  server.connections.clear(); // nobody has ended the connection, and nothing comes
  server.count(2);
  await vi.advanceTimersByTimeAsync(34_000);
  expect([live.source, shown.numbers]).toEqual([dead, [0, 1, 2]]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([server.connections.size, server.sent, shown.numbers]).toEqual([1, 5, [0, 1, 2, 3, 4]]);
  const [mark] = [...server.connections].map((source) => source.mark);
  server = new Server(500);
  server.count(2);
  server.connections.add(Object.assign(live.source as unknown as Source, { mark }));
  server.count(1);
  expect([shown.numbers, live.known.slots]).toEqual([[500, 501, 502], { "from 500": true }]);
});

test("a hidden page takes no connection until it is looked at, and none after the end", async () => {
  const { live, shown } = await follow();
  show(true);
  expect([live.source, server.connections.size]).toEqual([null, 0]);
  server.count(20);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(shown.numbers).toHaveLength(3);
  show(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(shown.numbers).toEqual([...Array(23).keys()]);
  for (const source of server.connections) source.receive(true);
  show(true);
  show(false);
  expect([live.ended, server.connections.size]).toEqual([true, 0]);
});

test("where events are held back the same address is polled, also after an answer was lost; a refusal is shown and ends it", async () => {
  speechless = true;
  const answers = [
    () => Promise.reject(new Error("lost")),
    (from: string) => Promise.resolve({ ok: true, json: async () => server.after(from) }),
    () => Promise.resolve({ ok: false, status: 404, text: async () => "There is no such room." }),
  ];
  vi.stubGlobal("fetch", (address: string) => answers.shift()?.(new URL(address).searchParams.get("from") ?? ""));
  const { live, shown } = await follow();
  const refused = vi.fn();
  live.refused = refused;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(shown).toEqual({ numbers: [0, 1, 2], times: 1 });
  expect(refused.mock.calls).toEqual([["There is no such room."]]);
  expect([live.ended, answers.length, server.connections.size]).toEqual([true, 0, 0]);
});
