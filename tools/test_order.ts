/**
 * The command line of the test runner.
 *
 * @module
 */
import { relative, resolve } from "@std/path";
import { findNearest } from "../runtime/base/diagnose/nearest.ts";
import { isUnder, listTestFiles, type TestFile } from "./test_files.ts";
import { root } from "./workspace.ts";

/** What `--help` prints. */
export const usage =
  `deno task test                everything that must pass, as deno task ok: 7 to 12 minutes
deno task test <paths>        the tests in these folders or files, with their types: a file about
                              30 seconds, a folder such as tests/ui 1 to 2 minutes
deno task test:fast           the tests that start no process and no browser, without format, lint
                              or types: about 1 minute
deno task test:fast <paths>   only those in these folders or files

The times are those of a machine with two busy cores.

  --fast       what test:fast adds
  -h, --help   print this text
`;

/** What the command line asks for. */
export interface Order {
  readonly isFast: boolean;
  /** Relative to the root, with `/`; an empty list stands for everything. */
  readonly paths: readonly string[];
}

/** A command line that was read: an order, the wish for help, or the one line that refuses it. */
export type ParsedOrder =
  | { readonly kind: "run"; readonly order: Order }
  | { readonly kind: "help" }
  | { readonly kind: "refused"; readonly message: string };

const flags: readonly string[] = ["--fast", "--help", "-h"];

/** Parses the arguments of the runner. */
export function parseOrder(words: readonly string[]): ParsedOrder {
  // `deno task test -- tests/ui` passes the dashes on.
  const args = words.filter((word) => word !== "--");
  const unknown = args.find((arg) => arg.startsWith("-") && !flags.includes(arg));
  if (unknown !== undefined) return { kind: "refused", message: refuseFlag(unknown) };
  if (args.includes("--help") || args.includes("-h")) return { kind: "help" };
  const paths = args.filter((arg) => !arg.startsWith("-"))
    .map((path) => relative(root, resolve(path)).replaceAll("\\", "/"));
  // The root itself is everything, even beside other paths, and no paths stand for that.
  const isAll = paths.includes("");
  return { kind: "run", order: { isFast: args.includes("--fast"), paths: isAll ? [] : paths } };
}

function refuseFlag(flag: string): string {
  const nearest = findNearest(flag, flags);
  const hint = nearest === undefined ? "Run with --help for a list" : `Did you mean ${nearest}?`;
  return `Unknown flag ${flag}. ${hint}`;
}

/** The files of an order, or the one line that says which of its paths has none. */
export type ChosenFiles =
  | { readonly kind: "files"; readonly files: readonly TestFile[] }
  | { readonly kind: "refused"; readonly message: string };

/** Lists the files of tests that an order asks for. */
export async function chooseFiles({ isFast, paths }: Order): Promise<ChosenFiles> {
  const files = await listTestFiles(paths);
  const chosen = isFast ? files.filter(({ kind }) => kind === "inside" || kind === "alone") : files;
  for (const path of paths) {
    const isNamed = (file: TestFile): boolean => isUnder(file.path, path);
    if (chosen.some(isNamed)) continue;
    const fix = files.some(isNamed)
      ? `its tests start processes or browsers; run "deno task test ${path}"`
      : "it has no file that ends in _test.ts or _test.tsx; name a folder or a file of tests/";
    return { kind: "refused", message: `Cannot test "${path}": ${fix}` };
  }
  return { kind: "files", files: chosen };
}
