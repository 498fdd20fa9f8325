import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  App,
  channel,
  type Ctx,
  follow,
  HttpError,
  httpError,
  publish,
  subscribe,
} from "../../../../mod.ts";
import { copyChannels, memoryChannels } from "../../../../runtime/addon.ts";
import { replica, testChannels } from "./channel_suite.ts";

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/**
 * Creates an application whose channels are copies of those in memory; `before` runs at each read.
 */
function copied(before: (after: number) => void | Promise<void>): App {
  const memory = memoryChannels();
  return replica({
    channels: copyChannels({
      publish: async (name, message) => await memory.publish(name, message),
      read: async (name, after, count) => {
        await before(after);
        return await memory.read(name, after, count);
      },
      listen: () => () => {},
    }),
  });
}

testChannels("memory", async (run) => {
  const channels = memoryChannels();
  await run(replica({ channels }), replica({ channels }));
});

for (const name of ["", "with space", "ü", "x".repeat(201)]) {
  Deno.test(`channel: refuses the name "${name.slice(0, 12)}"`, () => {
    assertThrows(() => channel(name), TypeError, "Cannot create the channel");
  });
}

for (
  const [title, error, expected] of [
    ["that fails is a 503", new DOMException("late", "TimeoutError"), "channel_store_failed"],
    ["keeps an error with a status", httpError(503, "Busy.", { code: "busy" }), "busy"],
  ] as const
) {
  Deno.test(`publish: a store ${title}`, async () => {
    const failing = { ...memoryChannels(), publish: () => Promise.reject(error) };
    const app = replica({ channels: failing });
    const thrown = await assertRejects(() => publish(app, channel("a")), HttpError);
    assertEquals([thrown.status, thrown.code], [503, expected]);
  });
}

Deno.test("channel: refuses a setting out of range", () => {
  assertThrows(() => channel("a", undefined, { keep: 0 }), RangeError, "keep is 0");
  assertThrows(() => channel("a", undefined, { keepMs: 0.5 }), RangeError, "keepMs is 0.5");
});

Deno.test("subscribe: reads a few messages at a time after long ones, so none is read repeatedly", async () => {
  const memory = memoryChannels();
  const counts: number[] = [];
  const app = replica({
    channels: {
      publish: (name, message) => memory.publish(name, message),
      watch: (name, mark) => memory.watch(name, mark),
      read: (name, after, count) => {
        counts.push(count);
        return memory.read(name, after, count);
      },
    },
  });
  const Long = channel<string>("long");
  const after = await publish(app, Long, "");
  for (let n = 0; n < 8; n++) await publish(app, Long, "x".repeat(n < 4 ? 30_000 : 1));
  counts.length = 0;
  let left = 8;
  for await (const { kind } of subscribe(app, Long, { after })) {
    assertEquals(kind, "message");
    if (--left === 0) break;
  }
  assertEquals(counts, [100, 2, 4]);
});

Deno.test("stream: resumes after Last-Event-ID, and reports a gap to a slow reader", async () => {
  const Notes = channel<string>("notes", undefined, { keep: 3 });
  const app = replica({ channels: memoryChannels() });
  const GET = (c: Ctx): Response =>
    c.stream(async (s) => {
      for await (const event of subscribe(c, Notes, { after: s.lastEventId, signal: s.signal })) {
        if (event.kind === "gap") await s.send("gap", String(event.missed), { id: event.id });
        else await s.send("note", event.value, { id: event.id });
      }
    });
  app.route({ pattern: "/notes", methods: { GET } });
  const first = await publish(app, Notes, "a");
  for (const text of ["b", "c", "d", "e"]) await publish(app, Notes, text);
  const response = await app.fetch(
    new Request("http://localhost/notes", { headers: { "last-event-id": first } }),
  );
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let turn = 0; turn < 20 && !text.includes("-5\n\n"); turn++) {
    text += (await reader?.read())?.value ?? "";
  }
  const epoch = first.split("-")[0];
  assertEquals(
    text,
    [["gap", 2, 1], ["note", 3, "c"], ["note", 4, "d"], ["note", 5, "e"]].map(([event, id, data]) =>
      `event: ${event}\ndata: ${data}\nid: ${epoch}-${id}\n\n`
    ).join(""),
  );
  await reader?.cancel();
  await app.shutdown();
});

