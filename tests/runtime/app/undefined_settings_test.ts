import { assertEquals } from "@std/assert";
import { App, boot, type Settings } from "../../../mod.ts";
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
