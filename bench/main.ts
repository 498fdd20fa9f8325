/**
 * Runs every bench and writes its section of `bench/RESULTS.md`.
 *
 * `deno task bench` runs all; `deno task bench html router` runs only these and keeps the other sections.
 *
 * @module
 */
import { join, toFileUrl } from "@std/path";
import { root, runDeno } from "../tools/workspace.ts";

/** The exports of `bench/<name>/main.ts`. */
interface BenchModule {
  /** Runs the bench and returns its section: Markdown with ratios; a missing heading is added. */
  run(): Promise<string>;
}

/** The benches, in the order of the report. */
const benches: readonly string[] = [
  "http",
  "static",
  "html",
  "tmpl",
  "router",
  "validate",
  "cache",
  "data",
  "jobs",
  "stores",
  "parallel",
  "ai",
  "mcp",
  "start",
  "tail",
  "export",
  "i18n",
  "types",
  "islands",
  "fragments",
  "growth",
];

function isBenchModule(module: object): module is BenchModule {
  return "run" in module && typeof module.run === "function";
}

/** Runs one bench; returns its section. */
async function runSection(name: string): Promise<string> {
  const path = `bench/${name}/main.ts`;
  console.error(`==> ${path}`);
  const module: object = await import(toFileUrl(join(root, path)).href);
  if (!isBenchModule(module)) {
    throw new TypeError(`Cannot run "${path}": export \`run(): Promise<string>\` from it.`);
  }
  const text = (await module.run()).trim();
  const [title, ...rest] = (text.startsWith("## ") ? text : `## ${name}\n\n${text}`).split("\n");
  return [title, "", `Measured on ${today()} by \`deno task bench ${name}\`.`, ...rest].join("\n");
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** Puts a section into the report: replaces the one with the same heading, or appends it. */
function placeSection(report: string, section: string): string {
  const [, ...sections] = report.split(/^(?=## )/m);
  const heading = section.slice(0, section.indexOf("\n") + 1);
  const index = sections.findIndex((each) => each.startsWith(heading));
  sections.splice(index < 0 ? sections.length : index, index < 0 ? 0 : 1, section);
  return sections.map((each) => each.trim() + "\n").join("\n");
}

/** Describes the machine and the versions of the measurement. */
async function readMachine(): Promise<string> {
  const rows = [
    `Deno ${Deno.version.deno}, V8 ${Deno.version.v8}, TypeScript ${Deno.version.typescript}`,
    `Node ${await readNodeVersion()}`,
    `${await readCpuModel()}, ${navigator.hardwareConcurrency} cores, ${Deno.build.target}`,
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

async function readReport(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

if (import.meta.main) {
  const unknown = Deno.args.filter((name) => !benches.includes(name));
  if (unknown.length > 0) {
    console.error(`Cannot run "${unknown.join('", "')}": the benches are ${benches.join(", ")}.`);
    Deno.exit(2);
  }
  const path = join(root, "bench/RESULTS.md");
  for (const name of Deno.args.length === 0 ? benches : Deno.args) {
    const section = await runSection(name);
    console.log(section);
    // Written after each bench, so that an interrupted run keeps its results.
    const sections = placeSection(await readReport(path), section);
    const head = `# Bench results\n\n${notes}\n\n${await readMachine()}\n`;
    await Deno.writeTextFile(path, `${head}\n${sections}`);
    await runDeno(["fmt", path]);
  }
}
