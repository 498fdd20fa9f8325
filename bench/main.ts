/**
 * Runs every bench against its peers and writes `bench/RESULTS.md`.
 *
 * `deno task bench` runs all; `deno task bench html router` runs only those and leaves the file alone.
 *
 * @module
 */
import { join, toFileUrl } from "@std/path";
import { isThere, root, runDeno } from "../tools/workspace.ts";

/** What `bench/<name>/main.ts` exports. */
interface BenchModule {
  /** Runs the bench and gives its section: Markdown with ratios; a heading is added where it has none. */
  run(): Promise<string>;
}

/** The benches, in the order of the report. */
const benches: readonly string[] = [
  "http",
  "static",
  "html",
  "router",
  "validate",
  "cache",
  "start",
  "export",
  "types",
];

function isBenchModule(module: object): module is BenchModule {
  return "run" in module && typeof module.run === "function";
}

/** Runs one bench; a missing one is named instead of left out. */
async function runSection(name: string): Promise<string> {
  const path = `bench/${name}/main.ts`;
  if (!await isThere(path)) {
    console.error(`skipped: ${path} is not written yet`);
    return `## ${name}\n\nNot measured: \`${path}\` is not written yet.\n`;
  }
  console.error(`==> ${path}`);
  const module: object = await import(toFileUrl(join(root, path)).href);
  if (!isBenchModule(module)) {
    throw new TypeError(`Cannot run "${path}": export \`run(): Promise<string>\` from it.`);
  }
  const section = (await module.run()).trim();
  return section.startsWith("## ") ? `${section}\n` : `## ${name}\n\n${section}\n`;
}

/** Describes what the numbers were measured on. */
async function readMachine(): Promise<string> {
  const rows = [
    `Deno ${Deno.version.deno}, V8 ${Deno.version.v8}, TypeScript ${Deno.version.typescript}`,
    `Node ${await readNodeVersion()}`,
    `${await readCpuModel()}, ${navigator.hardwareConcurrency} cores, ${Deno.build.target}`,
    `${new Date().toISOString().slice(0, 10)}`,
    "Command: `deno task bench`",
  ];
  return rows.map((row) => `- ${row}`).join("\n");
}

async function readCpuModel(): Promise<string> {
  try {
    const text = await Deno.readTextFile("/proc/cpuinfo");
    return /^model name\s*:\s*(.+)$/m.exec(text)?.[1] ?? "unknown processor";
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "unknown processor";
    throw error;
  }
}

async function readNodeVersion(): Promise<string> {
  try {
    const { stdout } = await new Deno.Command("node", { args: ["--version"] }).output();
    return new TextDecoder().decode(stdout).trim().replace(/^v/, "");
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "not installed";
    throw error;
  }
}

const notes =
  `Ratios against peers that ran in the same process round by round, medians; a bare time
says more about the machine than about the code.`;

if (import.meta.main) {
  const chosen = Deno.args.length === 0 ? benches : Deno.args;
  const sections: string[] = [];
  for (const name of chosen) sections.push(await runSection(name));
  const report = `# Bench results\n\n${notes}\n\n${await readMachine()}\n\n${sections.join("\n")}`;
  console.log(report);
  if (Deno.args.length === 0) {
    const path = join(root, "bench/RESULTS.md");
    await Deno.writeTextFile(path, report);
    await runDeno(["fmt", path]);
  }
}
