import { endProcess, readText } from "./deno.ts";

/** The most bytes of what git writes: the names of some hundred thousand files. */
const maxOutputBytes = 33_554_432;

export interface GitRun {
  readonly code: number;
  readonly stdout: string;
}

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
  return await run(root, {
    args,
    maxBytes,
    env: { GIT_CONFIG_COUNT: String(first + names.length), ...Object.fromEntries(empty) },
  });
}

/**
 * Returns the environment and the first arguments with which git runs no monitor of files and no hook, fetches
 * no missing object, and takes no folder inside another repository for a repository of its own: a clone can bring a
 * folder with a configuration of its own.
 */
function quietGit(
  args: readonly string[],
): { readonly args: string[]; readonly env: Record<string, string> } {
  const settings = [
    "core.fsmonitor=false",
    // No hook is below this path, which is not a folder on any platform.
    "core.hooksPath=/dev/null",
    // `git diff` locks and writes the index in spite of GIT_OPTIONAL_LOCKS.
    "diff.autoRefreshIndex=false",
    "safe.bareRepository=explicit",
  ];
  return {
    args: [...settings.flatMap((setting) => ["-c", setting]), ...args],
    env: {
      GIT_OPTIONAL_LOCKS: "0",
      GIT_TERMINAL_PROMPT: "0",
      GIT_NO_LAZY_FETCH: "1",
      // For a git that does not know the line above: no transport has this name.
      GIT_ALLOW_PROTOCOL: "none",
    },
  };
}

/**
 * Lists the settings of filters that the repository itself has. Those of the user's own configuration run.
 *
 * @returns `undefined` without git.
 */
async function namesOfPrograms(root: string): Promise<readonly string[] | undefined> {
  const args = ["config", "--show-scope", "--name-only", "-z", "--get-regexp", "^filter\\."];
  const asked = await run(root, { args, maxBytes: maxOutputBytes });
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
  { args, maxBytes, env = {} }: {
    readonly args: readonly string[];
    readonly maxBytes: number;
    readonly env?: Readonly<Record<string, string>>;
  },
): Promise<GitRun | undefined> {
  const quiet = quietGit(args);
  let child: Deno.ChildProcess;
  try {
    child = new Deno.Command("git", {
      args: quiet.args,
      cwd: root,
      env: { ...quiet.env, ...env },
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  const room = { left: maxBytes };
  const onFull = (): void => endProcess(child, "SIGKILL");
  const [{ code }, stdout] = await Promise.all([
    child.status,
    readText(child.stdout, { room, onFull }),
  ]);
  return room.left < 0 ? { code: overflowCode, stdout: "" } : { code, stdout };
}

/** The exit code of a git that wrote too much, even if it ended by itself. */
export const overflowCode = 141;
