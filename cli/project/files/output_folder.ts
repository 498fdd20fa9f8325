import { basename, dirname, join } from "@std/path";
import { Stop } from "../../stop.ts";
import type { Project } from "../project.ts";
import { statIfThere } from "./look.ts";
import { isInside } from "./write_inside.ts";

export const outputFolder = "dist";

export const siteFolder = "site";

/** Refuses a default folder outside the project, to which a link in a clone may lead. */
export async function refuseOutputLink(
  { root, messages }: Project,
  { folder, flag }: { readonly folder: string; readonly flag: string },
): Promise<void> {
  if (await isInside(root, join(root, folder))) return;
  const text = messages.build.outputLeaves(folder.replaceAll("\\", "/"), flag);
  throw new Stop([{ code: "E_OUTPUT_LINK", severity: "error", ...text }]);
}

export async function makeOutputFolder(path: string): Promise<void> {
  const folder = dirname(path);
  if (await statIfThere(folder) !== undefined) return;
  await Deno.mkdir(folder, { recursive: true });
  if (basename(folder) === outputFolder) {
    await Deno.writeTextFile(join(folder, ".gitignore"), "*\n");
  }
}
