/**
 * Everything that must pass: format, lint, types, house rules (documentation and API snapshot are
 * among them), examples and tests.
 *
 * `deno task test` runs all of it; `deno task test tests/runtime` only the tests named. Every step
 * runs even when an earlier one failed, so that one run shows everything. The last line sums what
 * `deno test` counted; a step that is no test counts as one failure when it fails, else as nothing.
 *
 * @module
 */
import { resolve } from "@std/path";
import { countsText, parseSkips, parseSummary, sumCounts, type TestCounts } from "./test_report.ts";
import { isThere, packageFolders, root } from "./workspace.ts";

/** One step of the run. */
interface Step {
  /** What is printed above its output. */
  title: string;
  /** Arguments of `deno`. */
  args: string[];
}

const houseTests = "tests/house";
const testFlags = ["test", "-A", "--no-check", "--permit-no-files"];

async function listSteps(): Promise<{ gates: Step[]; tests: Step[] }> {
  const gates = [
    { title: "format", args: ["fmt", "--check"] },
    { title: "lint", args: ["lint"] },
    { title: "types", args: ["check"] },
  ];
  return {
    gates,
    tests: [
      { title: "house rules", args: [...testFlags, houseTests] },
      // Their types are checked by a house rule: here every unused import, which the runner itself
      // writes into each example, would be an error.
      {
        title: "examples of doc comments",
        args: [...testFlags, "--doc", "mod.ts", ...await listThere(packageFolders)],
      },
      {
        title: "tests",
        args: [...testFlags, `--ignore=${houseTests}`, ...await listThere(["tests", "examples"])],
      },
    ],
  };
}

async function listThere(paths: readonly string[]): Promise<string[]> {
  const checked = await Promise.all(
    paths.map(async (path) => await isThere(path) ? [path] : []),
  );
  return checked.flat();
}

/** Runs `deno`, passes its output on and gives it back with the exit code. */
async function runStep({ title, args }: Step): Promise<{ code: number; stdout: string }> {
  console.log(`\n==> ${title}: deno ${args.join(" ")}`);
  const startedMs = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args,
    cwd: root,
    env: { NO_COLOR: "1", RUST_BACKTRACE: "0" },
    stdin: "null",
    stdout: "piped",
  }).spawn();
  let stdout = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    stdout += text;
    await Deno.stdout.write(new TextEncoder().encode(text));
  }
  const { code } = await child.status;
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${code === 0 ? "ok" : "FAILED"}: ${title} (${seconds} s)`);
  return { code, stdout };
}

async function runGate(step: Step): Promise<TestCounts> {
  const { code } = await runStep(step);
  return { passed: 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

/** Runs tests; `skips` is filled with the reasons of the ignored ones. */
async function runTests(step: Step, skips: string[]): Promise<TestCounts> {
  const report = await Deno.makeTempFile({ prefix: "fw_junit_", suffix: ".xml" });
  try {
    const { code, stdout } = await runStep({
      ...step,
      args: [...step.args, `--junit-path=${report}`],
    });
    skips.push(...parseSkips(await Deno.readTextFile(report)));
    const counts = parseSummary(stdout) ?? { passed: 0, failed: 0, skipped: 0 };
    const isUncounted = code !== 0 && counts.failed === 0;
    return isUncounted ? { ...counts, failed: 1 } : counts;
  } finally {
    await Deno.remove(report);
  }
}

async function runAll(): Promise<TestCounts> {
  const chosen = Deno.args.map((path) => resolve(path));
  const { gates, tests } = chosen.length === 0
    ? await listSteps()
    : { gates: [], tests: [{ title: "tests", args: ["test", "-A", ...chosen] }] };
  const counts: TestCounts[] = [];
  const skips: string[] = [];
  for (const gate of gates) counts.push(await runGate(gate));
  for (const test of tests) counts.push(await runTests(test, skips));
  console.log("");
  for (const reason of new Set(skips)) console.log(`skipped: ${reason}`);
  return sumCounts(counts);
}

if (import.meta.main) {
  const counts = await runAll();
  console.log(countsText(counts));
  Deno.exitCode = counts.failed === 0 ? 0 : 1;
}
