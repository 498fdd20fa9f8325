/** An application made of the files in a guide. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { basename, join } from "@std/path";
import { root } from "../../../tools/workspace.ts";
import { deno, type Files, inScratch, runCli, writeFiles } from "../../cli/support.ts";
import { checkTypes } from "../../cli/type_check.ts";
import { parseCodeBlocks } from "../../../tools/code_blocks.ts";
import { parseSqlFiles } from "../../house/docs/documentation.ts";

export interface GuideApp {
  readonly cwd: string;
  task(name: string): Promise<string>;
}

/** The reader's steps besides copying the files. */
export interface GuideAppOptions {
  /** Texts to replace in `deno.json`, as the guide says. */
  readonly manifest?: readonly (readonly [text: string, by: string])[];
  /** Files that the guide leaves to the reader. */
  readonly files?: Files;
}

/**
 * Creates a new application, adds every block of the guide that names its file, generates, and
 * passes it on.
 *
 * @param guide The guide, from the root of the repository.
 */
export async function inGuideApp(
  guide: string,
  work: (app: GuideApp) => Promise<void>,
  options: GuideAppOptions = {},
): Promise<void> {
  const text = await Deno.readTextFile(join(root, guide));
  const shown = parseCodeBlocks(text)
    .flatMap(({ name, code }) => name === undefined ? [] : [[name, code]])
    .concat(parseSqlFiles(text).map(({ name, code }) => [name, code]));
  await inScratch(async (folder) => {
    const cwd = join(folder, "app");
    await runCli(["new", "app"], { cwd: folder });
    await writeFiles(cwd, { ...Object.fromEntries(shown), ...options.files });
    await editManifest(cwd, options.manifest ?? []);
    assertEquals(await runCli(["gen"], { cwd }).then(({ code, stderr }) => [code, stderr]), [
      0,
      "",
    ]);
    await work({ cwd, task: (name) => readTask(cwd, name) });
  }, { name: basename(guide, ".md") });
}

async function editManifest(
  cwd: string,
  edits: NonNullable<GuideAppOptions["manifest"]>,
): Promise<void> {
  const path = join(cwd, "deno.json");
  let text = await Deno.readTextFile(path);
  for (const [from, to] of edits) {
    assert(text.includes(from), `deno.json has no ${from}`);
    text = text.replace(from, to);
  }
  await Deno.writeTextFile(path, text);
}

async function readTask(cwd: string, name: string): Promise<string> {
  const manifest = JSON.parse(await Deno.readTextFile(join(cwd, "deno.json")));
  return manifest["tasks"][name]["command"];
}

/**
 * Checks the types of an application with its typed links, and runs the tests of the guide.
 *
 * @param options How many tests there are, with the one that `new` writes. @default 2
 */
export async function checkGuideApp(
  cwd: string,
  { tests: count = 2 }: { readonly tests?: number } = {},
): Promise<void> {
  const types = await checkTypes(["."], cwd);
  assertEquals(types.code, 0, types.output);
  const tests = await deno(["task", "test", "--no-check"], cwd);
  assertEquals(tests.code, 0, tests.output);
  assertStringIncludes(tests.output, `${count} passed`);
}
