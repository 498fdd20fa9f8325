/** Whether programs of the npm registry can run on this machine. */

const registry = "https://registry.npmjs.org/";

/** Whether the registry responds, checked once per process. */
let answers: Promise<boolean> | undefined;

/**
 * Returns why a program of the npm registry cannot run. Its tests are skipped only if the registry
 * does not respond and the program is not cached.
 *
 * @param program Its name and version, as `name@1.2.3`.
 */
export async function noProgram(program: string): Promise<string | undefined> {
  answers ??= registryAnswers();
  if (await answers || await isCached(program)) return undefined;
  return `${registry} does not answer, and ${program} was not fetched before`;
}

/** Checks whether the registry responds within a few seconds. */
export async function registryAnswers(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(10_000);
    const response = await fetch(registry, { method: "HEAD", redirect: "manual", signal });
    await response.body?.cancel();
    return true;
  } catch {
    return false;
  }
}

async function isCached(program: string): Promise<boolean> {
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["cache", "--no-lock", "--no-config", "--cached-only", `npm:${program}`],
    stdout: "null",
    stderr: "null",
  }).output();
  return success;
}
