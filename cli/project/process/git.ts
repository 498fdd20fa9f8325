import { type DenoRun, runProgram } from "./deno.ts";

/** The most bytes of what git writes: the names of some hundred thousand files. */
const maxOutputBytes = 33_554_432;

export type GitRun = Pick<DenoRun, "code" | "stdout">;

/**
 * Runs git and collects what it writes. It takes no lock, so that it disturbs no other git, and starts no
 * program that the repository names.
 *
 * @returns `undefined` without git.
 */
export async function runGit(
  root: string,
  args: readonly string[],
  { maxBytes = maxOutputBytes }: { readonly maxBytes?: number } = {},
): Promise<GitRun | undefined> {
  const given = Deno.env.get("GIT_CONFIG_COUNT") ?? "0";
  const first = /^\d{1,4}$/.test(given) ? Number(given) : 0;
  const names = await namesOfPrograms(root);
  if (names === undefined) return undefined;
  const empty = names.flatMap((name, index) => [
    [`GIT_CONFIG_KEY_${first + index}`, name],
    // A filter that is required and has no command would stop git.
    [`GIT_CONFIG_VALUE_${first + index}`, name.endsWith(".required") ? "false" : ""],
  ]);
  const env = { GIT_CONFIG_COUNT: String(first + names.length), ...Object.fromEntries(empty) };
  return await run(root, args, { maxBytes, env });
}

/**
 * With these git runs no monitor of files and no hook, fetches no missing object, and takes no folder inside another
 * repository for a repository of its own: a clone can bring a folder with a configuration of its own.
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
  // For a git that does not know the line above: no transport has this name.
  GIT_ALLOW_PROTOCOL: "none",
};

/**
 * Lists the settings of filters that the repository itself has. Those of the user's own configuration run.
 *
 * @returns `undefined` without git.
 */
async function namesOfPrograms(root: string): Promise<readonly string[] | undefined> {
  const args = ["config", "--show-scope", "--name-only", "-z", "--get-regexp", "^filter\\."];
  const asked = await run(root, args, { maxBytes: maxOutputBytes, env: {} });
  // 1 says that there are none. After any other failure, a filter that is unknown might run.
  if (asked === undefined || asked.code > 1) return undefined;
  const words = asked.stdout.split("\0");
  const trusted = ["system", "global", "command"];
  const names = words.filter((_, index) =>
    index % 2 === 1 && !trusted.includes(words[index - 1] ?? "")
  );
  return [...new Set(names)];
}

async function run(
  root: string,
  args: readonly string[],
  { maxBytes, env }: {
    readonly maxBytes: number;
    readonly env: Readonly<Record<string, string>>;
  },
): Promise<GitRun | undefined> {
  try {
    const { code, stdout, stopped } = await runProgram("git", [...quietSettings, ...args], {
      cwd: root,
      env: { ...quietEnv, ...env },
      maxBytes,
    });
    return stopped === "output" ? { code: overflowCode, stdout: "" } : { code, stdout };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** The exit code of a git that wrote too much, even if it ended by itself. */
export const overflowCode = 141;
