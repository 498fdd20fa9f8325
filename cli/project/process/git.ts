import { type DenoRun, type DenoRunOptions, runProgram } from "./deno.ts";

/** Timeout, because a named pipe in the repository would never end. */
const gitTimeoutMs = 60_000;

/** Maximum bytes of git's output, enough for the names of some 100,000 files. */
const maxOutputBytes = 33_554_432;

/** Runs git without locks and without programs of the repository; `undefined` without git. */
export async function runGit(
  root: string,
  args: readonly string[],
  limits: Pick<DenoRunOptions, "maxBytes" | "timeoutMs"> = {},
): Promise<DenoRun | undefined> {
  const given = Deno.env.get("GIT_CONFIG_COUNT") ?? "0";
  const first = /^\d{1,4}$/.test(given) ? Number(given) : 0;
  const names = await namesOfPrograms(root, limits.timeoutMs);
  if (names === undefined) return undefined;
  const empty = names.flatMap((name, index) => [
    [`GIT_CONFIG_KEY_${first + index}`, name],
    // A required filter without a command would make git fail.
    [`GIT_CONFIG_VALUE_${first + index}`, name.endsWith(".required") ? "false" : ""],
  ]);
  const env = { GIT_CONFIG_COUNT: String(first + names.length), ...Object.fromEntries(empty) };
  return await run(args, { cwd: root, ...limits, env });
}

/**
 * With these settings git runs no file monitor and no hook, fetches no missing object, and ignores
 * repositories nested in another one: a clone may contain a folder with its own git configuration.
 */
const quietSettings = [
  "core.fsmonitor=false",
  // No hook is below this path, which is not a folder on any platform.
  "core.hooksPath=/dev/null",
  // `git diff` locks and writes the index in spite of GIT_OPTIONAL_LOCKS.
  "diff.autoRefreshIndex=false",
  "safe.bareRepository=explicit",
].flatMap((setting) => ["-c", setting]);

const quietEnv = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  // For versions of git without GIT_NO_LAZY_FETCH: no transport has this name.
  GIT_ALLOW_PROTOCOL: "none",
};

/** Lists the filters of the repository itself: those of the user run. `undefined` without git. */
async function namesOfPrograms(
  root: string,
  timeoutMs = gitTimeoutMs,
): Promise<readonly string[] | undefined> {
  const args = ["config", "--show-scope", "--name-only", "-z", "--get-regexp", "^filter\\."];
  const asked = await run(args, { cwd: root, timeoutMs });
  // 1 means that none exist. After any other failure, an unknown filter might run.
  if (asked === undefined || asked.code > 1) return undefined;
  const words = asked.stdout.split("\0");
  const trusted = ["system", "global", "command"];
  const names = words.filter((_, index) =>
    index % 2 === 1 && !trusted.includes(words[index - 1] ?? "")
  );
  return [...new Set(names)];
}

async function run(
  args: readonly string[],
  options: DenoRunOptions,
): Promise<DenoRun | undefined> {
  const limits = { maxBytes: maxOutputBytes, timeoutMs: gitTimeoutMs, ...options };
  const env = { ...quietEnv, ...options.env };
  try {
    const found = await runProgram("git", [...quietSettings, ...args], { ...limits, env });
    // Git may have ended by itself before the limit was noticed.
    return found.stopped === "output" ? { ...found, code: found.code || 1, stdout: "" } : found;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
