import { basename, isAbsolute, join, relative, resolve } from "@std/path";
import { realPathSoFar } from "../project/files/look.ts";
import { outputFolder, siteFolder } from "../project/files/output_folder.ts";
import type { Project } from "../project/project.ts";

/** Returns the absolute path of the executable; on Windows it ends in `.exe`. */
export async function chooseOutput(
  project: Project,
  { output, cwd, target }: {
    readonly output: string | undefined;
    readonly cwd: string;
    readonly target: string;
  },
): Promise<string> {
  const path = output === undefined
    ? join(project.root, outputFolder, await projectName(project))
    : resolve(cwd, output);
  return target.includes("windows") && !/\.exe$/i.test(path) ? `${path}.exe` : path;
}

/** Returns the name of the project's package without scope, or of its folder; never `site`. */
async function projectName({ root, manifest }: Project): Promise<string> {
  const { name } = await manifest();
  const own = typeof name === "string" ? basename(name) : "";
  const chosen = own === "" ? basename(root) : own;
  // `dist/site` is the exported site, and some file systems ignore case.
  return chosen.toLowerCase() === siteFolder ? `${chosen}-app` : chosen;
}

/** Returns the included folder that contains the output, which would embed itself. */
export async function findHolder(
  output: string,
  held: readonly string[],
): Promise<string | undefined> {
  const path = await realPathSoFar(output);
  for (const folder of held) {
    const way = relative(await realPathSoFar(folder), path);
    if (!isAbsolute(way) && !/^\.\.(?:[\\/]|$)/.test(way)) return folder;
  }
  return undefined;
}
