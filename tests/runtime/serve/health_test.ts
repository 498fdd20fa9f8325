import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { type HealthCheck, NoTimeout, Off, type Settings } from "../../../mod.ts";
import { newSite, type Site, textRoute } from "../app/support.ts";

type Observability = NonNullable<Settings["observability"]>;

const token = "0123456789abcdef".repeat(2);

/** An application with checks; results are not kept unless a test says so. */
function siteOf(
  checks: Readonly<Record<string, HealthCheck>> = {},
  options: { readonly config?: Settings; readonly observability?: Observability } = {},
): Site {
  const observability = { token, cacheForMs: 0, ...options.observability };
  const site = newSite([textRoute("/a")], { config: { ...options.config, observability } });
  for (const [name, fn] of Object.entries(checks)) site.app.check(name, fn);
  return site;
}

interface Asked {
  readonly path?: string;
  readonly method?: string;
  readonly token?: string | undefined;
  readonly headers?: Record<string, string>;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

async function ask(site: Site, asked: Asked = {}): Promise<Answer> {
  const { path = "/_fw/health/ready", method = "GET", headers = {} } = asked;
  const shown = "token" in asked ? asked.token : token;
  const authorization = shown === undefined ? {} : { authorization: `Bearer ${shown}` };
  const response = await site.app.fetch(
    new Request(`http://localhost${path}`, { method, headers: { ...authorization, ...headers } }),
  );
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text: await response.text(),
  };
}

/** The body with every duration and the uptime as -1, once they were seen to be numbers. */
function readReport({ text }: Answer): unknown {
  return JSON.parse(text, (key, value) => {
    if (key !== "duration_ms" && key !== "uptime_seconds") return value;
    assert(typeof value === "number" && value >= 0 && value < 10_000, `${key} ${value}`);
    return -1;
  });
}

const failing: HealthCheck = () => {
  throw new Error("no connection");
};

const common = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex",
};

const good = { "content-type": "application/health+json", ...common };

for (const path of ["/_fw/health/live", "/_fw/health/ready", "/_fw/health"]) {
  Deno.test(`GET ${path} has exactly the headers of a probe`, async () => {
    const { status, headers, text } = await ask(siteOf(), { path, token: undefined });
    assertEquals([status, text], [200, '{"status":"pass"}']);
    assertEquals(headers, good);
  });

  Deno.test(`HEAD ${path} is its GET without the body`, async () => {
    const { status, headers, text } = await ask(siteOf(), {
      path,
      method: "HEAD",
      token: undefined,
    });
    assertEquals([status, text], [200, ""]);
    assertEquals(headers, { ...good, "content-length": "17" });
  });

  for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"]) {
    Deno.test(`${method} ${path} is refused with Allow, as a problem`, async () => {
      const { status, headers, text } = await ask(siteOf(), {
        path,
        method,
        headers: { accept: "text/html", origin: "https://a.example" },
      });
      assertEquals(status, 405);
      assertEquals(headers, {
        ...common,
        allow: "GET, HEAD",
        "content-type": "application/problem+json",
      });
      assertEquals(JSON.parse(text).title, "Method Not Allowed");
    });
  }

  Deno.test(`${path} is not there with Off`, async () => {
    assertEquals((await ask(siteOf({}, { observability: { health: Off } }), { path })).status, 404);
  });
}

Deno.test("a readiness that fails is 503 with Retry-After, whether or not somebody may see why", async () => {
  const site = siteOf({ db: failing });
  for (const shown of [token, undefined]) {
    const { status, headers } = await ask(site, { token: shown });
    assertEquals(status, 503);
    assertEquals(headers, { ...good, "retry-after": "5" });
  }
});

Deno.test("live runs no check and is always 200", async () => {
  let runs = 0;
  const site = siteOf({
    db: () => {
      runs++;
      throw new Error("x");
    },
  });
  const answer = await ask(site, { path: "/_fw/health/live" });
  assertEquals([answer.status, runs], [200, 0]);
  assertEquals(readReport(answer), { status: "pass", checks: [], uptime_seconds: -1 });
});

