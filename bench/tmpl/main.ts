/**
 * Template bench: both pages of `bench/html` rendered by every engine with escaping, in interleaved
 * rounds, and the time to parse 1,000 templates. `deno run -A bench/tmpl/main.ts`
 */

import type { TemplatesMeasured } from "./measure.ts";

const own = "fw templates";
const base = "fw functions";

const peers: readonly string[] = ["eta", "EJS", "handlebars", "nunjucks", "liquidjs"];

/** The maximum time of a page relative to `h`'s functions, and of parsing in milliseconds. */
const mostOfFunctions = 1.6;
const mostParseMs = 1_000;

/**
 * Measures and reports.
 *
 * @returns A Markdown section: ratios to `h`'s functions, and the targets.
 */
export async function run(): Promise<string> {
  return report(await measured("others"), await measured("nunjucks"));
}

async function measured(engines: "others" | "nunjucks"): Promise<TemplatesMeasured> {
  // A separate process, whose configuration has the imports of the add-on and the peers.
  const here = new URL("./", import.meta.url);
  const command = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-lock",
      `--config=${new URL("bench.json", here).pathname}`,
      new URL("measure.ts", here).pathname,
      engines,
    ],
    env: { NODE_ENV: "production", NO_COLOR: "1" },
    stderr: "inherit",
  });
  const { stdout, success } = await command.output();
  if (!success) {
    throw new Error("Cannot measure templates: the measuring process failed, see above");
  }
  return JSON.parse(new TextDecoder().decode(stdout)) as TemplatesMeasured;
}

/** Returns the ratio of two engines' times, for the large and the small page. */
type Factor = (fast: string, slow: string) => readonly [large: number, small: number];

function factorsOf({ pages: { micros: { large, small } } }: TemplatesMeasured): Factor {
  return (fast, slow) => [
    (large[slow] ?? NaN) / (large[fast] ?? NaN),
    (small[slow] ?? NaN) / (small[fast] ?? NaN),
  ];
}

function report(others: TemplatesMeasured, nunjucks: TemplatesMeasured): string {
  const { pages, parseMs } = others;
  // Only times of the same process are compared.
  const factor: Factor = (fast, slow) =>
    factorsOf(slow === "nunjucks" ? nunjucks : others)(fast, slow);
  const names = [...Object.keys(pages.micros.large), "nunjucks"]
    .sort((a, b) => factor(base, a)[0] - factor(base, b)[0]);
  const rows = names.map((name) => {
    const shown = name.startsWith("fw") ? `**${name}**` : name;
    return `| ${shown} | ${factor(base, name).map((value) => value.toFixed(2)).join(" | ")} |`;
  });
  const toFunctions = factor(base, own);
  return [
    "## Templates",
    "",
    "CPU time a page relative to `h`'s functions (lower is faster), escaping on, joined and encoded; " +
    `median of ${pages.rounds} interleaved rounds; pages of ${pages.bytes.large} and ` +
    `${pages.bytes.small} bytes, equal by parsing. Nunjucks runs in a process of its own, with ` +
    "those it is compared with: it changes how V8 compiles the methods of strings. " +
    "`deno run -A bench/tmpl/main.ts`",
    "",
    "| | large | small |",
    "|---|---|---|",
    ...rows,
    "",
    "| must reach | large | small | |",
    "|---|---|---|---|",
    ...peers.map((peer) => {
      const [a, b] = factor(own, peer);
      return `| ${own} ahead of ${peer} | ${a.toFixed(2)} × | ${b.toFixed(2)} × | ${
        verdict(a >= 1 && b >= 1)
      } |`;
    }),
    `| ${own} at most ${mostOfFunctions} × ${base} | ${
      toFunctions.map((value) => `${value.toFixed(2)} ×`).join(" | ")
    } | ${verdict(toFunctions.every((value) => value <= mostOfFunctions))} |`,
    `| 1,000 templates of 2 KB parsed, escaped and compiled in 1 s | ${
      Math.round(parseMs)
    } ms | | ${verdict(parseMs < mostParseMs)} |`,
    "",
    ...[...pages.skipped, ...nunjucks.pages.skipped].map((reason) => `- ${reason}`),
  ].join("\n").trimEnd() + "\n";
}

function verdict(isReached: boolean): string {
  return isReached ? "reached" : "**missed**";
}

if (import.meta.main) console.log(await run());
