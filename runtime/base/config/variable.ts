import { readVariable } from "../env.ts";
import type { Application } from "../ctx/application.ts";
import type { Config } from "../ctx/config.ts";

/**
 * Reads a variable of the application: from `config.variables` if it is there, otherwise from the
 * environment. Code that reads its variables this way can be tested with several values at the same
 * time, because a test passes them to its own application instead of changing the process.
 *
 * @param owner The configuration in `Config`, or the application in `Setup`.
 * @param name The name, such as `"EVENTS_DB"`.
 * @returns `undefined` where the variable is absent or empty.
 * @throws {Deno.errors.NotCapable} when the process may not read the variable.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App, variable } from "@fw/fw";
 *
 * const app = new App({ variables: { EVENTS_DB: ":memory:" } });
 * assertEquals(variable(app, "EVENTS_DB"), ":memory:");
 * ```
 */
export function variable(owner: Application | Config, name: string): string | undefined {
  const { variables } = "config" in owner ? owner.config : owner;
  return readVariable(name, variables);
}
