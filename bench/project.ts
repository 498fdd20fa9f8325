/**
 * An application in a separate folder, for benches of the command line.
 *
 * @module
 */
import { dirname, fromFileUrl, join } from "@std/path";
import { runGenerators } from "../cli/gen/generate.ts";
import { createProject } from "../cli/project/project.ts";

const checkout = fromFileUrl(new URL("..", import.meta.url)).replace(/\/$/, "");

/** The Deno arguments that run this checkout's command line. */
export const cliArgs: readonly string[] = [
  "run",
  "-A",
  "--config",
  join(checkout, "deno.json"),
  join(checkout, "cli/main.ts"),
];

/** A measured time. */
export interface TimedRow {
  readonly what: string;
  readonly ms: number;
  /** The maximum, if the measured program is fw. */
  readonly budgetMs?: number;
}

/** Runs a function in a temporary folder, which is removed afterwards. */
export async function inTemporaryFolder<T>(work: (dir: string) => Promise<T>): Promise<T> {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "fw-bench-" }));
  try {
    return await work(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** Writes a project that uses this checkout, and its generated file. */
export async function writeProject(
  root: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const manifest = { imports: { "@fw/fw": "jsr:@fw/fw@^0.1" }, links: [checkout] };
  for (const [path, text] of Object.entries({ "deno.json": JSON.stringify(manifest), ...files })) {
    await Deno.mkdir(dirname(join(root, path)), { recursive: true });
    await Deno.writeTextFile(join(root, path), text);
  }
  const result = await runGenerators(createProject(root));
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
}

/** Writes the rows of a table, with ratios to the first one. */
export function tableRows(
  rows: readonly TimedRow[],
  describe: (ms: number) => string,
): readonly string[] {
  const base = rows[0]?.ms ?? 1;
  return rows.map(({ what, ms, budgetMs }) => {
    const verdict = budgetMs === undefined
      ? "–"
      : `${describe(budgetMs)}: ${ms <= budgetMs ? "kept" : "**missed**"}`;
    return `| ${what} | ${describe(ms)} | ${(ms / base).toFixed(2)} | ${verdict} |`;
  });
}
