/**
 * Runs git in a project.
 *
 * @module
 */

export interface GitRun {
  readonly code: number;
  readonly stdout: string;
}

/**
 * Runs git and collects what it writes. It takes no lock, so that it disturbs no other git.
 *
 * @param root The folder in which it runs.
 * @returns `undefined` without git.
 */
export async function runGit(root: string, args: readonly string[]): Promise<GitRun | undefined> {
  try {
    const { code, stdout } = await new Deno.Command("git", {
      args: [...args],
      cwd: root,
      env: { GIT_OPTIONAL_LOCKS: "0" },
      stdin: "null",
      stderr: "null",
    }).output();
    return { code, stdout: new TextDecoder().decode(stdout) };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
