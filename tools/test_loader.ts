/**
 * Loads the files of a group of tests into one worker.
 *
 * @module
 */

let file = "";

/** The test with the path of its file in front of its name. */
function named(args: readonly unknown[]): unknown[] {
  const nameOf = (name: string): string => `${file} => ${name}`;
  const [first, ...rest] = args;
  if (typeof first === "string") return [nameOf(first), ...rest];
  const run = args.find((arg) => typeof arg === "function");
  if (first === run) return [nameOf(run?.name ?? ""), run];
  const options = first as Deno.TestDefinition;
  const name = options.name ?? options.fn?.name ?? run?.name ?? "";
  return [{ ...options, name: nameOf(name) }, ...rest];
}

function replaced(register: (...args: never[]) => void): (...args: unknown[]) => void {
  return (...args) => Reflect.apply(register, undefined, named(args));
}

const { ignore, only, ...hooks } = Deno.test;
const test = Object.assign(replaced(Deno.test), {
  ...hooks,
  ignore: replaced(ignore),
  only: replaced(only),
});
Object.defineProperty(Deno, "test", { value: test, configurable: true, writable: true });

/**
 * Loads one file. Where it does not load, that is a test which fails: the other files run all the same.
 *
 * @param path Relative to the root, with `/`.
 */
export async function loadTests(path: string, load: () => Promise<unknown>): Promise<void> {
  file = path;
  try {
    await load();
  } catch (error) {
    Deno.test("the file loads", () => {
      throw error;
    });
  }
}
