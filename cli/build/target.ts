/**
 * The systems that an executable can be for, and where it is written.
 *
 * @module
 */
import { basename, join, resolve } from "@std/path";
import { outputFolder, siteFolder } from "../project/files/output_folder.ts";
import type { Project } from "../project/project.ts";

/** Every system that `deno compile` makes executables for. */
export const targets: readonly string[] = [
  "x86_64-unknown-linux-gnu",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "aarch64-apple-darwin",
  "x86_64-pc-windows-msvc",
  "aarch64-pc-windows-msvc",
];

/** How {@linkcode chooseOutput} chooses. */
export interface OutputOptions {
  /** The path that was asked for, relative to `cwd`. @default the project's name in `dist/` */
  readonly output: string | undefined;
  /** The working directory, absolute. */
  readonly cwd: string;
  /** The system that the executable is for. */
  readonly target: string;
}

/**
 * Chooses where the executable is written.
 *
 * @param project The project.
 * @param options What was asked for.
 * @returns An absolute path; on Windows it ends in `.exe`.
 */
export async function chooseOutput(project: Project, options: OutputOptions): Promise<string> {
  const { output, cwd, target } = options;
  const path = output === undefined
    ? join(project.root, outputFolder, await projectName(project))
    : resolve(cwd, output);
  return target.includes("windows") && !/\.exe$/i.test(path) ? `${path}.exe` : path;
}

/** The name of the project: that of its package without the scope, or that of its folder; not `site`. */
async function projectName({ root, manifest }: Project): Promise<string> {
  const { name } = await manifest();
  const own = typeof name === "string" ? basename(name) : "";
  const chosen = own === "" ? basename(root) : own;
  // The export of the same project is a folder of that name, whatever its capitals on some systems.
  return chosen.toLowerCase() === siteFolder ? `${chosen}-app` : chosen;
}
