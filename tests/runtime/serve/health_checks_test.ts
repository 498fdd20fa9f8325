import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { type HealthCheck, NoTimeout } from "../../../mod.ts";
import { replaceClock } from "../../clock.ts";
import { ask, failing, readReport, siteOf } from "./probed_site.ts";
import { throwing } from "../app/support.ts";

const outcomes: readonly [title: string, fn: HealthCheck, status: string, error?: string][] = [
  ["returns", () => {}, "pass"],
  ["resolves", () => Promise.resolve(), "pass"],
  ["throws", failing, "fail", "no connection"],
  ["rejects", () => Promise.reject(new TypeError("no host")), "fail", "no host"],
  ["returns an error", () => new Error("given"), "fail", "given"],
  ["resolves with an error", () => Promise.resolve(new Error("given")), "fail", "given"],
  ["returns false", (() => false) as never, "fail", "the check gave false"],
  ["returns another value", (() => ({ rows: 1 })) as never, "pass"],
  ["throws an error without a message", throwing(new RangeError()), "fail", "RangeError"],
  ["rejects without a reason", () => Promise.reject(), "fail", "the thrown value is not an error"],
  ["rejects a string", () => Promise.reject("text"), "fail", "the thrown value is not an error"],
  ["throws a long message", throwing(new Error("x".repeat(5_000))), "fail", "x".repeat(1_000)],
];

for (const [title, fn, status, error] of outcomes) {
  Deno.test(`a check that ${title}: ${status}`, async () => {
    const answer = await ask(siteOf({ db: fn }));
    assertEquals(answer.status, status === "pass" ? 200 : 503);
    const more = error === undefined ? {} : { error };
    const check = { name: "db", status, duration_ms: -1, ...more };
    assertEquals(readReport(answer), { status, checks: [check], uptime_seconds: -1 });
  });
}

Deno.test("one failure of several checks fails the report; they run concurrently and keep their order", async () => {
  const order: string[] = [];
  const { promise: hasEnded, resolve } = Promise.withResolvers<void>();
  const record = (name: string, end: () => unknown): HealthCheck => async () => {
    order.push(`${name} starts`);
    await end();
    order.push(`${name} ends`);
  };
  const a = record("a", () => hasEnded);
  const c = record("c", () => setTimeout(resolve));
  const answer = await ask(siteOf({ a, b: failing, c }));
  assertEquals([order, answer.status], [["a starts", "c starts", "c ends", "a ends"], 503]);
  const { checks } = readReport(answer) as { checks: { name: string; status: string }[] };
  const found = checks.map(({ name, status }) => [name, status]);
  assertEquals(found, [["a", "pass"], ["b", "fail"], ["c", "pass"]]);
});

const refused: readonly [name: string, check: unknown, message: string][] = [
  ["", () => {}, "give it a name"],
  ["db", () => {}, "there is one of that name; choose another"],
  ["other", true, "use a function"],
];

for (const [name, check, message] of refused) {
  Deno.test(`app.check refuses ${JSON.stringify(name)}: ${message}`, () => {
    const site = siteOf({ db: () => {} });
    assertThrows(() => site.app.check(name, check as HealthCheck), TypeError, message);
  });
}

Deno.test("a slow check fails at its deadline, and its signal aborts", async () => {
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
      error: "timed out after 20 ms (config.observability.timeoutMs)",
    }],
    uptime_seconds: -1,
  });
  assertEquals(reasons, ["TimeoutError"]);
});

Deno.test("a check that hangs is not started again until it ends", async () => {
  let runs = 0;
  const gate = Promise.withResolvers<void>();
  const site = siteOf({
    db: () => {
      runs++;
      return runs === 1 ? gate.promise : undefined;
    },
  }, { observability: { timeoutMs: 100 } });
  using _clock = replaceClock({ isFrozen: true });
  const errors: unknown[] = [];
  for (let index = 0; index < 3; index++) {
    const { checks } = JSON.parse((await ask(site)).text);
    errors.push(checks[0].error.replace(/\d+ ms$/, "N ms"));
  }
  assertEquals(runs, 1);
  assertEquals(errors, [
    "timed out after 100 ms (config.observability.timeoutMs)",
    "still running after N ms",
    "still running after N ms",
  ]);
  gate.resolve();
  await gate.promise;
  await new Promise((resolve) => setTimeout(resolve, 0));
  assertEquals([(await ask(site)).status, runs], [200, 2]);
});