Deno.test("the probes are below the base path, and at the path that the setting names", async () => {
  const site = siteOf({}, {
    config: { basePath: "/shop" },
    observability: { health: "/healthz" },
  });
  const statuses: Record<string, number> = {};
  for (
    const path of ["/shop/healthz", "/shop/healthz/live", "/shop/healthz/ready", "/healthz"]
      .concat(["/shop/_fw/health", "/shop/shop/healthz", "/shop/healthz/", "/shop/healthz/x"])
  ) {
    statuses[path] = (await ask(site, { path })).status;
  }
  assertEquals(statuses, {
    "/shop/healthz": 200,
    "/shop/healthz/live": 200,
    "/shop/healthz/ready": 200,
    "/healthz": 404,
    "/shop/_fw/health": 404,
    "/shop/shop/healthz": 404,
    "/shop/healthz/": 404,
    "/shop/healthz/x": 404,
  });
});

Deno.test("a query changes nothing", async () => {
  assertEquals((await ask(siteOf(), { path: "/_fw/health/live?x=1#y" })).status, 200);
});

const outcomes: readonly [title: string, fn: HealthCheck, status: string, error?: string][] = [
  ["returns", () => {}, "pass"],
  ["resolves", () => Promise.resolve(), "pass"],
  ["throws", failing, "fail", "no connection"],
  ["rejects", () => Promise.reject(new TypeError("no host")), "fail", "no host"],
  ["gives an error", () => new Error("given"), "fail", "given"],
  ["resolves with an error", () => Promise.resolve(new Error("given")), "fail", "given"],
  ["gives false", (() => false) as never, "fail", "the check gave false"],
  ["gives something else", (() => ({ rows: 1 })) as never, "pass"],
  [
    "throws an error without a message",
    () => {
      throw new RangeError();
    },
    "fail",
    "RangeError",
  ],
  [
    "rejects with no error",
    () => Promise.reject("text"),
    "fail",
    "a value was thrown that is no error",
  ],
  [
    "throws a value that throws when it is read",
    () => {
      throw Object.defineProperty(new Error(), "message", {
        get: () => {
          throw new Error("trap");
        },
      });
    },
    "fail",
    "(unreadable)",
  ],
  [
    "throws a revoked proxy",
    () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      throw proxy;
    },
    "fail",
    "a value was thrown that is no error",
  ],
  [
    "throws a message that is too long",
    () => {
      throw new Error("x".repeat(5_000));
    },
    "fail",
    "x".repeat(1_000),
  ],
];

for (const [title, fn, status, error] of outcomes) {
  Deno.test(`a check that ${title}: ${status}`, async () => {
    const answer = await ask(siteOf({ db: fn }));
    assertEquals(answer.status, status === "pass" ? 200 : 503);
    const check = {
      name: "db",
      status,
      duration_ms: -1,
      ...(error === undefined ? {} : { error }),
    };
    assertEquals(readReport(answer), { status, checks: [check], uptime_seconds: -1 });
  });
}

Deno.test("one failure of several fails the whole; they run together and keep their order", async () => {
  const order: string[] = [];
  const slow = (name: string, ms: number): HealthCheck => async () => {
    order.push(`${name} starts`);
    await new Promise((resolve) => setTimeout(resolve, ms));
    order.push(`${name} ends`);
  };
  const answer = await ask(siteOf({ a: slow("a", 20), b: failing, c: slow("c", 1) }));
  assertEquals(order, ["a starts", "c starts", "c ends", "a ends"]);
  assertEquals(answer.status, 503);
  const { checks } = readReport(answer) as { checks: { name: string; status: string }[] };
  assertEquals(checks.map(({ name, status }) => [name, status]), [
    ["a", "pass"],
    ["b", "fail"],
    ["c", "pass"],
  ]);
});

const badNames: readonly [name: string, message: string][] = [
  ["", "give it a name of 1 to 100 characters"],
  ["x".repeat(101), "give it a name of 1 to 100 characters"],
  ["db", "there is one of that name; choose another"],
];

for (const [name, message] of badNames) {
  Deno.test(`app.check refuses the name ${JSON.stringify(name.slice(0, 10))}`, () => {
    const site = siteOf({ db: () => {} });
    assertThrows(() => site.app.check(name, () => {}), TypeError, message);
  });
}

Deno.test("app.check refuses what is no function", () => {
  assertThrows(() => siteOf().app.check("db", true as never), TypeError, "give a function");
});

