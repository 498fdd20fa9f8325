import { assertEquals, assertRejects } from "@std/assert";
import { App, boot, createLogger, type Settings } from "../../../mod.ts";
import { defaultConfig } from "../../../runtime/base/config/config.ts";

// The type allows `undefined` for the optional values only; untyped code passes it for any.
const undefinedSettings = Object.fromEntries(
  Object.keys(defaultConfig()).map((name) => [name, undefined]),
) as Settings;

Deno.test("a setting that is undefined keeps its default", () => {
  assertEquals(new App(undefinedSettings).config, new App().config);
});

for (const name of ["timeouts", "bodyLimits", "observability"] as const) {
  Deno.test(`a setting in config.${name} that is undefined keeps its default`, () => {
    const group = Object.fromEntries(
      Object.keys(defaultConfig()[name]).map((each) => [each, undefined]),
    );
    const settings = { [name]: group } as Settings;
    assertEquals(new App(settings).config[name], defaultConfig()[name]);
  });
}

Deno.test("boot treats undefined settings as absent, including those of Config", async () => {
  const app = await boot({
    routes: [],
    setup: {
      Config: (config) => {
        Object.assign(config, { addr: undefined, csrf: undefined, allowedHosts: undefined });
      },
    },
  }, { ...undefinedSettings, timeouts: { readMs: 5 } });
  const { addr, csrf, allowedHosts, timeouts, env } = app.config;
  assertEquals({ addr, csrf, allowedHosts, env, timeouts }, {
    addr: ":3000",
    csrf: {},
    allowedHosts: [],
    env: "prod",
    timeouts: { ...defaultConfig().timeouts, readMs: 5 },
  });
  await app.shutdown();
});

for (const isLate of [false, true]) {
  const what = isLate
    ? "warns of a Setup that takes"
    : "does not warn of a Setup that takes less than";
  Deno.test(`boot ${what} ten seconds`, async () => {
    const lines: string[] = [];
    const logger = createLogger({ write: (text) => void lines.push(text) });
    const { timeout } = AbortSignal;
    const clock = new AbortController();
    AbortSignal.timeout = (ms) => ms === 10_000 ? clock.signal : timeout.call(AbortSignal, ms);
    try {
      const Setup = async (): Promise<void> => {
        await Promise.resolve();
        if (isLate) clock.abort();
      };
      await using _app = await boot({ routes: [], setup: { Setup } }, { logger });
      clock.abort();
    } finally {
      AbortSignal.timeout = timeout;
    }
    const found = lines.filter((line) => line.includes("Setup has not finished")).length;
    assertEquals(found, isLate ? 1 : 0);
  });
}

for (const when of ["at once", "later"]) {
  Deno.test(`shutdown ends all work and runs Shutdown although one end throws ${when}`, async () => {
    const calls: string[] = [];
    const app = new App({}, { setup: { Shutdown: () => void calls.push("Shutdown") } });
    app.onStart(() => () => {
      calls.push("first");
      if (when === "at once") throw new Error("cannot end");
      return Promise.reject(new Error("cannot end"));
    });
    app.onStart(() => () => void calls.push("second"));
    await app.startWork();
    await assertRejects(() => app.shutdown(), Error, "cannot end");
    assertEquals(calls, ["first", "second", "Shutdown"]);
  });
}
