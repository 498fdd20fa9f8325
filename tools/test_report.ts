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

/** Lists why each ignored test was ignored, from the JUnit file of a run. */
export function parseSkips(junit: string): string[] {
  const skipped = /<testcase name="([^"]*)"[^>]*>\s*<skipped\/>/g;
  return [...junit.matchAll(skipped)].map(([, name = ""]) => {
    const text = unescapeXml(name);
    return parseSkipReason(text) ?? `"${text}" gives no reason`;
  });
}

/** Sums how long the tests of each file took, in seconds, from the JUnit file of a run. */
export function parseDurations(junit: string): Map<string, number> {
  const durations = new Map<string, number>();
  let path = "";
  let latest = "";
  for (const [, tag, name = "", seconds] of junit.matchAll(started)) {
    if (tag === "testsuite") {
      path = name.replace(/^\.\//, "");
      durations.set(path, 0);
    } else if (latest === "" || !name.startsWith(`${latest} &gt; `)) {
      // The steps of a test follow it, and are counted in it.
      latest = name;
      durations.set(path, (durations.get(path) ?? 0) + Number(seconds));
    }
  }
  return durations;
}

const started = /<(testsuite|testcase) name="([^"]*)"(?:[^>]* time="([\d.]+)")?/g;

function unescapeXml(text: string): string {
  const characters: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name) => characters[name] ?? "");
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
