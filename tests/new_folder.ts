/** Creates an empty folder that `await using` removes. */
export async function newFolder(
  options: Deno.MakeTempOptions = {},
): Promise<AsyncDisposable & { readonly path: string }> {
  // The real path, because a temporary folder may be behind a link.
  const path = await Deno.realPath(await Deno.makeTempDir(options));
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}
