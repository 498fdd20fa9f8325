import { AsyncLocalStorage } from "node:async_hooks";
import { commentFrame, eventFrame } from "../../../../runtime/addon.ts";
import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import type { Ctx, EventStream } from "../../../../mod.ts";
import { newSite, routeOf, type Site, throwing } from "../../app/support.ts";

const frames: readonly (readonly [name: string, frame: () => string, want: string])[] = [
  ["an event", () => eventFrame("a", { event: "e" }), "event: e\ndata: a\n\n"],
  ["without a name", () => eventFrame("a", { event: "" }), "data: a\n\n"],
  ["with an id", () => eventFrame("a", { event: "e", id: "7" }), "event: e\ndata: a\nid: 7\n\n"],
  ["an empty id resets the last one", () => eventFrame("a", { id: "" }), "data: a\nid: \n\n"],
  ["empty data", () => eventFrame(""), "data: \n\n"],
  ["a line feed in data", () => eventFrame("a\nb"), "data: a\ndata: b\n\n"],
  ["a carriage return in data", () => eventFrame("a\rb"), "data: a\ndata: b\n\n"],
  ["both in data", () => eventFrame("a\r\nb"), "data: a\ndata: b\n\n"],
  ["data that ends in a line break", () => eventFrame("a\n"), "data: a\ndata: \n\n"],
  ["data that resembles a field", () => eventFrame("a\nevent: x"), "data: a\ndata: event: x\n\n"],
  ["data ends the event", () => eventFrame("a\n\ndata: x"), "data: a\ndata: \ndata: data: x\n\n"],
  ["data that starts with a space", () => eventFrame(" a"), "data:  a\n\n"],
  ["a line separator is not a line break", () => eventFrame("a\u2028b"), "data: a\u2028b\n\n"],
  ["a comment", () => commentFrame("hi"), ": hi\n\n"],
  ["a comment of lines", () => commentFrame("a\ndata: x\rb"), ": a\n: data: x\n: b\n\n"],
];

for (const [name, frame, want] of frames) {
  Deno.test(`eventFrame, commentFrame: ${name}`, () => assertEquals(frame(), want));
}

for (const text of ["a\nb", "a\rb", "a\r\ndata: x", "a\0"]) {
  Deno.test(`eventFrame refuses the name and the id ${JSON.stringify(text)}`, () => {
    assertThrows(() => eventFrame("", { event: text }), TypeError, "Cannot send the event");
    assertThrows(() => eventFrame("", { id: text }), TypeError, "Cannot send the id");
  });
}

function streamSite(
  handler: (s: EventStream, c: Ctx) => void | Promise<void>,
): Site {
  const answer = (c: Ctx): Response => c.stream((s) => handler(s, c));
  return newSite([{ pattern: "/", methods: { GET: answer, POST: answer } }]);
}

const ask = (site: Site, init?: RequestInit, search = ""): Promise<Response> =>
  site.app.fetch(new Request(`http://localhost/${search}`, init));

const over = (s: EventStream): Promise<void> =>
  new Promise((resolve) => {
    if (s.signal.aborted) return resolve();
    s.signal.addEventListener("abort", () => resolve(), { once: true });
  });

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

Deno.test("c.stream: runs the callback in the asynchronous context of the handler", async () => {
  const tenant = new AsyncLocalStorage<string>();
  const site = newSite([{
    pattern: "/",
    middleware: [{ Middleware: (_, next) => tenant.run("7", next) }],
    methods: { GET: (c) => c.stream((s) => s.send("tenant", String(tenant.getStore()))) },
  }]);
  assertStringIncludes(await (await ask(site)).text(), "data: 7\n");
});

Deno.test("c.stream: sends events in order and ends with the callback", async () => {
  const response = await ask(streamSite(async (s) => {
    await s.send("greet", "hello");
    await s.json("", { n: 1, big: 2n ** 60n });
    await s.comment("still here");
    await s.send("bye", "a\nb", { id: "9" });
  }));
  assertEquals(response.status, 200);
  assertEquals(
    await response.text(),
    'event: greet\ndata: hello\n\ndata: {"n":1,"big":1152921504606846976}\n\n' +
      ": still here\n\nevent: bye\ndata: a\ndata: b\nid: 9\n\n",
  );
});

Deno.test("c.stream: the headers stop caches and proxies from buffering it", async () => {
  const { headers, body } = await ask(streamSite(() => {}));
  await body?.cancel();
  assertEquals(
    ["content-type", "cache-control", "x-accel-buffering"].map((name) => headers.get(name)),
    ["text/event-stream", "no-store", "no"],
  );
});

