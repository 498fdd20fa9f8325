/**
 * HTML bench: both pages rendered by every contender, in one process, in interleaved rounds. `deno
 * run -A bench/html/main.ts`
 */

import type { Measured } from "./measure.ts";

const own: readonly string[] = [
  "fw h.html",
  "fw JSX precompiled",
  "fw functions",
  "fw JSX automatic",
];

/** The targets for both pages: the faster contender, the slower one, and the factor. */
const targets: readonly {
  readonly fast: string;
  readonly slow: string;
  readonly factor: number;
}[] = [
  { fast: "fw JSX precompiled", slow: "preact-render-to-string", factor: 2.5 },
  ...["@kitajs/html", "hono/jsx", "react-dom/server", "vue"].map((slow) => ({
    fast: "fw JSX precompiled",
    slow,
    factor: 1,
  })),
  ...["@kitajs/html", "vue", "preact-render-to-string", "hono/jsx", "react-dom/server"].map(
    (slow) => ({ fast: "fw functions", slow, factor: 1 }),
  ),
  ...["ghtml", "eta", "hono/html"].map((slow) => ({ fast: "fw h.html", slow, factor: 1 })),
];

/**
 * Measures and reports.
 *
 * @returns A Markdown section: ratios to `h`'s functions, the targets, and the skipped contenders
 * with reasons.
 */
export async function run(): Promise<string> {
  return report(await measured());
}

async function measured(): Promise<Measured> {
  // A separate process, whose configuration compiles JSX with `precompile`.
  const here = new URL("./", import.meta.url);
  const command = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-lock",
      `--config=${new URL("bench.json", here).pathname}`,
      new URL("measure.ts", here).pathname,
    ],
    env: { NODE_ENV: "production", NO_COLOR: "1" },
    stderr: "inherit",
  });
  const { stdout, success } = await command.output();
  if (!success) throw new Error("Cannot measure HTML: the measuring process failed, see above");
  return JSON.parse(new TextDecoder().decode(stdout)) as Measured;
}

function report(result: Measured): string {
  const { large, small } = result.micros;
  const base = { large: large["fw functions"] ?? NaN, small: small["fw functions"] ?? NaN };
  const names = Object.keys(large).sort((a, b) => (large[a] ?? 0) - (large[b] ?? 0));
  const rows = names.map((name) => {
    const shown = own.includes(name) ? `**${name}**` : name;
    const ratio = [(large[name] ?? NaN) / base.large, (small[name] ?? NaN) / base.small];
    return `| ${shown} | ${ratio.map((value) => value.toFixed(2)).join(" | ")} |`;
  });
  return [
    "## HTML",
    "",
    `CPU time a page relative to \`h\`'s functions (lower is faster), joined and encoded; median of ` +
    `${result.rounds} interleaved rounds; pages of ${result.bytes.large} and ${result.bytes.small} ` +
    "bytes, equal by parsing. `deno run -A bench/html/main.ts`",
    "",
    "| | large | small |",
    "|---|---|---|",
    ...rows,
    "",
    "| must reach | large | small | |",
    "|---|---|---|---|",
    ...targets.map((target) => targetRow(result, target)),
    "",
    ...result.skipped.map((reason) => `- ${reason}`),
  ].join("\n").trimEnd() + "\n";
}

function targetRow(result: Measured, target: typeof targets[number]): string {
  const factor = (page: "large" | "small"): number =>
    (result.micros[page][target.slow] ?? NaN) / (result.micros[page][target.fast] ?? NaN);
  const [large, small] = [factor("large"), factor("small")];
  const isReached = large >= target.factor && small >= target.factor;
  const wanted = target.factor === 1 ? "ahead of" : `${target.factor} × as fast as`;
  const verdict = isReached ? "reached" : "**missed**";
  return `| ${target.fast} ${wanted} ${target.slow} | ${large.toFixed(2)} × | ${
    small.toFixed(2)
  } × | ${verdict} |`;
}

if (import.meta.main) console.log(await run());
