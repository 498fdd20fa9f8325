/**
 * A folder that the tests of a file share, for what takes long to make: what the compiler has found in
 * an application serves them all.
 *
 * @module
 */

/**
 * Makes a folder before the tests of the file and removes it after them.
 *
 * @param fill Writes what the tests find in it.
 * @returns Where it is; only tests may ask.
 */
export function shareFolder(fill: (folder: string) => Promise<unknown>): () => string {
  let folder = "";
  Deno.test.beforeAll(async () => {
    // The real path: a temporary folder may lie behind a link.
    folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "fw-shared-" }));
    await fill(folder);
  });
  Deno.test.afterAll(async () => await Deno.remove(folder, { recursive: true }));
  return () => folder;
}
