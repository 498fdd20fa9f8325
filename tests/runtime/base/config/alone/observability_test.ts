import { assertEquals, assertNotMatch, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { App, configFromEnv, NoTimeout, Off, type Settings } from "../../../../../mod.ts";
import { newSite, textRoute } from "../../../app/support.ts";
import { runWithEnv } from "../../with_env.ts";
import { newFolder } from "../../../../new_folder.ts";

type Observability = NonNullable<Settings["observability"]>;

const token = "0123456789abcdef".repeat(2);

const defaults = {
  health: "/_fw/health",
  metrics: undefined,
  token: undefined,
  trusted: [],
  details: undefined,
  timeoutMs: 2_000,
  cacheForMs: 1_000,
  maxSeries: 1_000,
  incidents: undefined,
};

const read: readonly [variables: Record<string, string>, want: Observability][] = [
  [{}, {}],
  [{ FW_OBS_TOKEN: token }, { token }],
  [{ FW_METRICS: "/metrics" }, { metrics: "/metrics" }],
  [{ FW_METRICS: "" }, {}],
  [{ FW_INCIDENTS: ".fw/incidents" }, { incidents: ".fw/incidents" }],
  [{ FW_OBS_TRUSTED: "10.0.0.0/8, ::1" }, { trusted: ["10.0.0.0/8", "::1"] }],
];

for (const [variables, want] of read) {
  Deno.test(`configFromEnv reads ${JSON.stringify(variables)}`, () => {
    runWithEnv(variables, () => {
      assertEquals(configFromEnv().observability, { ...defaults, ...want });
    });
  });
}

Deno.test("configFromEnv refuses FW_OBS_TRUSTED without an entry", () => {
  runWithEnv({ FW_OBS_TRUSTED: "," }, () => {
    assertThrows(() => configFromEnv(), TypeError, "Cannot read FW_OBS_TRUSTED");
  });
});

Deno.test("observability: each setting overrides its own default only", () => {
  const { config } = new App({ observability: { metrics: "/m", health: Off } });
  assertEquals(config.observability, { ...defaults, metrics: "/m", health: Off });
});

const accepted: readonly Observability[] = [
  { health: Off },
  { health: "/healthz", metrics: "/internal/metrics" },
  { metrics: "" },
  { metrics: "/_fw/metrics" },
  { metrics: "/_fw/health/metrics" },
  { token: "x".repeat(32) },
  { token: `${"aZ09-._~+/".repeat(4)}==` },
  { trusted: ["127.0.0.1", "::1", "10.0.0.0/8", "2001:db8::/32"] },
  { details: Off },
  { timeoutMs: NoTimeout, cacheForMs: NoTimeout },
  { timeoutMs: 1, cacheForMs: 0, maxSeries: 1 },
];

for (const settings of accepted) {
  Deno.test(`observability accepts ${JSON.stringify(settings)}`, () => {
    new App({ observability: settings }).handler();
  });
}

const path = "write a path such as";

const refused: readonly [settings: Record<string, unknown>, message: string][] = [
  [{ metric: "/m" }, "Cannot set config.observability.metric: there is no such setting"],
  ...[..."metrics / // /a/ /a//b /a/../b /./a /a?b /a#b /a%20b /é".split(" "), " /a"].map((text) =>
    [{ metrics: text }, `(FW_METRICS) to "${text}": ${path}`] as [Record<string, unknown>, string]
  ),
  ...["", "/", "health", "/health/", "/a b"].map((text) =>
    [{ health: text }, `observability.health to "${text}": ${path}`] as [
      Record<string, unknown>,
      string,
    ]
  ),
  ...[
    "/_fw/health",
    "/_fw/health/live",
    "/_fw/health/ready",
    "/_fw/events",
    "/_fw/events/reload.js",
  ]
    .map((text) =>
      [{ metrics: text }, "the framework serves something else there"] as [
        Record<string, unknown>,
        string,
      ]
    ),
  [{ health: "/h", metrics: "/h/live" }, "the framework serves something else there"],
  [{ health: 1 }, 'observability.health to "1": write a path, or Off'],
  [{ metrics: Off }, "observability.metrics to"],
  [{ details: "none" }, 'observability.details to "none": write Off, or leave it out'],
  [{ trusted: "10.0.0.0/8" }, "observability.trusted to"],
  [{ trusted: ["10.0.0.0/33"] }, 'Cannot trust "10.0.0.0/33" (config.observability.trusted'],
  [{ trusted: ["localhost"] }, 'Cannot trust "localhost" (config.observability.trusted'],
  [{ timeoutMs: 0 }, 'observability.timeoutMs to "0": use 1 to 2147483647'],
  [{ timeoutMs: -1 }, 'observability.timeoutMs to "-1"'],
  [{ timeoutMs: NaN }, 'observability.timeoutMs to "NaN"'],
  [{ timeoutMs: 2 ** 31 }, 'observability.timeoutMs to "2147483648"'],
  [{ timeoutMs: "2s" }, 'observability.timeoutMs to "2s": use 1 to'],
  [{ cacheForMs: -1 }, 'observability.cacheForMs to "-1": use 0 to'],
  [{ cacheForMs: NaN }, 'observability.cacheForMs to "NaN"'],
  [{ maxSeries: 0 }, 'observability.maxSeries to "0": use an integer from 1 up'],
  [{ maxSeries: 1.5 }, 'observability.maxSeries to "1.5"'],
  [{ maxSeries: Infinity }, 'observability.maxSeries to "Infinity"'],
];

for (const [settings, message] of refused) {
  Deno.test(`observability refuses ${JSON.stringify(settings)}: ${message}`, () => {
    assertThrows(() => new App({ observability: settings }).handler(), Error, message);
  });
}

const badTokens: readonly [token: unknown, message: string][] = [
  ["k".repeat(31), "of 31 characters: use 32 or more"],
  ["", "of 0 characters"],
  [`k${" ".repeat(40)}k`, "a header carries letters"],
  [`${"k".repeat(40)}\n`, "a header carries letters"],
  [`${"k".repeat(40)},`, "a header carries letters"],
  [`${"k".repeat(40)}é`, "a header carries letters"],
  [`=${"k".repeat(40)}`, "a header carries letters"],
  [1234567890, "use a string"],
  [new Uint8Array(32), "use a string"],
];

for (const [bad, message] of badTokens) {
  Deno.test(`observability refuses a token without quoting it: ${message} (${typeof bad})`, () => {
    const settings = { token: bad } as Observability;
    const make = () => new App({ observability: settings }).handler();
    const error = assertThrows(make, Error, message);
    assertNotMatch(error.message, /kkkk|123456/);
  });
}

Deno.test("observability refuses to hide a route and names its file", () => {
  const app = new App({ observability: { metrics: "/metrics" } });
  app.route({ ...textRoute("/metrics"), source: "app/metrics/route.ts" });
  const message =
    'Cannot serve "/metrics" (config.observability.metrics (FW_METRICS)): the route "/metrics" (app/metrics/route.ts) is there; choose another path for one of them.';
  assertThrows(() => app.handler(), TypeError, message);
  const probes = new App({ observability: { health: "/health" } });
  probes.route(textRoute("/health/live"));
  assertThrows(() => probes.handler(), TypeError, 'Cannot serve "/health/live"');
});

for (const env of ["dev", "prod"] as const) {
  Deno.test(`observability refuses to hide a static file: ${env}`, async () => {
    await using temporary = await newFolder();
    const folder = temporary.path;
    await Deno.mkdir(join(folder, "health"));
    await Deno.writeTextFile(join(folder, "metrics"), "mine");
    await Deno.writeTextFile(join(folder, "health/ready"), "mine");
    const secret = "s".repeat(32);
    const open = (observability: Partial<Observability>, basePath = ""): App =>
      new App({ env, secret, basePath, public: folder, observability });
    const message =
      'Cannot serve "/metrics" (config.observability.metrics (FW_METRICS)): a static file is there; choose another path for one of them.';
    assertThrows(() => open({ metrics: "/metrics" }, "/shop").handler(), TypeError, message);
    const text =
      'Cannot serve "/health/ready" (config.observability.health): a static file is there;';
    assertThrows(() => open({ health: "/health" }).handler(), TypeError, text);
    open({ metrics: "/metrics.txt" }).handler();
  });
}

Deno.test("observability: boot does not query a custom file source", () => {
  const get = (name: string): never => {
    throw new Error(`asked for ${name}`);
  };
  new App({ public: { get }, observability: { metrics: "/metrics" } }).handler();
});

Deno.test("observability: an endpoint takes precedence over a route with parameters", async () => {
  const routes = [textRoute("/{path...}", "caught")];
  const { app } = newSite(routes, { config: { observability: { metrics: "/metrics" } } });
  const statuses = [];
  for (const path of ["/metrics", "/_fw/health", "/_fw/health/x"]) {
    const response = await app.fetch(new Request(`http://localhost${path}`));
    statuses.push(response.status, (await response.text()).slice(0, 17));
  }
  assertEquals(statuses, [401, '{"type":"about:bl', 200, '{"status":"pass"}', 200, "caught"]);
});
