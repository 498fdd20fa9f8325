import { assertEquals, assertThrows } from "@std/assert";
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
