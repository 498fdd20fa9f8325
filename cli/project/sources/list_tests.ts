import { join } from "@std/path";
import { compareText } from "../../problem.ts";
import { isUnnameable } from "../files/look.ts";

const testFile = /(?:^|[._])test\.[cm]?[jt]sx?$/;

/** Lists the files that `deno test` runs, relative to the project, sorted. */
export function listTests(root: string): string[] {
  const found: string[] = [];
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const { name, isDirectory, isFile } of Deno.readDirSync(join(root, folder))) {
      if (name.startsWith(".") || name === "node_modules" || name === "dist") continue;
      if (isUnnameable(join(root, folder), name)) continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      if (isDirectory) folders.push(path);
      else if (isFile && testFile.test(name)) found.push(path);
    }
  }
  return found.sort(compareText);
}
