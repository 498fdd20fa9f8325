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

const rows: readonly [name: string, setupMs: number, isLogged: boolean][] = [
  ["finishes in time", 0, false],
  ["takes longer", 50, true],
];

for (const [name, setupMs, isLogged] of rows) {
  Deno.test(`boot names a Setup that has not finished after ten seconds: ${name}`, async () => {
    const lines: string[] = [];
    const logger = createLogger({ write: (text) => void lines.push(text) });
    const Setup = () => new Promise<void>((resolve) => void setTimeout(resolve, setupMs));
    const { setTimeout } = globalThis;
    // Ten seconds take ten milliseconds.
    globalThis.setTimeout = ((run: () => void, ms: number) =>
      setTimeout(run, ms === 10_000 ? 10 : ms)) as typeof setTimeout;
    try {
      await using _app = await boot({ routes: [], setup: { Setup } }, { logger });
    } finally {
      globalThis.setTimeout = setTimeout;
    }
    assertEquals(
      lines.some((line) =>
        line.includes("Setup has not finished")
      ),
      isLogged,
    );
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
