import type { SecurityEvent, Settings } from "../../mod.ts";
import { ask, refusal, type Sent } from "./guard_app.ts";
import { type Framework, type HostileRequest, testHostileRequests } from "./mutant_app.ts";

const observers = "runtime/guard/observers.ts";
const watch = "runtime/app/watch_answer.ts";

const guards = {
  "the whole token": {
    path: observers,
    edits: [["equalSecrets(shown, token)", "shown.slice(0, 8) === token.slice(0, 8)"]],
  },
  "one Bearer credential": {
    path: observers,
    edits: [["/^Bearer +([A-Za-z0-9._~+/-]+=*)$/i", "/(?:^Bearer)?([A-Za-z0-9._~+/-]{32,}=*)/i"]],
  },
  "no endless header": {
    path: observers,
    edits: [["if (header.length > maxHeaderChars) return undefined;", ""]],
  },
  "trusted networks": {
    path: observers,
    edits: [["isInNetworks(address, networks)", "networks.length > 0"]],
  },
  "no unknown proxy": {
    path: observers,
    edits: [["forwardingHeaders.every((name) => !headers.has(name))", "true"]],
  },
  "X-Forwarded-For of nobody": {
    path: "runtime/guard/client_ip.ts",
    edits: [["return isTrusted && ip !== undefined", "return ip !== undefined"]],
  },
  "no name that points here": {
    path: observers,
    edits: [["(isHostAllowed || isFixedHost(c))", "true"]],
  },
  "no name where none is listed": {
    path: watch,
    edits: [["compiled.isAllowedHost?.(c) ?? false", "compiled.isAllowedHost?.(c) ?? true"]],
  },
  "metrics are for the authorised": {
    path: watch,
    edits: [['observer === "authorised"\n      ? answerMetrics', "true\n      ? answerMetrics"]],
  },
  "details are for the authorised": {
    path: watch,
    edits: [[
      'const isOpen = c.env === "dev" && (isHostAllowed || isFixedHost(c));',
      "const isOpen = true;",
    ]],
  },
  "details that are off": { path: watch, edits: [["details !== Off && ", ""]] },
  "reading only": {
    path: watch,
    edits: [['if (c.method !== "GET" && c.method !== "HEAD") {', "if (Math.random() > 1) {"]],
  },
  "one spelling": {
    path: "runtime/app/watch.ts",
    edits: [[
      "find: (sent) => byLength[sent.length]?.find(({ path }) => path === sent)?.endpoint",
      "find: (sent) => byLength.flat().find((own) => own && decodeURIComponent(sent).toLowerCase().includes(own.path))?.endpoint",
    ]],
  },
  "wrong tokens are reported": {
    path: watch,
    edits: [['if (observer === "refused")', "if (Math.random() > 1)"]],
  },
  "tokens at boot": {
    path: "runtime/base/observability.ts",
    edits: [["token.length < minSecretBytes", "token.length < 0"]],
  },
  "series are bounded": {
    path: "runtime/base/metric_family.ts",
    edits: [["this.#series.size < this.#options.maxSeries()", "this.#series.size < Infinity"]],
  },
  "values are bounded": {
    path: "runtime/base/metric_family.ts",
    edits: [["text.slice(0, maxValueChars)", "text"]],
  },
  "values are escaped": {
    path: "runtime/base/metric_text.ts",
    edits: [['/[\\\\"\\n]/.test(text)', "Math.random() > 1"]],
  },
  "methods are bounded": {
    path: "runtime/serve/request_metrics.ts",
    edits: [[
      "labels = [methods[slot] ?? other, route?.pattern ?? other] as const;\n    return",
      "labels = [methods[slot] ?? String(Math.random()), route?.pattern ?? other] as const;\n    return",
    ], [
      "return index < 0 ? methods.length : index;",
      "return index < 0 ? methods.length + Math.ceil(Math.random() * 1e6) : index;",
    ]],
  },
  "one run of the checks": {
    path: "runtime/serve/health_checks.ts",
    edits: [["await (this.#running ??= this.#run());", "await this.#run();"]],
  },
  "a result is kept": {
    path: "runtime/serve/health_checks.ts",
    edits: [["isWhole ? performance.now() + keepMs : -Infinity", "-Infinity"]],
  },
  "no check beside itself": {
    path: "runtime/serve/health_checks.ts",
    edits: [["if (check.pending !== undefined) {", "if (Math.random() > 1) {"]],
  },
} as const;

