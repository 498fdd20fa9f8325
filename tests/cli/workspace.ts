/**
 * Several applications as one workspace: each Deno tool starts once for all of them, and the
 * compiler reads the framework once.
 */
import { join, relative } from "@std/path";
import { writeGroups } from "../../tools/test_groups.ts";
import { root as checkout } from "../../tools/workspace.ts";
import { deno, listTree } from "./support.ts";

/** The settings that belong to a workspace, not to its members. */
const shared: readonly string[] = ["links", "minimumDependencyAge", "unstable"];

/**
 * Makes the applications in a folder members of a workspace. Each keeps its own manifest, whose
 * imports apply to its own files.
 *
 * @param folder Where the applications are.
 * @param options `members`: their names. `like`: the one whose settings and tasks the workspace gets.
 */
export async function writeWorkspace(
  folder: string,
  options: { readonly members: readonly string[]; readonly like: string },
): Promise<void> {
  const { members, like } = options;
  const { imports, ...settings } = await readManifest(join(folder, like));
  // This alias points to the files of the member.
  const { "@/": _, ...others } = Object(imports);
  const workspace = members.map((name) => `./${name}`);
  await writeManifest(folder, { ...settings, imports: others, workspace });
  for (const name of members) {
    const entries = Object.entries(await readManifest(join(folder, name)));
    const own = entries.filter(([setting]) => !shared.includes(setting));
    await writeManifest(join(folder, name), Object.fromEntries(own));
  }
}

type Manifest = Readonly<Record<string, unknown>>;

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await Deno.readTextFile(join(folder, "deno.json")));
}

async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await Deno.writeTextFile(join(folder, "deno.json"), JSON.stringify(manifest, null, 2) + "\n");
}

/**
 * Runs the task `test` for applications, without type checks. The tests of one application share a
 * worker, because each worker loads the framework, which takes longer than the tests.
 *
 * @param folder Where the applications are, beside a manifest with the task.
 * @param names The applications.
 * @param options `apart`: those whose files have a worker each, as without this function. @default none
 */
export async function runTests(
  folder: string,
  names: readonly string[],
  options: { readonly apart?: readonly string[] } = {},
): Promise<{ readonly code: number; readonly output: string }> {
  const { apart = [] } = options;
  const shared = names.filter((name) => !apart.includes(name));
  const groups = await Promise.all(shared.map(async (name) => {
    const paths = await listTree(join(folder, name));
    return paths.filter((path) => /_test\.tsx?$/.test(path)).map((path) =>
      relative(checkout, join(folder, name, path))
    );
  }));
  const modules = await writeGroups(groups, folder);
  try {
    return await deno(["task", "test", "--no-check", "--parallel", ...modules, ...apart], folder);
  } finally {
    for (const module of modules) await Deno.remove(module);
  }
}
