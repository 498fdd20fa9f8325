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
if (kind !== "alone" && kind !== "site") {
  replace(Deno, "chdir", () => refuse("Deno.chdir()", "alone"));
  for (const name of ["set", "delete"] as const) {
    const call: (...args: string[]) => void = Deno.env[name].bind(Deno.env);
    replace(Deno.env, name, (...args: string[]) => {
      // Libraries delete what is not set; that changes nothing.
      if (name === "delete" && !Deno.env.has(args[0] ?? "")) call(...args);
      else refuse(`Deno.env.${name}()`, "alone");
    });
  }
}

function replace<T>(owner: T, name: keyof T, work: (...args: string[]) => void): void {
  // No arrow function: `Command` is called by `new`.
  const value = function (...args: string[]): void {
    work(...args);
  };
  Object.defineProperty(owner, name, { value, configurable: true, writable: true });
}

function refuse(call: string, needed: TestKind): never {
  throw new Error(
    `Cannot use ${call} in a test of kind "${kind}": ` +
      `write "// test: ${needed}, <why>" in a line of its own at the top of the file`,
  );
}
