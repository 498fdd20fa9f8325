import type { Problem } from "../problem.ts";
import { memberOf } from "../project/json.ts";
import { hasRegistries, runForeign } from "../project/process/foreign.ts";
import { readOwnRun } from "../project/own_run.ts";
import type { Project } from "../project/project.ts";
import { commandOf } from "../project/start_task.ts";
import type { StepOptions, StepResult } from "./step.ts";

interface FailedTest {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly reason: string | undefined;
}

/** The limit of what the tests print: a failing loop would take all memory. */
const maxOutputBytes = 32 * 1_024 * 1_024;

/**
 * Runs the `test` task with the variables that its flags allow. In a project without one, or with registries of its
 * own, `deno test` with its permissions, or else with those of the `start` task: nothing else says what the code may
 * do.
 */
export async function runTests(
  project: Project,
  { signal, pages, isOwn }: StepOptions,
): Promise<StepResult> {
  const { root, messages } = project;
  const manifest = await project.manifest();
  const own = await readOwnRun(project);
  // A task may be any command, and `deno task` installs packages with their scripts, from any registry.
  const isTrusted = isOwn && !hasRegistries(root, own?.flags ?? []);
  const hasTask = isTrusted && memberOf(manifest["tasks"], "test") !== undefined;
  // The types were checked by the step before.
  // A task of a new project says so by itself.
  const permitted = isTrusted ? [] : ["--permit-no-files"];
  const args = hasTask
    ? ["task", "--quiet", "test", "--no-check"]
    : ["test", ...new Set(["--no-prompt", "--no-check", ...permitted, ...own?.flags ?? []])];
  // With all permissions, or a set of them, Deno refuses a flag for one.
  const isOpen = /\s(?:-[A-Za-z]*[AP]|--allow-all|--permission-set)\b/.test(
    hasTask ? commandOf(manifest, "test") ?? "" : args.join(" "),
  );
  const record = isOpen ? [] : [`--allow-write=${pages}`, "--allow-env=FW_TEST_PAGES"];
  const { code, stdout, stderr, stopped } = await runForeign([...args, ...record], {
    cwd: root,
    allowScripts: isTrusted,
    signal,
    maxBytes: maxOutputBytes,
    // The developer sees that their tests run, and can stop them.
    ...isOwn && { timeoutMs: Infinity },
    env: { ...own?.env, FW_TEST_PAGES: pages },
  });
  if (stopped === "output") {
    return { problems: [{ code: "E_TEST", severity: "error", ...messages.check.testsLoud }] };
  }
  const note = /^(?:ok|FAILED) \| (.*)$/m.exec(stdout)?.[1]?.replace(/ \(\S+\)$/, "");
  if (code === 0) return { problems: [], ...(note === undefined ? {} : { note }) };
  const failed = parseFailures(stdout);
  // One cause of several, such as a server that does not run, is printed once: with the first test.
  const byReason = Map.groupBy(failed, ({ reason }) => reason ?? "");
  const problems: Problem[] = failed.map(({ name, file, line, column, reason = "" }) => {
    const [first, ...others] = byReason.get(reason) ?? [];
    const isShared = reason !== "" && others.length > 0;
    const text = reason === "" ? name : `${name}: ${reason}`;
    return {
      code: "E_TEST",
      severity: "error",
      place: { file, line, column },
      message: isShared ? reason : text,
      fix: messages.check.fixTest(isShared && first !== undefined ? first.file : file),
    };
  });
  if (problems.length > 0) return { problems, ...(note === undefined ? {} : { note }) };
  const message = lastLines(stderr === "" ? stdout : stderr);
  return { problems: [{ code: "E_TEST", severity: "error", message }] };
}

/** Parses the section `ERRORS`, in which each test has a line `name => file:line:column`. */
export function parseFailures(output: string): FailedTest[] {
  const found: FailedTest[] = [];
  let isInside = false;
  let isFirst = false;
  // Line by line: one expression for a long output would take time in its square.
  for (const line of output.split("\n")) {
    const last = found.at(-1);
    if (!isInside) isInside = line.trimEnd() === " ERRORS";
    else if (line.trimEnd() === " FAILURES") break;
    else if (last !== undefined && last.reason === undefined && line.startsWith("error: ")) {
      found[found.length - 1] = { ...last, reason: line.slice("error: ".length).trim() };
    } else if (last?.reason !== undefined && isDifference(line, last.reason)) {
      found[found.length - 1] = { ...last, reason: `${last.reason}\n${line.trimEnd()}` };
    } else if (isFirst) {
      const place = parsePlace(line);
      if (place !== undefined) found.push({ ...place, reason: undefined });
    }
    // What a test throws has lines that look like a place, but not behind an empty one.
    isFirst = line.trim() === "";
  }
  return found;
}

/** An assertion's difference follows its first line, which says nothing without it. */
function isDifference(line: string, reason: string): boolean {
  return /^(?:\s*\[Diff\]|[-+] )/.test(line) && reason.split("\n").length < maxLines;
}

function parsePlace(line: string): Omit<FailedTest, "reason"> | undefined {
  const arrow = line.lastIndexOf(" => ");
  const place = /^(?:\.\/)?(.+):(\d+):(\d+)$/.exec(line.slice(arrow + 4));
  if (arrow < 1 || place === null) return undefined;
  const [, file = "", row, column] = place;
  return { name: line.slice(0, arrow), file, line: Number(row), column: Number(column) };
}

// A stack would hide what it is about.
const maxLines = 12;

function lastLines(text: string): string {
  return text.trim().split("\n").slice(-maxLines).join("\n");
}