Deno.test("c.stream: sends staged headers first, and later staging throws", async () => {
  const errors: string[] = [];
  const { app } = newSite([routeOf("GET", "/", (c) => {
    c.header("x-staged", "1");
    c.cacheControl("no-cache");
    return c.stream(() => {
      const late: (() => void)[] = [
        () => c.header("x", "y"),
        () => c.setCookie({ name: "a", value: "b" }),
        () => c.status(201),
        () => c.flash("info", "x"),
        () => c.setSigned("a", "b", 1),
        () => c.csrfToken(),
        () => c.respond(c.noContent()),
      ];
      for (const stage of late) {
        errors.push(assertThrows(stage, TypeError).message.replace(/^.*: /, ""));
      }
    });
  })]);
  const response = await app.fetch(new Request("http://localhost/"));
  assertEquals(response.headers.get("x-staged"), "1");
  assertEquals(response.headers.get("cache-control"), "no-cache");
  await response.text();
  assertEquals(errors, Array(7).fill("the head has been sent."));
});

Deno.test("c.stream: HEAD returns the head and does not run the callback", async () => {
  let runs = 0;
  const response = await ask(streamSite(() => void runs++), { method: "HEAD" });
  assertEquals(await response.text(), "");
  await turn();
  assertEquals([runs, response.headers.get("content-type")], [0, "text/event-stream"]);
});

Deno.test("c.stream: a response discarded by a middleware does not run the callback", async () => {
  let runs = 0;
  const { app } = newSite([{
    pattern: "/",
    methods: { GET: (c) => c.stream(() => void runs++) },
    middleware: [{
      Middleware: async (c, next) => {
        await next();
        return c.text(200, "other");
      },
    }],
  }]);
  const response = await app.fetch(new Request("http://localhost/"));
  assertEquals(await response.text(), "other");
  await turn();
  assertEquals(runs, 0);
});

const cases = [
  ["42", "42"],
  ["", undefined],
  [undefined, undefined],
  ["caf\u00c3\u00a9", "café"],
  ["", "42", "?last_event_id=42"],
  ["7", "7", "?last_event_id=42"],
] as const;
for (const [header, want, search = ""] of cases) {
  Deno.test(`s.lastEventId: is ${JSON.stringify(want)} for ${JSON.stringify(header)}${search}`, async () => {
    let seen: string | undefined = "unset";
    const response = await ask(
      streamSite((s) => void (seen = s.lastEventId)),
      header === undefined ? {} : { headers: { "last-event-id": header } },
      search,
    );
    await response.text();
    assertEquals(seen, want);
  });
}

Deno.test("s.done: sends the event done, ends the stream and aborts the signal", async () => {
  let isAborted = false;
  const response = await ask(streamSite(async (s) => {
    s.signal.addEventListener("abort", () => isAborted = true);
    await s.done();
    await assertRejects(() => s.send("late", "x"), DOMException, "done");
  }));
  assertEquals(await response.text(), "event: done\ndata: \n\n");
  assert(isAborted);
});

Deno.test("s.done: does not repeat a done event sent by the callback", async () => {
  const response = await ask(streamSite(async (s) => {
    await s.json("done", { history: [] });
    await s.done();
    await s.done();
  }));
  assertEquals(await response.text(), 'event: done\ndata: {"history":[]}\n\n');
});

Deno.test("c.stream: a disconnect aborts both signals and ends the loop", async () => {
  const seen: string[] = [];
  const ended = Promise.withResolvers<void>();
  const site = streamSite(async (s, c) => {
    c.signal.addEventListener("abort", () => seen.push("c.signal"));
    s.signal.addEventListener("abort", () => seen.push("s.signal"));
    try {
      for (;;) {
        await s.send("tick", "x");
        await turn();
      }
    } finally {
      seen.push("finally");
      ended.resolve();
    }
  });
  const response = await ask(site);
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await ended.promise;
  assertEquals([seen, site.logged("stream failed")], [["c.signal", "s.signal", "finally"], []]);
});

Deno.test("s.signal aborts when the callback returns, c.signal does not", async () => {
  const aborted: string[] = [];
  const site = streamSite((s, c) => {
    s.signal.addEventListener("abort", () => aborted.push("s.signal"));
    c.signal.addEventListener("abort", () => aborted.push("c.signal"));
  });
  await (await ask(site, { method: "POST" })).text();
  await site.app.shutdown();
  assertEquals(aborted, ["s.signal"]);
});

Deno.test("c.stream: sends without await after the end are harmless", async () => {
  const site = streamSite((s) => {
    setTimeout(() => {
      s.send("late", "x");
      s.json("late", 1);
      s.comment("late");
      // An async listener whose promise is not awaited.
      (async (): Promise<void> => await s.send("late", "x"))();
    }, 2);
  });
  const response = await ask(site);
  assertEquals(await response.text(), "");
  await new Promise((resolve) => setTimeout(resolve, 10));
  assertEquals(site.logged("stream failed"), []);
});

