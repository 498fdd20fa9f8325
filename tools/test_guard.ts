/**
 * Refuses what a file of tests may not do by its kind; the runner loads this module before each file.
 *
 * Files that run beside each other in one process share its environment and its working directory,
 * so these stay as they are. `TEST_KIND` is the kind.
 *
 * @module
 */
import type { TestKind } from "./test_files.ts";

const kind = Deno.env.get("TEST_KIND");

if (kind === "inside" || kind === "alone") {
  replace(Deno, "Command", () => refuse("new Deno.Command()", "child"));
}
if (kind !== "alone") {
  replace(Deno, "chdir", () => refuse("Deno.chdir()", "alone"));
  for (const name of ["set", "delete"] as const) {
    replace(Deno.env, name, () => refuse(`Deno.env.${name}()`, "alone"));
  }
}

function replace<T>(owner: T, name: keyof T, refuseCall: () => never): void {
  // No arrow function: `Command` is called by `new`.
  const value = function (): void {
    refuseCall();
  };
  Object.defineProperty(owner, name, { value, configurable: true, writable: true });
}

function refuse(call: string, needed: TestKind): never {
  throw new Error(
    `Cannot use ${call} in a test of kind "${kind}": ` +
      `write "// test: ${needed}, <why>" in a line of its own at the top of the file`,
  );
}