Deno.test("a check that takes too long fails at its deadline, and its signal aborts", async () => {
  const reasons: unknown[] = [];
  const site = siteOf({
    db: (signal) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => {
          reasons.push(signal.reason.name);
          resolve();
        })
      ),
  }, { observability: { timeoutMs: 20 } });
  const answer = await ask(site);
  assertEquals(answer.status, 503);
  assertEquals(readReport(answer), {
    status: "fail",
    checks: [{
      name: "db",
      status: "fail",
      duration_ms: -1,
      error: "no answer within 20 ms (config.observability.timeoutMs)",
    }],
    uptime_seconds: -1,
  });
  assertEquals(reasons, ["TimeoutError"]);
});

Deno.test("a check that hangs is not started again while it hangs; afterwards it is", async () => {
  let runs = 0;
  const gate = Promise.withResolvers<void>();
  const site = siteOf({
    db: () => {
      runs++;
      return runs === 1 ? gate.promise : undefined;
    },
  }, { observability: { timeoutMs: 10 } });
  const errors: unknown[] = [];
  for (let index = 0; index < 3; index++) {
    const { checks } = JSON.parse((await ask(site)).text);
    errors.push(checks[0].error.replace(/\d+ ms$/, "N ms"));
  }
  assertEquals(runs, 1);
  assertEquals(errors, [
    "no answer within 10 ms (config.observability.timeoutMs)",
    "still running after N ms",
    "still running after N ms",
  ]);
  gate.resolve();
  await gate.promise;
  await new Promise((resolve) => setTimeout(resolve, 0));
  assertEquals([(await ask(site)).status, runs], [200, 2]);
});

Deno.test("a check that fails after its deadline is no stray failure", async () => {
  const gate = Promise.withResolvers<void>();
  const site = siteOf({ db: () => gate.promise }, { observability: { timeoutMs: 5 } });
  assertEquals((await ask(site)).status, 503);
  gate.reject(new Error("too late to tell"));
  await new Promise((resolve) => setTimeout(resolve, 0));
});

Deno.test("NoTimeout waits for a check as long as it takes", async () => {
  const site = siteOf({ db: () => new Promise((resolve) => setTimeout(resolve, 30)) }, {
    observability: { timeoutMs: NoTimeout },
  });
  assertEquals((await ask(site)).status, 200);
});

Deno.test("what was found is good for cacheForMs, for probes and for healthReport alike", async () => {
  let runs = 0;
  const site = siteOf({ db: () => void runs++ }, { observability: { cacheForMs: 60 } });
  for (let index = 0; index < 3; index++) await ask(site);
  await site.app.healthReport();
  assertEquals(runs, 1);
  await new Promise((resolve) => setTimeout(resolve, 80));
  await ask(site);
  assertEquals(runs, 2);
});

Deno.test("check: one that is added while others run is asked by the next probe", async () => {
  const slow = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
  const site = siteOf({ slow }, { observability: { cacheForMs: 60_000 } });
  const first = site.app.healthReport();
  site.app.check("db", () => new Error("down"));
  assertEquals((await first).status, "pass");
  assertEquals((await site.app.healthReport()).status, "fail");
});

for (const cacheForMs of [0, NoTimeout]) {
  Deno.test(`cacheForMs ${cacheForMs} checks each time`, async () => {
    let runs = 0;
    const site = siteOf({ db: () => void runs++ }, { observability: { cacheForMs } });
    for (let index = 0; index < 3; index++) await ask(site);
    assertEquals(runs, 3);
  });
}

Deno.test("probes that come together share one run", async () => {
  let runs = 0;
  const site = siteOf({
    db: async () => {
      runs++;
      await new Promise((resolve) => setTimeout(resolve, 5));
    },
  });
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(site)));
  assertEquals(new Set(answers.map(({ status }) => status)), new Set([200]));
  assertEquals(runs, 1);
});

Deno.test("a check that is added later counts at once", async () => {
  const site = siteOf({}, { observability: { cacheForMs: 60_000 } });
  assertEquals((await ask(site)).status, 200);
  site.app.check("db", failing);
  assertEquals((await ask(site)).status, 503);
});

Deno.test("app.healthReport gives what the probe gives", async () => {
  const site = siteOf({ db: failing, ok: () => {} });
  const { status, checks, uptimeSeconds } = await site.app.healthReport();
  assert(uptimeSeconds >= 0 && uptimeSeconds < 100);
  assertEquals(status, "fail");
  assertEquals(checks.map(({ durationMs, ...rest }) => (assert(durationMs >= 0), rest)), [
    { name: "db", status: "fail", error: "no connection" },
    { name: "ok", status: "pass", error: undefined },
  ]);
});

