/** The contract of every channel store; each engine's test runs it. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  App,
  channel,
  follow,
  int,
  Off,
  provideStores,
  publish,
  struct,
  subscribe,
} from "../../../../mod.ts";
import type { ChannelEvent, Stores } from "../../../../mod.ts";

export function replica(stores: Stores): App {
  const app = new App({ logRequest: Off });
  provideStores(app, stores);
  return app;
}

const Count = struct({ n: int() });
let names = 0;

function newChannel(keep = 1_000): ReturnType<typeof channel<{ n: number }>> {
  return channel(`count:${++names}:${crypto.randomUUID()}`, Count, { keep });
}

/** Reads a number of events of a channel as text, `+n` for a message and `gap n`. */
async function take(
  events: AsyncIterable<ChannelEvent<{ n: number }>>,
  count: number,
): Promise<string[]> {
  const found: string[] = [];
  for await (const event of events) {
    found.push(event.kind === "message" ? `+${event.value.n}` : `gap ${event.missed}`);
    if (found.length === count) break;
  }
  return found;
}

export function testChannels(
  engine: string,
  use: (run: (one: App, other: App) => Promise<void>) => Promise<void>,
  options: Pick<Deno.TestDefinition, "sanitizeOps" | "sanitizeResources"> = {},
): void {
  const test = (name: string, run: (one: App, other: App) => Promise<void>): void =>
    Deno.test({ ...options, name: `channels on ${engine}: ${name}`, fn: () => use(run) });

  test("a reader on another replica gets every message once, in order", async (one, other) => {
    const counts = newChannel();
    const after = await publish(one, counts, { n: -1 });
    const read = take(subscribe(other, counts, { after }), 100);
    for (let n = 0; n < 100; n++) await publish(n % 2 === 0 ? one : other, counts, { n });
    assertEquals(await read, Array.from({ length: 100 }, (_, n) => `+${n}`));
  });

  test("a reader resumes after its last id on any replica", async (one, other) => {
    const counts = newChannel();
    const ids = [];
    for (let n = 0; n < 5; n++) ids.push(await publish(one, counts, { n }));
    assertEquals(await take(subscribe(other, counts, { after: ids[1] }), 3), ["+2", "+3", "+4"]);
    const read = take(subscribe(other, counts, { after: ids[4] }), 1);
    await publish(one, counts, { n: 5 });
    assertEquals(await read, ["+5"]);
  });

  test("concurrent messages have one order for all readers", async (one, other) => {
    const counts = newChannel();
    await publish(one, counts, { n: -1 });
    const first = await publish(one, counts, { n: -2 });
    const reads = [one, other].map((app) => take(subscribe(app, counts, { after: first }), 40));
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => publish(n % 2 === 0 ? one : other, counts, { n })),
    );
    const [a, b] = await Promise.all(reads);
    assertEquals([a, new Set(a).size], [b, 40]);
  });

  test("a reader that is too far behind learns how many messages it missed", async (one, other) => {
    const counts = newChannel(10);
    const first = await publish(one, counts, { n: 0 });
    for (let n = 1; n <= 30; n++) await publish(one, counts, { n });
    const events = await take(subscribe(other, counts, { after: first }), 11);
    assertEquals(events.slice(0, 2), ["gap 20", "+21"]);
  });

  test(
    "a stalled reader keeps few long messages and learns how many it missed",
    async (one, other) => {
      const texts = channel<string>(`long:${crypto.randomUUID()}`, undefined, { keep: 10 });
      const after = await publish(one, texts, "");
      const publishTen = async (): Promise<void> => {
        for (let n = 0; n < 10; n++) await publish(one, texts, "ü".repeat(30_000));
      };
      await publishTen();
      const reader = subscribe(other, texts, { after })[Symbol.asyncIterator]();
      const found = [(await reader.next()).value];
      await publishTen();
      while (found.length < 12) found.push((await reader.next()).value);
      await reader.return?.();
      const kinds = found.map((event) => event.kind === "gap" ? `gap ${event.missed}` : event.kind);
      assertEquals(kinds, ["message", "message", "gap 8", ...Array(9).fill("message")]);
    },
  );

  const cases = [
    ["an id of another store", "deadbeef-7"],
    ["no id at all", "'; drop table fw_channels; --"],
    ["a number that is too large", `x-${"9".repeat(400)}`],
  ] as const;
  for (const [what, after] of cases) {
    test(`${what} yields a gap, then the retained messages`, async (one) => {
      const counts = newChannel();
      await publish(one, counts, { n: 1 });
      assertEquals(await take(subscribe(one, counts, { after }), 2), ["gap Infinity", "+1"]);
    });
  }

  test(
    "follow yields immediately, and once for all messages that arrived meanwhile",
    async (one, other) => {
      const counts = newChannel();
      const events = follow(other, counts);
      await events.next();
      let last = "";
      for (let n = 0; n < 20; n++) last = await publish(one, counts, { n });
      let turns = 0;
      for await (const id of events) {
        turns++;
        if (id === last) break;
      }
      assert(turns <= 20);
    },
  );

  test("a signal ends the iteration without an error", async (one) => {
    const counts = newChannel();
    const controller = new AbortController();
    const read = Array.fromAsync(subscribe(one, counts, { signal: controller.signal }));
    const followed = Array.fromAsync(follow(one, counts, { signal: controller.signal }));
    await publish(one, counts, { n: 1 });
    controller.abort();
    assert((await read).length <= 1);
    assert((await followed).length <= 2);
  });

  test("the longest message arrives unchanged", async (one, other) => {
    const texts = channel<string>(`texts:${crypto.randomUUID()}`);
    const after = await publish(one, texts, "");
    const long = "ü".repeat(65_534);
    await publish(one, texts, long);
    for await (const event of subscribe(other, texts, { after })) {
      assert(event.kind === "message" && event.value === long);
      break;
    }
  });

  test("a message over the limit is refused", async (one) => {
    const counts = newChannel();
    // @ts-expect-error a message has the type of its schema
    await assertRejects(() => publish(one, counts, { n: "x" }), TypeError, "Cannot publish to");
    const texts = channel<string>("texts");
    await assertRejects(() => publish(one, texts, "x".repeat(70_000)), TypeError, "65536");
  });
}
