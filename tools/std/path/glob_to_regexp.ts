/** The part of `@std/path/glob-to-regexp` in use: `*`, `**`, `?`, `{a,b}`, `[a-z]`, `[!a]`. */

/** Converts a glob to a regular expression; `*` does not match `/`, `**` does. */
export function globToRegExp(
  glob: string,
  _options: { readonly os?: "linux" | "darwin" | "windows" } = {},
): RegExp {
  if (glob === "") return /(?!)/;
  return new RegExp(`^${patternText(glob.replace(/(?<=.)\/+$/, ""))}/*$`);
}

function patternText(glob: string): string {
  return glob.replace(
    /(?<=^|\/)\*\*(?:\/+|$)|\*+|\?|\/+|\{[^{}/]*\}|\[!?[^\]/]+\]|[.+^$()|{}[\]\\]/g,
    (sign) => {
      if (/^\*\*(?:\/|$)/.test(sign) && !sign.startsWith("***")) return "(?:[^/]*(?:/|$)+)*";
      if (sign.startsWith("*")) return "[^/]*";
      if (sign === "?") return ".";
      if (sign.startsWith("/")) return "/+";
      if (sign.length < 3) return `\\${sign}`;
      const inner = sign.slice(1, -1);
      if (sign.startsWith("[")) return `[${inner.replace(/^!/, "^").replace(/\\/g, "\\\\")}]`;
      return `(?:${inner.split(",").map(patternText).join("|")})`;
    },
  );
}
