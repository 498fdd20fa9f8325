/**
 * Several applications as one workspace: each of Deno's tools starts once for all of them, and the compiler reads
 * the framework once.
 *
 * @module
 */
import { join } from "@std/path";

/**
 * Makes the applications in a folder the members of a workspace. Each keeps its own manifest, whose imports hold
 * for its own files.
 *
 * @param folder Where the applications are.
 * @param options `members`: their names. `like`: the one whose settings and tasks the workspace gets.
 */
export async function writeWorkspace(
  folder: string,
  options: { readonly members: readonly string[]; readonly like: string },
): Promise<void> {
  const { members, like } = options;
  const { imports, ...settings } = JSON.parse(
    await Deno.readTextFile(join(folder, like, "deno.json")),
  );
  // This alias leads to the files of the member.
  delete imports["@/"];
  const workspace = members.map((name) => `./${name}`);
  const manifest = JSON.stringify({ ...settings, imports, workspace }, null, 2);
  await Deno.writeTextFile(join(folder, "deno.json"), manifest + "\n");
}