type Guard = keyof typeof guards;

const token = "0123456789abcdefghijklmnopqrstuvwxyzABCD==";

/** Somebody outside, and somebody whose address is trusted. */
const outside = "203.0.113.9";
const inside = "10.0.0.1";

type Observability = NonNullable<Settings["observability"]>;

/** A request for the metrics, or another one, that must come to nothing. */
function row(
  guard: Guard,
  name: string,
  options: {
    readonly sent: Sent;
    readonly settings?: Settings;
    readonly observability?: Observability;
    readonly want?: unknown;
  },
): HostileRequest<Guard> {
  const { sent, settings = {}, want = [401, "closed"] } = options;
  const observability = {
    metrics: "/metrics",
    token,
    trusted: ["10.0.0.0/8"],
    ...options.observability,
  };
  return {
    guard,
    name,
    run: async (fw) => {
      const answer = await ask(fw, { ...settings, observability }, {
        url: "http://localhost/metrics",
        peer: outside,
        ...sent,
      });
      const isOpen = /fw_build_info|"uptime_seconds"/.test(answer.text) ||
        answer.headers.get("content-type")?.includes("0.0.4") === true;
      return [answer.status, isOpen ? "open" : "closed"];
    },
    want,
  };
}

function authorization(guard: Guard, value: string, name = value): HostileRequest<Guard> {
  return row(guard, name, { sent: { headers: { authorization: value } } });
}

const probe = "http://localhost/_fw/health";

/** An application whose routes make series out of what clients send. */
async function scrapeAfter(
  fw: Framework,
  requests: readonly (readonly [method: string, value: string])[],
): Promise<string> {
  const app = new fw.App({
    logger: fw.createLogger({ write: () => {} }),
    observability: { metrics: "/metrics", token },
  });
  const counter = app.metrics.counter("q_total", "Q.", "q");
  app.route({
    pattern: "/q",
    methods: { GET: (c) => (counter.with(c.query("q") ?? "").inc(), c.noContent()) },
  });
  for (const [method, value] of requests) {
    const url = `http://localhost/q?q=${encodeURIComponent(value)}`;
    await (await app.fetch(new Request(url, { method }))).body?.cancel();
  }
  const response = await app.fetch(
    new Request("http://localhost/metrics", { headers: { authorization: `Bearer ${token}` } }),
  );
  return await response.text();
}

function linesOf(text: string, name: string): string[] {
  return text.split("\n").filter((line) => line.startsWith(name));
}

