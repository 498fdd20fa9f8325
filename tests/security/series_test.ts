import { type Framework, type HostileRequest, testHostileRequests } from "./hostile.ts";

const token = "0123456789abcdef".repeat(2);

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

const rows: HostileRequest[] = [
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
  ): HostileRequest => ({
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

testHostileRequests("what clients make of metrics and checks", rows);
