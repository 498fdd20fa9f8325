/**
 * What the application imports.
 *
 * @module
 */
import { relative, SEPARATOR } from "@std/path";
import { generatedFile } from "@fw/fw/conventions";

/**
 * Lists the files that the application imports, data included.
 *
 * @param root The project, absolute.
 * @returns The files below the project, relative to it, with `/`; none when the imports cannot be read.
 */
export async function importedFiles(root: string): Promise<ReadonlySet<string>> {
  const { stdout, success } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "--no-remote", generatedFile],
    cwd: root,
    stdin: "null",
    stderr: "null",
  }).output();
  const files = new Set<string>();
  if (!success) return files;
  for (const local of localFiles(new TextDecoder().decode(stdout))) {
    const file = relative(root, local).replaceAll(SEPARATOR, "/");
    if (!file.startsWith("..")) files.add(file);
  }
  return files;
}

function localFiles(text: string): string[] {
  const graph: { readonly modules?: readonly { readonly local?: unknown }[] } = JSON.parse(text);
  return (graph.modules ?? []).flatMap(({ local }) => typeof local === "string" ? [local] : []);
}
