/**
 * Refuses calls that a test file of its kind, `TEST_KIND`, may not make; preloaded by the runner.
 * Files in one process share its environment and working directory.
 */
const kind = Deno.env.get("TEST_KIND") ?? "";

if (/^(?:inside|alone)$/.test(kind)) {
  replace(Deno, "Command", () => refuse("new Deno.Command()", "process"));
}
if (!kind.endsWith("alone")) {
  replace(Deno, "chdir", () => refuse("Deno.chdir()", "alone"));
  for (const name of ["set", "delete"] as const) {
    const call: (...args: string[]) => void = Deno.env[name].bind(Deno.env);
    replace(Deno.env, name, (...args) => {
      // Libraries delete variables that are not set, which has no effect.
      if (name === "delete" && !Deno.env.has(args[0] ?? "")) call(...args);
      else refuse(`Deno.env.${name}()`, "alone");
    });
  }
}

function replace<T>(owner: T, name: keyof T, work: (...args: string[]) => void): void {
  // Not an arrow function, because `Command` is called with `new`.
  const value = function (...args: string[]): void {
    work(...args);
  };
  Object.defineProperty(owner, name, { value, configurable: true, writable: true });
}

function refuse(call: string, folder: string): never {
  throw new Error(
    `Cannot use ${call} in a test of kind "${kind}": move it to a folder "${folder}"`,
  );
}