Deno.test("follow: separates two applications of one process", async () => {
  const Changed = channel("changed");
  const [one, other] = [new App(), new App()];
  const events = follow(other, Changed);
  const { value: before } = await events.next();
  await publish(one, Changed);
  const last = await publish(other, Changed);
  assertEquals([before, (await events.next()).value], ["0-0", last]);
  await events.return(undefined);
});

Deno.test("follow: yields a message once if a store reports it twice", async () => {
  const Counts = channel<number>("counts");
  const memory = memoryChannels();
  const wakes = new Set<() => void>();
  const app = replica({
    channels: {
      publish: (name, message) => memory.publish(name, message),
      read: (name, after, count) => memory.read(name, after, count),
      watch: (name, wake) => {
        wakes.add(wake);
        return memory.watch(name, wake);
      },
    },
  });
  const events = follow(app, Counts);
  const ids = [(await events.next()).value];
  for (const count of [1, 2]) {
    const next = events.next();
    for (const wake of wakes) wake();
    await turn();
    const id = await publish(app, Counts, count);
    ids.push(id);
    assertEquals((await next).value, id);
  }
  assertEquals(ids.length, new Set(ids).size);
  await events.return(undefined);
});

Deno.test("copyChannels: readers at the same position share a read and its values", async () => {
  const Counts = channel<{ n: number }>("counts");
  const reads: number[] = [];
  const app = copied((after) => {
    reads.push(after);
    return turn();
  });
  const after = await publish(app, Counts, { n: 0 });
  for (let n = 1; n <= 5; n++) await publish(app, Counts, { n });
  const found = await Promise.all(Array.from({ length: 100 }, async () => {
    const events = [];
    for await (const event of subscribe(app, Counts, { after })) {
      if (events.push(event) === 5) break;
    }
    return events;
  }));
  const seen = found[0]?.map((event) => event.kind === "message" && event.value.n);
  assertEquals(seen, [1, 2, 3, 4, 5]);
  assertEquals([new Set(found.flat()).size, reads.filter((from) => from === 1).length], [5, 1]);
});

Deno.test("copyChannels: the first read of a failing source rejects, and later ones wait for a retry", async () => {
  const Counts = channel<number>("counts");
  let isDown = true;
  const app = copied(() => {
    if (isDown) throw new Error("down");
  });
  await assertRejects(() => follow(app, Counts).next(), Error, "down");
  isDown = false;
  const events = follow(app, Counts);
  await events.next();
  const next = events.next();
  isDown = true;
  const id = await publish(app, Counts, 1);
  await turn();
  isDown = false;
  assertEquals((await next).value, id);
  await events.return(undefined);
});

Deno.test("copyChannels: a reader that starts after a message does not share an earlier read", async () => {
  const Counts = channel<number>("counts");
  const memory = memoryChannels();
  const gate = Promise.withResolvers<void>();
  const app = replica({
    channels: copyChannels({
      publish: async (name, message) => await memory.publish(name, message),
      read: async (name, after, count) => {
        const found = memory.read(name, after, count);
        await gate.promise;
        return found;
      },
      listen: () => () => {},
    }),
  });
  const early = follow(app, Counts);
  const first = early.next();
  const id = await publish(app, Counts, 1);
  const late = follow(app, Counts);
  const second = late.next();
  gate.resolve();
  assertEquals([(await first).value, (await second).value], ["0-0", id]);
  await early.return(undefined);
  await late.return(undefined);
});