const failures:
  readonly (readonly [name: string, fail: (s: EventStream) => void | Promise<void>])[] = [
    ["a throw", throwing(new Error("broken"))],
    ["a rejection", () => Promise.reject(new Error("broken"))],
    ["a thrown null", () => {
      // deno-lint-ignore no-throw-literal -- handlers throw anything
      throw null;
    }],
    ["a name with a line break", (s) => s.send("a\nb", "")],
    ["a name with a line break, without await", (s) => {
      s.send("a\nb", "");
      return over(s);
    }],
    ["an id with a line break", (s) => s.send("a", "", { id: "1\r\ndata: x" })],
    ["JSON of a function", (s) => s.json("a", () => {})],
    ["JSON with a circle", (s) => {
      const circle: unknown[] = [];
      circle.push(circle);
      return s.json("a", circle);
    }],
  ];

for (const [name, fail] of failures) {
  Deno.test(`c.stream: ${name} ends the stream with one log line`, async () => {
    const site = streamSite(async (s) => {
      await s.send("before", "x");
      await fail(s);
    });
    assertEquals(await (await ask(site)).text(), "event: before\ndata: x\n\n");
    await turn();
    assertEquals(site.logged("stream failed").length, 1);
    assertEquals(site.logged("stream failed")[0]?.["route"], "/");
  });
}

async function sizeOf(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
): Promise<number> {
  let size = 0;
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    size += read.value.length;
  }
  return size;
}

Deno.test("s.send: waits for a slow client and resumes", async () => {
  let sent = 0;
  const chunk = "x".repeat(1_024);
  const response = await ask(streamSite(async (s) => {
    for (; sent < 200; sent++) await s.send("", chunk);
  }));
  const reader = response.body?.getReader();
  await reader?.read();
  await turn();
  await turn();
  assert(sent >= 60 && sent < 80, `sent ${sent} KiB`);
  const size = await sizeOf(reader);
  assertEquals(sent, 200);
  assert(size > 198 * 1_024);
});

Deno.test("c.stream: a handler that does not await is cut off at 1 MiB", async () => {
  const site = streamSite((s) => {
    for (let sent = 0; sent < 2_000; sent++) s.send("", "x".repeat(1_024));
    return over(s);
  });
  const response = await ask(site);
  const size = await sizeOf(response.body?.getReader());
  assert(size < 1_100_000, `${size}`);
  assertStringIncludes(String(site.logged("stream cut off")[0]?.["reason"]), "await");
});

/** Runs with a function that lets a second pass for the open streams. */
async function withTicks(run: (tick: () => void) => Promise<void>): Promise<void> {
  let tick = (): void => {};
  const { setInterval } = globalThis;
  globalThis.setInterval = ((each: () => void) => {
    tick = each;
    return setInterval(() => {}, 60_000);
  }) as typeof setInterval;
  try {
    await run(() => tick());
  } finally {
    globalThis.setInterval = setInterval;
  }
}

Deno.test("c.stream: sends a comment after 15 seconds without an event", () =>
  withTicks(async (tick) => {
    const response = await ask(streamSite(over));
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const read = reader?.read();
    await turn();
    for (let second = 0; second < 15; second++) tick();
    assertEquals((await read)?.value, ":\n\n");
    await reader?.cancel();
  }));

Deno.test("c.stream: a client that reads nothing for two minutes is disconnected", () =>
  withTicks(async (tick) => {
    const site = streamSite((s) => (s.send("", "first"), s.send("", "unread"), over(s)));
    const response = await ask(site);
    const reader = response.body?.getReader();
    await reader?.read();
    for (let second = 0; second < 120; second++) tick();
    assertEquals(site.logged("stream cut off"), []);
    tick();
    assertEquals(site.logged("stream cut off")[0]?.["reason"], "the client does not read");
    await reader?.cancel();
  }));

Deno.test("app.shutdown: aborts the signal immediately and closes open streams a second later", async () => {
  const seen: string[] = [];
  const { app } = newSite([
    routeOf("GET", "/heeds", (c) =>
      c.stream(async (s) => {
        await over(s);
        await s.send("last", "words");
      })),
    { pattern: "/stuck", methods: { GET: (c) => c.stream(() => new Promise(() => {})) } },
  ]);
  const read = async (path: string): Promise<void> => {
    const response = await app.fetch(new Request(`http://localhost${path}`));
    seen.push(`${path}: ${await response.text()}`);
  };
  const reads = [read("/heeds"), read("/stuck")];
  await turn();
  await turn();
  const start = performance.now();
  await app.shutdown();
  await Promise.all(reads);
  assertEquals(seen, ["/heeds: event: last\ndata: words\n\n", "/stuck: "]);
  // Much longer than a busy machine needs for a stream.
  assert(performance.now() - start < 30_000);
  assertEquals(await (await app.fetch(new Request("http://localhost/stuck"))).text(), "");
});