const seen: readonly [title: string, options: {
  readonly env?: "dev" | "prod";
  readonly details?: typeof Off;
  readonly token?: string | undefined;
}, hasDetails: boolean][] = [
  ["nobody in production", { token: undefined }, false],
  ["whoever shows the token", { token }, true],
  ["a wrong token", { token: token.replace("0", "1") }, false],
  ["everybody in development", { env: "dev", token: undefined }, true],
  ["nobody with Off", { details: Off, token }, false],
  ["nobody with Off in development", { env: "dev", details: Off, token }, false],
];

for (const [title, { env = "prod", details, ...asked }, hasDetails] of seen) {
  Deno.test(`details of a failure: ${title}`, async () => {
    const site = siteOf({ db: failing }, { config: { env }, observability: { details } });
    const { status, text } = await ask(site, asked);
    assertEquals(status, 503);
    assertEquals(text.includes("no connection"), hasDetails);
    if (!hasDetails) assertEquals(text, '{"status":"fail"}');
  });
}

Deno.test("a check that begins to fail is one line, one that passes again another", async () => {
  let isUp = true;
  const site = siteOf({
    db: () => {
      if (!isUp) throw new Error("no connection");
    },
  });
  const told: unknown[] = [];
  for (const state of [true, false, false, true, true]) {
    isUp = state;
    await ask(site);
    told.push(site.lines.filter(({ msg }) => String(msg).startsWith("health")).length);
  }
  assertEquals(told, [0, 1, 1, 2, 2]);
  const [failed, passed] = site.lines.filter(({ msg }) => String(msg).startsWith("health"));
  assertEquals([failed?.["level"], failed?.["msg"], failed?.["check"]], [
    "error",
    "health check failed",
    "db",
  ]);
  assertMatch(JSON.stringify(failed?.["error"]), /no connection.*stack/);
  assertEquals([passed?.["level"], passed?.["msg"], passed?.["check"]], [
    "info",
    "health check passes again",
    "db",
  ]);
});

Deno.test("a probe is logged at debug, whatever it answers and logRequest says", async () => {
  const site = siteOf({ db: failing }, { config: { logRequest: () => true } });
  await ask(site, { headers: { "x-request-id": "r1" } });
  await ask(site, { path: "/_fw/health/live", method: "POST" });
  const lines = site.logged("request");
  assertEquals(
    lines.map(({ level, method, path, route, status }) => [
      level,
      method,
      path,
      route,
      status,
    ]),
    [
      ["debug", "GET", "/_fw/health/ready", "", 503],
      ["debug", "POST", "/_fw/health/live", "", 405],
    ],
  );
  assertEquals(lines[0]?.["request_id"], "r1");
});

Deno.test("Off logs no probe", async () => {
  const site = siteOf({}, { config: { logRequest: Off } });
  await ask(site);
  assertEquals(site.lines, []);
});

Deno.test("a probe passes no middleware, no limit, no policy and no host application", async () => {
  let runs = 0;
  const site = newSite([{
    pattern: "/{path...}",
    methods: { GET: (c) => c.text(200, "route") },
    middleware: [{ Middleware: (_c, next) => (runs++, next()) }],
  }], {
    config: {
      rateLimit: { rate: 0.001, burst: 1 },
      cors: { origins: ["https://a.example"] },
      allowedHosts: ["example.com"],
      observability: { cacheForMs: 0 },
    },
  });
  const handler = site.app.handler({ next: () => new Response("host", { status: 299 }) });
  for (let index = 0; index < 3; index++) {
    const response = await handler(
      new Request("http://10.1.2.3:8080/_fw/health", { headers: { origin: "https://a.example" } }),
    );
    assertEquals([response.status, await response.text()], [200, '{"status":"pass"}']);
    assertEquals(Object.fromEntries(response.headers), good);
  }
  assertEquals(runs, 0);
});

Deno.test("once the application stops, it is not ready, and a check that runs is told", async () => {
  const aborted = Promise.withResolvers<string>();
  const site = siteOf({
    db: (signal) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => {
          aborted.resolve(signal.reason.name);
          resolve();
        })
      ),
  });
  const running = ask(site);
  await site.app.shutdown();
  assertEquals(await aborted.promise, "AbortError");
  assertEquals((await running).status, 503);
  assertEquals((await ask(site)).status, 503);
  assertEquals((await ask(site, { path: "/_fw/health/live" })).status, 200);
});