Deno.test("a check that never ends is abandoned after 30 deadlines and restarted", async () => {
  let runs = 0;
  const first = Promise.withResolvers<void>();
  const later = Promise.withResolvers<void>();
  const site = siteOf({
    db: () => [first.promise, later.promise][runs++],
  }, { observability: { timeoutMs: 100, cacheForMs: 0 } });
  using clock = replaceClock();
  assertEquals((await ask(site)).status, 503);
  clock.advance(3_000);
  assertEquals([(await ask(site)).status, runs], [503, 2]);
  // The end of the abandoned run does not count as that of the current one.
  first.resolve();
  await new Promise((resolve) => setTimeout(resolve, 0));
  assertEquals([(await ask(site)).status, runs], [503, 2]);
  later.resolve();
  await new Promise((resolve) => setTimeout(resolve, 0));
  assertEquals([(await ask(site)).status, runs], [200, 3]);
});

Deno.test("a check that fails after its deadline causes no unhandled rejection", async () => {
  const gate = Promise.withResolvers<void>();
  const site = siteOf({ db: () => gate.promise }, { observability: { timeoutMs: 5 } });
  assertEquals((await ask(site)).status, 503);
  gate.reject(new Error("too late to tell"));
  await new Promise((resolve) => setTimeout(resolve, 0));
});

Deno.test("NoTimeout waits for a check without a limit", async () => {
  const site = siteOf({ db: () => new Promise((resolve) => setTimeout(resolve, 30)) }, {
    observability: { timeoutMs: NoTimeout },
  });
  assertEquals((await ask(site)).status, 200);
});

Deno.test("a result is reused for cacheForMs by probes and healthReport", async () => {
  let runs = 0;
  const site = siteOf({ db: () => void runs++ }, { observability: { cacheForMs: 60 } });
  using clock = replaceClock({ isFrozen: true });
  for (let index = 0; index < 3; index++) await ask(site);
  await site.app.healthReport();
  assertEquals(runs, 1);
  clock.advance(60);
  await ask(site);
  assertEquals(runs, 2);
});

Deno.test("check: one added while others run is included in the next probe", async () => {
  const slow = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
  const site = siteOf({ slow }, { observability: { cacheForMs: 60_000 } });
  const first = site.app.healthReport();
  site.app.check("db", () => new Error("down"));
  assertEquals((await first).status, "pass");
  assertEquals((await site.app.healthReport()).status, "fail");
});

for (const cacheForMs of [0, NoTimeout]) {
  Deno.test(`cacheForMs ${cacheForMs} runs the checks each time`, async () => {
    let runs = 0;
    const site = siteOf({ db: () => void runs++ }, { observability: { cacheForMs } });
    for (let index = 0; index < 3; index++) await ask(site);
    assertEquals(runs, 3);
  });
}

Deno.test("concurrent probes share one run", async () => {
  let runs = 0;
  const site = siteOf({
    db: async () => {
      runs++;
      await new Promise((resolve) => setTimeout(resolve, 5));
    },
  });
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(site)));
  assertEquals([new Set(answers.map(({ status }) => status)), runs], [new Set([200]), 1]);
});

Deno.test("app.healthReport returns the probe's report", async () => {
  const site = siteOf({ db: failing, ok: () => {} });
  const { status, checks, uptimeSeconds } = await site.app.healthReport();
  assert(uptimeSeconds >= 0 && uptimeSeconds < 100);
  assertEquals(status, "fail");
  assertEquals(checks.map(({ durationMs, ...rest }) => (assert(durationMs >= 0), rest)), [
    { name: "db", status: "fail", error: "no connection" },
    { name: "ok", status: "pass", error: undefined },
  ]);
});

Deno.test("a check that starts to fail is logged once, and again when it passes", async () => {
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
  const found = [failed?.["level"], failed?.["msg"], failed?.["check"]];
  assertEquals(found, ["error", "health check failed", "db"]);
  assertMatch(JSON.stringify(failed?.["error"]), /no connection.*stack/);
  const seen = [passed?.["level"], passed?.["msg"], passed?.["check"]];
  assertEquals(seen, ["info", "health check passes again", "db"]);
});

Deno.test("a stopping application is not ready, and the signal of a running check aborts", async () => {
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
