/** Converts a glob to a regular expression; `*` does not match `/`, `**` does. */
export function globToRegExp(
  glob: string,
  options?: { readonly os?: "linux" | "darwin" | "windows" },
): RegExp;
