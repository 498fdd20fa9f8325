import {
  type Ctx,
  type Handler,
  NoTimeout,
  type Route,
  type SecurityEvent,
  type Settings,
} from "../../../mod.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { p } from "../../../html/mod.ts";
import { newSite, type Site, throwing } from "../app/support.ts";

/** Short enough for a test; the check runs every quarter of a second. */
const writeMs = 20;

function site(
  route: Omit<Route, "pattern">,
  config: Settings = {},
  parts: { readonly error?: Handler } = {},
): Site {
  const settings = { timeouts: { writeMs }, ...config };
  return newSite([{ pattern: "/", ...route }], { config: settings, parts });
}

/** Creates a site whose `GET` and `POST` have this handler. */
const serving = (handler: Handler, config: Settings = {}): Site =>
  site({ methods: { GET: handler, POST: handler } }, config);

const ask = (of: Site, init?: RequestInit): Promise<Response> =>
  of.app.fetch(new Request("http://localhost/", init));

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const never = (): Promise<never> => new Promise(() => {});

const stuck: readonly (readonly [name: string, route: Omit<Route, "pattern">])[] = [
  ["a handler", { methods: { GET: never } }],
  ["a page", { page: never }],
  ["a layout", { page: (c) => c.render(200, p("x")), layouts: [never] }],
  ["a middleware", { methods: { GET: (c) => c.noContent() }, middleware: [{ Middleware: never }] }],
  ["a middleware after next", {
    methods: { GET: (c) => c.noContent() },
    middleware: [{
      Middleware: async (_c, next) => {
        await next();
        return await never();
      },
    }],
  }],
];

for (const [name, route] of stuck) {
  Deno.test(`timeouts.writeMs: ${name} that never responds gets 503`, async () => {
    const under = site(route);
    const response = await ask(under);
    assertEquals(response.status, 503);
    assert(!(await response.text()).includes("writeMs"));
    assertEquals(under.logged("handler failed").length, 1);
    assertEquals(under.logged("request").map((line) => line["status"]), [503]);
    assertStringIncludes(JSON.stringify(under.lines), "config.timeouts.writeMs");
  });
}

Deno.test("timeouts.writeMs: HEAD of a stuck handler gets 503", async () => {
  assertEquals((await ask(serving(never), { method: "HEAD" })).status, 503);
});

const broken = throwing(new Error("broken"));
const errorPages: readonly [name: string, page: Handler, error: Handler, 500 | 503, string][] = [
  ["one that never responds is replaced by the framework's", broken, never, 500, "<h1>"],
  ["the deadlines of a stuck handler and a stuck page both end", never, never, 500, "<h1>"],
  ["it shows the 503", never, () => p("too slow"), 503, "<p>too slow</p>"],
];

for (const [name, page, error, status, part] of errorPages) {
  Deno.test(`timeouts.writeMs: renders the application's error page: ${name}`, async () => {
    const under = site({ page }, {}, { error });
    const response = await ask(under);
    assertEquals(response.status, status);
    assertStringIncludes(await response.text(), part);
    assertEquals(under.logged("the error page failed").length, status === 500 ? 1 : 0);
  });
}

Deno.test("timeouts.writeMs: c.signal aborts with a TimeoutError", async () => {
  let reason: unknown;
  const response = await ask(serving((c) => {
    c.signal.addEventListener("abort", () => reason = c.signal.reason);
    return never();
  }));
  await response.body?.cancel();
  assert(reason instanceof DOMException);
  assertEquals(reason.name, "TimeoutError");
});

Deno.test("timeouts.writeMs: a late response is cancelled and logged once", async () => {
  let isCancelled = false;
  let late: unknown;
  const release = Promise.withResolvers<void>();
  const under = serving(async (c) => {
    await release.promise;
    try {
      c.header("x-late", "1");
    } catch (error) {
      late = error;
    }
    return new Response(new ReadableStream({ cancel: () => void (isCancelled = true) }));
  });
  assertEquals((await ask(under)).status, 503);
  release.resolve();
  await wait(5);
  assert(isCancelled);
  assertStringIncludes(String(late), "the head has been sent");
  assertEquals(under.logged("request").length, 1);
});

Deno.test("timeouts.writeMs: a late failure is one warning", async () => {
  const release = Promise.withResolvers<never>();
  const under = serving(() => release.promise);
  assertEquals((await ask(under)).status, 503);
  release.reject(new Error("late"));
  await wait(5);
  assertEquals(under.logged("handler failed after its deadline").length, 1);
});

