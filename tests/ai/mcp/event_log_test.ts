/** What the streams of sessions hold for clients that reconnect. */
import { assert, assertEquals } from "@std/assert";
import { EventLog, LogBudget } from "../../../ai/mcp/server/event_log.ts";
import { wireNotification } from "../../../ai/mcp/protocol/messages.ts";

const message = (size: number) => wireNotification("x".repeat(size), {});

async function numbersOf(log: EventLog): Promise<readonly string[]> {
  const numbers: string[] = [];
  const leaving = new AbortController();
  const send = (_: string, id: string): Promise<void> => Promise.resolve(void numbers.push(id));
  const reading = log.read(0, { send, signal: leaving.signal });
  for (let turn = 0; turn < 10; turn++) await undefined;
  leaving.abort();
  await reading;
  return numbers;
}

Deno.test("EventLog: a caller whose streams hold much drops its own ended ones, and no message of others", async () => {
  const all = new LogBudget(50_000);
  const [greedy, other] = [new LogBudget(5_000, all), new LogBudget(5_000, all)];
  const kept = new EventLog("kept", { budget: other });
  for (let at = 0; at < 3; at++) kept.add(message(100));
  const ended = Array.from({ length: 40 }, (_, at) => {
    const log = new EventLog(`r${at}`, { budget: greedy });
    log.end(message(2_000));
    return log;
  });
  assert(greedy.chars < 5_000, String(greedy.chars));
  assert(all.chars < 6_000, String(all.chars));
  assertEquals(await numbersOf(kept), ["kept_1", "kept_2", "kept_3"]);
  assertEquals([await numbersOf(ended[0] ?? kept), await numbersOf(ended[39] ?? kept)], [[], [
    "r39_1",
  ]]);
});

Deno.test("EventLog: where all callers hold too much, the oldest ended streams go", () => {
  const all = new LogBudget(50_000);
  for (let caller = 0; caller < 40; caller++) {
    const budget = new LogBudget(5_000, all);
    new EventLog("r1", { budget }).end(message(4_000));
  }
  assert(all.chars < 54_000, String(all.chars));
});

Deno.test("EventLog: a stream that is released while it is read leaves nothing behind", async () => {
  const budget = new LogBudget(50_000);
  const log = new EventLog("r1", { budget });
  log.end(message(1_000));
  const held = Promise.withResolvers<void>();
  const { signal } = new AbortController();
  const reading = log.read(0, { send: () => held.promise, signal });
  log.release();
  assert(budget.chars > 1_000);
  held.resolve();
  await reading;
  assertEquals(budget.chars, 0);
});