function numbered(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** How often a check runs while probes come in, and what they are answered. */
async function countRuns(
  fw: Framework,
  options: { readonly check: () => Promise<void>; readonly cacheForMs: number },
  probes: (ask: () => Promise<void>) => Promise<void>,
): Promise<unknown> {
  let runs = 0;
  const statuses = new Set<number>();
  const app = new fw.App({
    logger: fw.createLogger({ write: () => {} }),
    observability: { cacheForMs: options.cacheForMs, timeoutMs: 20 },
  });
  app.check("db", () => {
    runs++;
    return options.check();
  });
  await probes(async () => {
    const response = await app.fetch(new Request(probe));
    statuses.add(response.status);
    await response.body?.cancel();
  });
  return [runs, ...statuses];
}

const rows: HostileRequest<Guard>[] = [
  ...[token.slice(0, -1), `${token}=`, token.slice(0, 8)].map((guess) =>
    authorization("the whole token", `Bearer ${guess}`)
  ),
  authorization("the whole token", `Bearer ${token.slice(0, 40)}`, "the token without its padding"),
  authorization("the whole token", `Bearer ${token.replace("z", "Z")}`, "one letter in capitals"),
  authorization("the whole token", `Bearer ${token.replace("D", "E")}`, "one letter is another"),
  ...[
    token,
    `Basic ${token}`,
    `Token ${token}`,
    `Bearer:${token}`,
    `Bearer${token}`,
    `Bearer "${token}"`,
    `Bearer\t${token}`,
    `Bearer ${token} x`,
    `Bearer ${token}x`,
    `Bearer ${token},`,
    `Bearer ${token}, Bearer ${token}`,
    `Bearer wrong, Bearer ${token}`,
    `Basic eDp4, Bearer ${token}`,
    `Bearer token=${token}`.replace("=", ":"),
  ].map((value) => authorization("one Bearer credential", value)),
  authorization("no endless header", `Bearer${" ".repeat(5_000)}${token}`, "5,000 spaces"),
  ...[outside, "11.0.0.1", "9.255.255.255", "::1", "2001:db8::1", "::ffff:203.0.113.9"].map((
    peer,
  ) => row("trusted networks", `from ${peer}`, { sent: { peer } })),
  ...[
    ["x-forwarded-for", outside],
    ["x-forwarded-for", inside],
    ["x-forwarded-for", "garbage"],
    ["x-forwarded-for", ""],
    ["forwarded", `for=${outside}`],
    ["via", "1.1 proxy"],
    ["x-real-ip", outside],
    ["x-forwarded-host", "example.com"],
    ["x-forwarded-proto", "https"],
  ].map(([name = "", value = ""]) =>
    row("no unknown proxy", `${name}: ${value} from a proxy that nobody declared`, {
      sent: { peer: inside, headers: { [name]: value } },
    })
  ),
  row("no unknown proxy", "a declared proxy that does not tell whom it got the request from", {
    settings: { trustedProxies: [inside] },
    sent: { peer: inside, headers: { via: "1.1 proxy" } },
  }),
  ...[inside, `${inside}, ${inside}`, `${outside}, ${inside}`].map((list) =>
    row("X-Forwarded-For of nobody", `X-Forwarded-For: ${list} from outside`, {
      sent: { headers: { "x-forwarded-for": list } },
    })
  ),
  ...["evil.example", "10.0.0.1.evil.example", "localhost.evil.example", "evil.example:80"].map((
    host,
  ) =>
    row("no name that points here", `a page of ${host} in a browser of the network`, {
      settings: { allowedHosts: ["example.com"] },
      sent: { url: `http://${host}/metrics`, peer: inside },
    })
  ),
  ...["evil.example", "10.0.0.1.evil.example", "localhost.evil.example", "0x0a000001.example"].map(
    (host) =>
      row("no name where none is listed", `a page of ${host} in a browser of the network`, {
        sent: { url: `http://${host}/metrics`, peer: inside },
      }),
  ),
  row("no name where none is listed", "a page of evil.example in a browser of a developer", {
    settings: { env: "dev" },
    sent: { url: "http://evil.example/_fw/health" },
    want: [200, "closed"],
  }),
  ...["GET", "HEAD"].map((method) =>
    row("metrics are for the authorised", `${method} without anything`, { sent: { method } })
  ),
  row("metrics are for the authorised", "in development", {
    settings: { env: "dev" },
    sent: {},
  }),
  row("metrics are for the authorised", "without a token and a network", {
    observability: { token: undefined, trusted: [] },
    sent: { headers: { authorization: "Bearer undefined" }, peer: inside },
  }),
  row("metrics are for the authorised", "the token in the query", {
    sent: { url: `http://localhost/metrics?token=${token}&access_token=${token}` },
  }),
  row("metrics are for the authorised", "the token in a cookie and in other headers", {
    sent: {
      headers: {
        cookie: `token=${token}`,
        "x-api-key": token,
        "proxy-authorization": `Bearer ${token}`,
      },
    },
  }),
  row("details are for the authorised", "in production", {
    sent: { url: probe },
    want: [200, "closed"],
  }),
  row("details are for the authorised", "of the live probe", {
    sent: { url: `${probe}/live` },
    want: [200, "closed"],
  }),
  row("details are for the authorised", "a foreign host in development", {
    settings: { env: "dev", allowedHosts: ["example.com"] },
    sent: { url: "http://evil.example/_fw/health" },
    want: [200, "closed"],
  }),
  row("details that are off", "with the token", {
    observability: { details: Symbol.for("fw.Off") as never },
    sent: { url: probe, headers: { authorization: `Bearer ${token}` } },
    want: [200, "closed"],
  }),
  row("details that are off", "from a trusted address", {
    observability: { details: Symbol.for("fw.Off") as never },
    sent: { url: probe, peer: inside },
    want: [200, "closed"],
  }),
  ...["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "METRICS"].map((method) =>
    row("reading only", `${method} with the token`, {
      sent: {
        method,
        headers: { authorization: `Bearer ${token}`, "x-http-method-override": "GET" },
      },
      want: [405, "closed"],
    })
  ),
  ...[
    "/%6detrics",
    "/METRICS",
    "/Metrics",
    "/metrics/",
    "//metrics",
    "/metrics;v=1",
    "/metrics%20",
    "/x/metrics",
    "/metrics.txt",
    "/metrics%3Fx",
  ].map((path) =>
    row("one spelling", `${path} with the token`, {
      sent: {
        url: `http://localhost${path}`,
        headers: { authorization: `Bearer ${token}` },
      },
      want: [404, "closed"],
    })
  ),
  ...[probe, `${probe}/live`, "http://localhost/metrics"].map((url): HostileRequest<Guard> => ({
    guard: "wrong tokens are reported",
    name: `a guess at ${url}`,
    run: async (fw) => {
      const events: SecurityEvent[] = [];
      await ask(fw, {
        onSecurityEvent: (event) => void events.push(event),
        observability: { metrics: "/metrics", token },
      }, { url, headers: { authorization: "Bearer guess" } });
      return events.map(({ kind, reason, ip }) => [kind, reason, ip]);
    },
    want: [["auth", "observability-token", "192.0.2.5"]],
  })),
  ...["", "secret", "k".repeat(31)].map((short): HostileRequest<Guard> => ({
    guard: "tokens at boot",
    name: `a token of ${short.length} characters`,
    run: (fw) =>
      Promise.resolve(refusal(fw, { observability: { token: short.replace(/^$/, "k") } })),
    want: "refused",
  })),
  {
    guard: "series are bounded",
    name: "1,500 values of a label",
    run: async (fw) => {
      const requests = numbered(1_500).map((index) => ["GET", `v${index}`] as const);
      return linesOf(await scrapeAfter(fw, requests), "q_total{").length;
    },
    want: 1_001,
  },
  {
    guard: "values are bounded",
    name: "values of 8,000 characters",
    run: async (fw) => {
      const requests = numbered(100).map((index) =>
        ["GET", `${index}`.padStart(4, "0") + "x".repeat(8_000)] as const
      );
      return (await scrapeAfter(fw, requests)).length < 40_000;
    },
    want: true,
  },
  ...['"} 1\nfw_panics_total 999\nq_total{q="', '\\"} 9\n', '"', "\\", "\n", "a\nb"].map((
    value,
  ): HostileRequest<Guard> => ({
    guard: "values are escaped",
    name: `a value that writes lines: ${JSON.stringify(value)}`,
    run: async (fw) => {
      const text = await scrapeAfter(fw, [["GET", value]]);
      const sample = /^[a-z_:]+(?:\{(?:[a-z_]+="(?:[^"\\\n]|\\[\\"n])*",?)*\})? [^ ]+$/;
      return text.trimEnd().split("\n").filter((line) => !line.startsWith("# "))
        .every((line) => sample.test(line)) && linesOf(text, "fw_panics_total 999").length === 0;
    },
    want: true,
  })),
  {
    guard: "methods are bounded",
    name: "300 methods that nobody knows",
    run: async (fw) => {
      const requests = numbered(300).map((index) => [`X${index}`, "a"] as const);
      return linesOf(await scrapeAfter(fw, requests), "fw_request_duration_seconds_count").length;
    },
    want: 1,
  },
  {
    guard: "one run of the checks",
    name: "50 probes at once",
    run: (fw) =>
      countRuns(fw, {
        check: () => new Promise((resolve) => setTimeout(resolve, 5)),
        cacheForMs: 1_000,
      }, async (send) => {
        await Promise.all(numbered(50).map(send));
      }),
    want: [1, 200],
  },
  {
    guard: "a result is kept",
    name: "50 probes one after another",
    run: (fw) =>
      countRuns(fw, { check: () => Promise.resolve(), cacheForMs: 60_000 }, async (send) => {
        for (const _ of numbered(50)) await send();
      }),
    want: [1, 200],
  },
  {
    guard: "no check beside itself",
    name: "probes of a check that hangs",
    run: async (fw) => {
      const gate = Promise.withResolvers<void>();
      const runs = await countRuns(
        fw,
        { check: () => gate.promise, cacheForMs: 0 },
        async (send) => {
          for (const _ of numbered(3)) await send();
        },
      );
      gate.resolve();
      return runs;
    },
    want: [1, 503],
  },
];

testHostileRequests("an observer", { guards, rows });