/** Handlers that wait for something that the signal ends, and the status of a client that leaves. */
const interrupted: readonly (readonly [name: string, wait: Handler, status: number])[] = [
  [
    "rejects with the signal's reason",
    (c) => aborted(c).then(() => Promise.reject(c.signal.reason)),
    499,
  ],
  ["throws its reason", (c) => aborted(c).then(() => c.signal.throwIfAborted()), 499],
  ["waits for fetch", async (c) => {
    // It accepts no connection.
    using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
    return await fetch(`http://127.0.0.1:${listener.addr.port}/`, { signal: c.signal });
  }, 499],
  ["wraps the reason", (c) =>
    aborted(c).then(() => {
      throw new Error("no answer", { cause: c.signal.reason });
    }), 499],
  ["waits on another signal", (c) => {
    c.signal = AbortSignal.any([c.signal, AbortSignal.timeout(60_000)]);
    return aborted(c).then(() => c.signal.throwIfAborted());
  }, 499],
  ["passes the request on", async (c) => {
    using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
    return await fetch(new Request(`http://127.0.0.1:${listener.addr.port}/`, c.request));
  }, 499],
  [
    "fails by an abort of its own",
    () => Promise.reject(new DOMException("own", "AbortError")),
    500,
  ],
  ["fails by itself", (c) => aborted(c).then(throwing(new Error("own"))), 500],
];

function aborted(c: Ctx): Promise<void> {
  const { signal } = c;
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });
}

for (const [name, handler, status] of interrupted) {
  Deno.test(`a client that leaves while a handler ${name} is logged as ${status}`, async () => {
    const events: SecurityEvent[] = [];
    const onSecurityEvent = (event: SecurityEvent): void => void events.push(event);
    const under = serving(handler, { timeouts: { writeMs: NoTimeout }, onSecurityEvent });
    const controller = new AbortController();
    const response = ask(under, { signal: controller.signal });
    await wait(5);
    controller.abort();
    assertEquals((await response).status, status);
    const isOwn = status === 500;
    assertEquals(events.map(({ kind }) => kind), isOwn ? ["panic"] : []);
    assertEquals(under.logged("handler failed").length, isOwn ? 1 : 0);
  });
}

Deno.test("a handler that the shutdown interrupts gets 503 and no security event", async () => {
  const events: SecurityEvent[] = [];
  const under = serving((c) => aborted(c).then(() => c.signal.throwIfAborted()), {
    timeouts: { writeMs: NoTimeout },
    onSecurityEvent: (event) => void events.push(event),
  });
  const response = ask(under);
  await wait(5);
  await under.app.shutdown();
  assertEquals([(await response).status, events], [503, []]);
});

const free: readonly (readonly [name: string, slow: (c: Ctx) => Promise<Response>, Settings?])[] = [
  ["c.noWriteDeadline", async (c) => {
    c.noWriteDeadline();
    await wait(600);
    return c.noContent();
  }],
  ["a late c.noWriteDeadline", async (c) => {
    await wait(5);
    c.noWriteDeadline();
    await wait(600);
    return c.noContent();
  }],
  ["NoTimeout", async (c) => {
    await wait(600);
    return c.noContent();
  }, { timeouts: { writeMs: NoTimeout } }],
];

for (const [name, slow, config] of free) {
  Deno.test(`timeouts.writeMs: does not limit a handler with ${name}`, async () => {
    assertEquals((await ask(serving(slow, config))).status, 204);
  });
}

function slowBody(): ReadableStream<Uint8Array> {
  let left = 4;
  return new ReadableStream({
    async pull(controller): Promise<void> {
      await wait(200);
      controller.enqueue(new TextEncoder().encode("x"));
      if (--left === 0) controller.close();
    },
  });
}

for (const hasReadDeadline of [true, false]) {
  Deno.test(
    `timeouts.writeMs: time spent reading the body does not count, ${
      hasReadDeadline ? "with" : "without"
    } a read deadline`,
    async () => {
      const under = serving(async (c) => {
        if (!hasReadDeadline) c.noReadDeadline();
        return c.text(200, await c.request.text());
      });
      const response = await ask(under, { method: "POST", body: slowBody() });
      assertEquals([response.status, await response.text()], [200, "xxxx"]);
    },
  );
}

Deno.test("timeouts.writeMs: counts again after the body is read", async () => {
  const under = serving(async (c) => {
    await c.request.text();
    return await never();
  });
  const response = await ask(under, { method: "POST", body: slowBody() });
  assertEquals(response.status, 503);
});

Deno.test("timeouts.writeMs: does not limit a stream", async () => {
  const under = serving((c) =>
    c.stream(async (s) => {
      await wait(600);
      await s.send("", "x");
    })
  );
  assertEquals(await (await ask(under)).text(), "data: x\n\n");
});

for (const [chars, want] of [[1_024, 200], [1_025, 414]] as const) {
  Deno.test(`timeouts.maxHeaderBytes of 1024: a URL of ${chars} characters gets ${want}`, async () => {
    const timeouts = { maxHeaderBytes: 1_024 };
    const under = serving((c) => c.text(200, ""), { timeouts });
    const url = "http://localhost/?".padEnd(chars, "x");
    const response = await under.app.fetch(new Request(url));
    await response.body?.cancel();
    assertEquals(response.status, want);
  });
}
