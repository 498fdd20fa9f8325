import { join } from "@std/path";
import { makeFolders } from "./edits.ts";

const ignoredNames = [".git", ".DS_Store"];

export async function refuseFolder(
  folder: string,
): Promise<"newNotEmpty" | "newNotFolder" | undefined> {
  try {
    for await (const { name } of Deno.readDir(folder)) {
      if (!ignoredNames.includes(name)) return "newNotEmpty";
    }
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    if (error instanceof Deno.errors.NotADirectory) return "newNotFolder";
    throw error;
  }
  return undefined;
}

/** Fills an empty folder. After an error it is as before, so that a second try is not refused. */
export async function fillFolder<T>(folder: string, fill: () => Promise<T>): Promise<T> {
  const [made] = await makeFolders(folder);
  try {
    return await fill();
  } catch (error) {
    const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
    const own = names.filter((name) => !ignoredNames.includes(name));
    for (const path of made === undefined ? own.map((name) => join(folder, name)) : [made]) {
      await Deno.remove(path, { recursive: true });
    }
    throw error;
  }
}
