import type { Problem } from "../problem.ts";
import { memberOf } from "../project/json.ts";
import { hasRegistries, runForeign } from "../project/process/foreign.ts";
import { type Project, readOwnRun } from "../project/project.ts";
import { commandOf } from "../project/start_task.ts";

/** A step fails if one of its problems is an error, or critical. */
export interface StepResult {
  readonly problems: readonly Problem[];
  readonly note?: string;
}

export interface StepOptions {
  readonly fix: boolean;
  readonly signal: AbortSignal;
  /**
   * Whether the developer allows the project's `test` task, lint plugins and install scripts to
   * run. Otherwise only its tests run, with the permissions of that task.
   */
  readonly isOwn: boolean;
  /** Absolute path of the folder in which the tests record the pages that they receive. */
  readonly pages: string;
  readonly bundles?: readonly Problem[];
}

interface FailedTest {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly reason: string | undefined;
}

/** Limit of the tests' output: an endless loop could fill the memory. */
const maxOutputBytes = 32 * 1_024 * 1_024;

/**
 * Runs the `test` task with the variables that its flags allow. If there is no such task, or the
 * project sets registries, runs `deno test` with the permissions of that task or of the `start`
 * task.
 */
export async function runTests(
  project: Project,
  { signal, pages, isOwn }: StepOptions,
): Promise<StepResult> {
  const { root, messages } = project;
  const manifest = await project.manifest();
  const own = await readOwnRun(project);
  // A task may be any command, and `deno task` runs install scripts of packages from any registry.
  const isTrusted = isOwn && !hasRegistries(root, own?.flags ?? []);
  const hasTask = isTrusted && memberOf(manifest["tasks"], "test") !== undefined;
  // An earlier step has checked the types. The task of a new project already has this flag.
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
    // No timeout: the developer sees the tests run and can stop them.
    ...isOwn && { timeoutMs: Infinity },
    env: { ...own?.env, FW_TEST_PAGES: pages },
  });
  if (stopped === "output") {
    return { problems: [{ code: "E_TEST", severity: "error", ...messages.check.testsLoud }] };
  }
  const note = /^(?:ok|FAILED) \| (.*)$/m.exec(stdout)?.[1]?.replace(/ \(\S+\)$/, "");
  if (code === 0) return { problems: [], ...(note === undefined ? {} : { note }) };
  const failed = parseFailures(stdout);
  // A cause that several failures share, such as a server that is down, is printed once.
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
  const message = (stderr || stdout).trim().split("\n").slice(-maxLines).join("\n");
  return { problems: [{ code: "E_TEST", severity: "error", message }] };
}

/** Parses the section `ERRORS`, in which each test has a line `name => file:line:column`. */
export function parseFailures(output: string): FailedTest[] {
  const found: FailedTest[] = [];
  let isInside = false;
  let isFirst = false;
  // Line by line: one regular expression over a long output would take quadratic time.
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
    // An error text may contain lines that look like a place, but not after an empty line.
    isFirst = line.trim() === "";
  }
  return found;
}

/** Reports whether a line belongs to the diff below an assertion's first line. */
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

// A full stack would hide the message.
const maxLines = 12;
