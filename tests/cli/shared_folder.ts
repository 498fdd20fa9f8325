/** A folder shared by the tests of a file for slow setups, such as a type-checked application. */
import { type KeptFolder, makeKeptFolder } from "../kept_folder.ts";

/**
 * Creates a folder before the tests of the file and removes it after them.
 *
 * @param name Names the folder, whose path is the same in every run. No other file has the name.
 * @param fill Writes the content for the tests.
 * @returns Where it is; only tests may ask.
 */
export function shareFolder(
  name: string,
  fill: (folder: string) => Promise<unknown>,
): () => string {
  let folder: KeptFolder | undefined;
  Deno.test.beforeAll(async () => {
    folder = await makeKeptFolder(name);
    await fill(folder.path);
  });
  Deno.test.afterAll(async () => await folder?.release());
  return () => {
    if (folder === undefined) throw new Error("Cannot use the folder: no test runs");
    return folder.path;
  };
}
