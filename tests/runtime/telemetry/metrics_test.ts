import {
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertStrictEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import type { Counter, Metrics } from "../../../mod.ts";
import { formatMetrics, MetricRegistry } from "../../../runtime/telemetry/metric_registry.ts";

function newRegistry(maxSeries = 1_000): {
  readonly metrics: MetricRegistry;
  readonly overflowed: readonly string[];
  readonly text: () => string;
} {
  const overflowed: string[] = [];
  const metrics = new MetricRegistry({
    maxSeries: () => maxSeries,
    onOverflow: ({ name }) => void overflowed.push(name),
  });
  return { metrics, overflowed, text: () => formatMetrics(metrics) };
}

/** Replaces `name type` by the two lines that introduce a metric of that name. */
function introduce(line: string): string[] {
  const [, name, type] = /^(\w+) (counter|gauge|histogram)$/.exec(line) ?? [];
  if (name === undefined) return [line];
  return [`# HELP ${name} ${name[0]?.toUpperCase()}.`, `# TYPE ${name} ${type}`];
}

function count(m: Metrics, labels: readonly string[], ...values: (string | number)[][]): void {
  const counter: Counter = m.counter("a_total", "A.", ...labels);
  for (const each of values) counter.with(...each).inc();
}

const bounds = "0.001 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10".split(" ");

const written: readonly [title: string, use: (metrics: Metrics) => void, lines: string[]][] = [
  ["a counter without labels starts at 0", (m) => void m.counter("a_total", "A."), ["a_total 0"]],
  ["a counter counts", (m) => {
    const counter = m.counter("a_total", "A.");
    counter.inc();
    for (const value of [2.5, 0]) counter.add(value);
  }, ["a_total 3.5"]],
  ["a metric with labels has no series until one is used", (m) => count(m, ["city"]), []],
  ["each combination of values is a series", (m) => {
    count(m, ["city", "code"], ["Faro", 200], ["Faro", "200"], ["Faro", 404], ["", ""]);
  }, [
    'a_total{city="Faro",code="200"} 2',
    'a_total{city="Faro",code="404"} 1',
    'a_total{city="",code=""} 1',
  ]],
  ["values that are equal when joined are two series", (m) => {
    count(m, ["x", "y"], ['a","b', "c"], ["a", 'b","c']);
  }, ['a_total{x="a\\",\\"b",y="c"} 1', 'a_total{x="a",y="b\\",\\"c"} 1']],
  ["a gauge increases and decreases", (m) => {
    const gauge = m.gauge("g", "G.");
    gauge.set(10);
    gauge.inc();
    gauge.dec();
    gauge.dec();
    gauge.add(-0.5);
    m.gauge("h", "H.", "k").with("v").set(-1e30);
  }, ["g gauge", "g 8.5", "h gauge", 'h{k="v"} -1e+30']],
  ["a histogram counts into every bucket whose bound is not below the value", (m) => {
    const histogram = m.histogram("h_seconds", "H.", [0.1, 1]);
    for (const value of [-1, 0.1, 0.10001, 1, 5]) histogram.observe(value);
  }, [
    "h_seconds histogram",
    ...["0.1 2", "1 4", "+Inf 5"].map((text) => `h_seconds_bucket{le="${text.replace(" ", '"} ')}`),
    ...["h_seconds_sum 5.20001", "h_seconds_count 5"],
  ]],
  ["a histogram with labels writes `le` last", (m) => {
    m.histogram("h", "H.", [1], "k").with("v").observe(2);
  }, [
    ...["h histogram", 'h_bucket{k="v",le="1"} 0', 'h_bucket{k="v",le="+Inf"} 1'],
    ...['h_sum{k="v"} 2', 'h_count{k="v"} 1'],
  ]],
  ["a histogram has the buckets of request durations by default", (m) => {
    m.histogram("h", "H.", undefined);
  }, [
    "h histogram",
    ...[...bounds, "+Inf"].map((bound) => `h_bucket{le="${bound}"} 0`),
    ...["h_sum 0", "h_count 0"],
  ]],
  ["help and values are escaped", (m) => {
    m.counter("a_total", 'back\\slash, "quotes"\nline', "k").with('\\ " \n é 😀').inc();
  }, [
    '# HELP a_total back\\\\slash, "quotes"\\nline',
    ...["# TYPE a_total counter", 'a_total{k="\\\\ \\" \\n é 😀"} 1'],
  ]],
  ["a lone surrogate is replaced, as one series", (m) => {
    const counter = m.counter("a_total", "A.\ud800", "k");
    for (const value of ["\ud800", "\udfff"]) counter.with(value).inc();
  }, ["# HELP a_total A.\ufffd", "# TYPE a_total counter", 'a_total{k="\ufffd"} 2']],
  ["a value is truncated after 200 characters", (m) => {
    count(m, ["k"], ["x".repeat(200)], ["x".repeat(100_000)]);
  }, [`a_total{k="${"x".repeat(200)}"} 2`]],
];

for (const [title, use, lines] of written) {
  Deno.test(`Metrics: ${title}`, () => {
    const { metrics, text } = newRegistry();
    use(metrics);
    const isWhole = /^(# HELP|[gh]\w* (gauge|histogram))/.test(lines[0] ?? "");
    const want = (isWhole ? lines : ["a_total counter", ...lines]).flatMap(introduce);
    assertEquals(text(), want.join("\n") + "\n");
  });
}

Deno.test("Metrics: a repeated name returns the same metric, with its first help", () => {
  const { metrics, text } = newRegistry();
  assertStrictEquals(metrics.counter("a_total", "A."), metrics.counter("a_total", "B."));
  assertStrictEquals(metrics.gauge("g", "G.", "k"), metrics.gauge("g", "G.", "k"));
  const histogram = metrics.histogram("h", "H.", [1, 2], "k");
  assertStrictEquals(histogram, metrics.histogram("h", "H.", [1, 2], "k"));
  assertStrictEquals(histogram.with("v"), histogram.with("v"));
  assertEquals(text().match(/# HELP a_total .*/g), ["# HELP a_total A."]);
});

Deno.test("Metrics: a retained series keeps counting and ignores shared labels", () => {
  const { metrics, text } = newRegistry();
  const series = metrics.counter("a_total", "A.", "k").with("v");
  assertStrictEquals(series.with(), series);
  series.inc();
  series.with().inc();
  assertEquals(text().split("\n")[2], 'a_total{k="v"} 2');
});

Deno.test("Metrics: the compiler checks the number of labels", () => {
  const { metrics } = newRegistry();
  const counter = metrics.counter("a_total", "A.", "city", "code");
  // @ts-expect-error there are two labels
  assertThrows(() => counter.with("Faro"));
  const widened: Counter = counter;
  widened.with("Faro", 1).inc();
  const labels: string[] = ["x", "y"];
  metrics.counter("b_total", "B.", ...labels).with("1", "2").inc();
});

const overflows: readonly [title: string, max: number, values: string[], lines: string[]][] = [
  ["series over the limit become one", 2, ["a", "b", "c", "d", "a", "d"], [
    'x_total{k="a",l="1"} 2',
    'x_total{k="b",l="1"} 1',
    'x_total{k="other",l="other"} 3',
  ]],
  ["exactly the maximum does not overflow", 2, ["a", "b"], [
    'x_total{k="a",l="1"} 1',
    'x_total{k="b",l="1"} 1',
  ]],
];

for (const [title, max, values, lines] of overflows) {
  Deno.test(`Metrics maxSeries: ${title}`, () => {
    const { metrics, overflowed, text } = newRegistry(max);
    const counter = metrics.counter("x_total", "X.", "k", "l");
    for (const value of values) counter.with(value, "1").inc();
    assertEquals(text().trim().split("\n").slice(2), lines);
    assertEquals(overflowed, lines.some((line) => line.includes("other")) ? ["x_total"] : []);
  });
}

Deno.test("Metrics maxSeries: the application's own series called other is not duplicated", () => {
  const { metrics, text } = newRegistry(2);
  const gauge = metrics.gauge("g", "G.", "k");
  for (const value of ["other", "a", "b"]) gauge.with(value).inc();
  assertEquals(text().trim().split("\n").slice(2), ['g{k="other"} 2', 'g{k="a"} 1']);
});

Deno.test("Metrics maxSeries: applies to each metric and is reported once", () => {
  const { metrics, overflowed } = newRegistry(1);
  for (const name of ["a_total", "b_total"]) {
    const counter = metrics.counter(name, "X.", "k");
    for (const value of ["1", "2", "3"]) counter.with(value).inc();
  }
  metrics.counter("c_total", "C.").inc();
  assertEquals(overflowed, ["a_total", "b_total"]);
});

Deno.test("Metrics maxSeries: a report that counts in the same metric runs once", () => {
  let reports = 0;
  const metrics: MetricRegistry = new MetricRegistry({
    maxSeries: () => 1,
    onOverflow: () => lines.with(`report ${++reports}`).inc(),
  });
  const lines = metrics.counter("lines_total", "L.", "message");
  for (const message of ["a", "b"]) lines.with(message).inc();
  assertEquals(reports, 1);
});

const anyMetrics = (metrics: MetricRegistry): Metrics => metrics;

type Refusal = [act: string, use: (m: Metrics) => unknown, message: string];

const unlabelled: readonly [call: string, use: (m: Metrics) => unknown][] = [
  ["inc", (m) => m.counter("a", "A.", "k").inc()],
  ["add", (m) => m.counter("a", "A.", "k").add(1)],
  ["a gauge's inc", (m) => m.gauge("a", "A.", "k").inc()],
  ["a gauge's dec", (m) => m.gauge("a", "A.", "k").dec()],
  ["a gauge's add", (m) => m.gauge("a", "A.", "k").add(1)],
  ["a gauge's set", (m) => m.gauge("a", "A.", "k").set(1)],
  ["observe", (m) => m.histogram("a", "A.", [1], "k").observe(1)],
];

const refused: readonly Refusal[] = [
  ...["", "1a", "a-b", "a b", "é", "a\n", 'a{b="c"}', "a.b"].map((name): Refusal => {
    return [`the name ${JSON.stringify(name)}`, (m) => m.counter(name, "A."), "use letters"];
  }),
  ...["", "1a", "a:b", "a-b", "é", "k\n"].map((label): Refusal => {
    return [`the label ${JSON.stringify(label)}`, (m) => m.gauge("g", "G.", label), "use letters"];
  }),
  ["the label le", (m) => m.counter("a", "A.", "le"), "reserved"],
  ["a label reserved by Prometheus", (m) => m.counter("a", "A.", "__name__"), "reserved"],
  ["a label twice", (m) => m.counter("a", "A.", "k", "l", "k"), "twice"],
  ["another type of the same name", (m) => (m.counter("a", "A."), m.gauge("a", "A.")), "a counter"],
  [
    "other labels under the same name",
    (m) => (m.counter("a", "A.", "k"), m.counter("a", "A.", "l")),
    "its labels are (k)",
  ],
  [
    "labels in another order",
    (m) => (m.counter("a", "A.", "k", "l"), m.counter("a", "A.", "l", "k")),
    "its labels are (k, l)",
  ],
  [
    "other buckets under the same name",
    (m) => (m.histogram("h", "H.", [1]), m.histogram("h", "H.", [2])),
    "its buckets are (1)",
  ],
  [
    "a name that a histogram writes",
    (m) => (m.histogram("h", "H.", [1]), m.counter("h_count", "C.")),
    'writes lines of the name "h_count"',
  ],
  [
    "a histogram that writes an existing name",
    (m) => (m.gauge("h_sum", "G."), m.histogram("h", "H.", [1])),
    'writes lines of the name "h_sum"',
  ],
  ["too few values", (m) => (m.counter("a", "A.", "k", "l") as Counter).with("1"), "(k, l)"],
  ["too many values", (m) => (m.counter("a", "A.", "k") as Counter).with("1", "2"), "(k)"],
  ["values without labels", (m) => (m.counter("a", "A.") as Counter).with("1"), "no labels"],
  ["series values", (m) => (m.counter("a", "A.", "k").with("1") as Counter).with("2"), "no labels"],
  ...unlabelled.map(([call, use]): Refusal => [`${call} without labels`, use, "write .with(<k>)"]),
];

for (const [title, use, message] of refused) {
  Deno.test(`Metrics refuses ${title}`, () => {
    assertThrows(() => use(anyMetrics(newRegistry().metrics)), TypeError, message);
  });
}

const outOfRange: readonly [act: string, use: (m: Metrics) => unknown][] = [
  ...[-1, -Infinity, Infinity, NaN].map((value): [string, (m: Metrics) => unknown] => {
    return [`add(${value}) to a counter`, (m) => m.counter("a", "A.").add(value)];
  }),
  ...[-Infinity, Infinity, NaN].flatMap((value): [string, (m: Metrics) => unknown][] => [
    [`add(${value}) to a gauge`, (m) => m.gauge("a", "A.").add(value)],
    [`set(${value}) of a gauge`, (m) => m.gauge("a", "A.").set(value)],
    [`observe(${value})`, (m) => m.histogram("a", "A.", [1]).observe(value)],
  ]),
  ...[[], [1, 1], [2, 1], [NaN], [1, Infinity], [-Infinity, 1]]
    .map((buckets): [string, (m: Metrics) => unknown] => {
      return [`the buckets (${buckets})`, (m) => m.histogram("a", "A.", buckets)];
    }),
];

for (const [title, use] of outOfRange) {
  Deno.test(`Metrics refuses ${title} and keeps its values`, () => {
    const { metrics, text } = newRegistry();
    metrics.counter("kept_total", "K.").inc();
    const message = assertThrows(() => use(metrics), RangeError).message;
    assertMatch(message, /^Cannot /);
    assertNotMatch(text(), /NaN|Inf(?!"\} 0)/);
    assertStringIncludes(text(), "\nkept_total 1\n");
  });
}

Deno.test("Metrics: a refused metric leaves its name free", () => {
  const { metrics } = newRegistry();
  assertThrows(() => metrics.counter("a_total", "A.", "le"));
  metrics.gauge("a_total", "A.").set(1);
});

Deno.test("Metrics: copies the buckets of a histogram", () => {
  const { metrics, text } = newRegistry();
  const buckets = [1];
  metrics.histogram("h", "H.", buckets);
  buckets.push(0);
  assertEquals(text().match(/le="[^"]+"/g), ['le="1"', 'le="+Inf"']);
});
