/**
 * What `deno test` reports, read back: the counts of its summary line, the skipped tests of its
 * JUnit file.
 *
 * @module
 */
import { parseSkipReason } from "./skip.ts";

/** How many tests ended how. */
export interface TestCounts {
  /** Tests that passed. */
  passed: number;
  /** Tests that failed, and modules that threw. */
  failed: number;
  /** Ignored tests. */
  skipped: number;
}

const summary =
  /^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed(?: \([^)]*\))?(?: \| (\d+) ignored)?/gm;

/**
 * Reads the counts from what `deno test` printed.
 *
 * A module that does not load and an uncaught error are in the summary line but not in the JUnit
 * file, hence the line. The last one counts: a test may run `deno test` itself and print its output.
 *
 * @returns `undefined` when the runner ended before its summary.
 */
export function parseSummary(output: string): TestCounts | undefined {
  const last = [...output.matchAll(summary)].at(-1);
  if (last === undefined) return undefined;
  const [, passed, failed, skipped = "0"] = last;
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
}

/**
 * Reads the JUnit file of a run.
 *
 * @param path As for `Deno.readTextFile`.
 * @returns The text; empty when the run died before it wrote the file.
 */
export async function readReport(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

/** Lists why each ignored test was ignored, from the JUnit file of a run. */
export function parseSkips(junit: string): string[] {
  const skipped = /<testcase name="([^"]*)"[^>]*>\s*<skipped\/>/g;
  return [...junit.matchAll(skipped)].map(([, name = ""]) => {
    const text = unescapeXml(name);
    return parseSkipReason(text) ?? `"${text}" gives no reason`;
  });
}

/**
 * Sums how long the tests of each file took, in seconds, from what `deno test` printed. The JUnit file
 * names the file that defines a test instead, which may be a helper of many.
 */
export function parseDurations(output: string): Map<string, number> {
  const durations = new Map<string, number>();
  let running = "";
  for (const line of output.split("\n")) {
    running = fileOf(line) ?? running;
    const [, path = running, name = "", minutes = "0", count, unit = ""] = ended.exec(line) ?? [];
    // A step is counted in its test.
    if (count === undefined || /^ | \.\.\. /.test(name)) continue;
    const seconds = Number(minutes) * 60 + Number(count) * (unitSeconds[unit] ?? 0);
    durations.set(path, (durations.get(path) ?? 0) + seconds);
  }
  return durations;
}

/** Returns the file whose tests follow a line. */
function fileOf(line: string): string | undefined {
  return /^running \d+ tests? from (?:\.\/)?(\S+)$/.exec(line)?.[1];
}

const ended =
  /^(?:(?:\S+ => ?)?(?:\.\/)?(\S+\.tsx?) => ?)?(.+?) \.\.\. (?:ok|FAILED)(?: \([^()]*\))? \((?:(\d+)m)?([\d.]+)(s|ms|µs)\)$/;

const unitSeconds: Readonly<Record<string, number>> = { "s": 1, "ms": 1e-3, "µs": 1e-6 };

function unescapeXml(text: string): string {
  const characters: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name) => characters[name] ?? "");
}

/**
 * Cuts from each line the module of the group, which the runner wrote to a temporary folder and which
 * tells a reader nothing: the file of tests follows it. For printing; the parsers read either form.
 */
export function cutGroupPaths(output: string): string {
  return output.replaceAll(
    /^\S*\/?fw_tests_\w+\/group_\d+_test\.ts => (?=\S+_test\.tsx? => )/gm,
    "",
  );
}

/**
 * Lists the files in which something failed, from what `deno test` printed.
 *
 * @param files The files that ran, to tell them from those of a run that a test printed.
 * @returns None where an error outside every test belongs to no file: it took the tests of a whole group with
 * it, so that no run of single files can stand for them.
 */
export function parseFailedFiles(output: string, files: readonly string[]): string[] {
  const failed = new Set<string>();
  let running = "";
  for (const line of output.split("\n")) {
    running = fileOf(line) ?? running;
    const [, uncaught] = /^Uncaught error from (?:\.\/)?(\S+) FAILED$/.exec(line) ?? [];
    const isTest = / \.\.\. FAILED \(/.test(line);
    const [, named = running] = /^(?:\S+ => )?(?:\.\/)?(\S+\.tsx?) => /.exec(line) ?? [];
    const path = uncaught ?? (isTest ? named : "");
    if (files.includes(path)) failed.add(path);
    else if (uncaught !== undefined) return [];
  }
  return [...failed];
}

/**
 * Cuts from the output of a step what failed, to be shown again at the end of a run: the last section
 * `ERRORS` of `deno test`, or the last lines of a step that has none.
 *
 * @param options How many lines each of the errors may have.
 */
export function cutFailures(output: string, options: { readonly maxLines: number }): string {
  const lines = output.trimEnd().split("\n");
  const start = lines.findLastIndex((line) => line.trim() === "ERRORS");
  if (start < 0) return lines.slice(-options.maxLines).join("\n");
  const end = lines.findIndex((line, index) => index > start && line.trim() === "FAILURES");
  const errors: string[][] = [];
  for (const line of lines.slice(start + 1, end < 0 ? undefined : end)) {
    if (errors.length === 0 || / => \S+:\d+:\d+$/.test(line)) errors.push([]);
    errors.at(-1)?.push(line);
  }
  const cut = errors.map((error) => {
    const rest = error.length - options.maxLines;
    return rest > 0 ? [...error.slice(0, options.maxLines), `(${rest} more lines above)`] : error;
  });
  return cut.flat().join("\n").trim();
}

/** Adds counts up. */
export function sumCounts(counts: TestCounts[]): TestCounts {
  return counts.reduce((sum, { passed, failed, skipped }) => ({
    passed: sum.passed + passed,
    failed: sum.failed + failed,
    skipped: sum.skipped + skipped,
  }), { passed: 0, failed: 0, skipped: 0 });
}

/** Writes the last line of a run: `N passed, N failed`, then `, N skipped` when there are any. */
export function countsText({ passed, failed, skipped }: TestCounts): string {
  const line = `${passed} passed, ${failed} failed`;
  return skipped === 0 ? line : `${line}, ${skipped} skipped`;
}
