/**
 * Type checks of applications that use this checkout. Deno caches the compiler's results by the
 * first module to check. That is the framework here, so its modules are checked once for all
 * applications, which saves each of them 5 of 8 seconds of processor time. Compiler options that
 * differ from a new application's disable this.
 */
import { join } from "@std/path";
import { root } from "../../tools/workspace.ts";
import { deno } from "./support.ts";

/**
 * Runs `deno check` on files and folders of an application, and on the framework.
 *
 * @param paths Relative to `cwd`; `"."` stands for all files, as `deno check` without paths.
 * @param cwd The folder with the application's `deno.json`.
 */
export async function checkTypes(
  paths: readonly string[],
  cwd: string,
): Promise<{ readonly code: number; readonly output: string }> {
  return await deno(["check", join(root, "mod.ts"), ...paths], cwd);
}
