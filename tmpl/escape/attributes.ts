import type { AttributeKind } from "./context.ts";

const byKind: readonly (readonly [AttributeKind | "Unsafe", string])[] = [
  [
    "URL",
    "action archive background cite classid codebase data formaction href icon longdesc manifest " +
    "ping poster profile src usemap xmlns",
  ],
  [
    "Unsafe",
    "accept-charset async challenge charset content crossorigin defer enctype form formenctype " +
    "formmethod formnovalidate http-equiv keytype language method novalidate pattern rel sandbox " +
    "type value",
  ],
  // Listed, because the `src` in its name would make it a URL.
  ["None", "srclang"],
  ["Srcset", "srcset imagesrcset"],
  ["Style", "style"],
  ["Srcdoc", "srcdoc"],
];

const kinds: ReadonlyMap<string, AttributeKind | "Unsafe"> = new Map(
  byKind.flatMap(([kind, names]) => names.split(" ").map((name) => [name, kind] as const)),
);

/**
 * Returns the kind of an attribute's value. Names that begin with `on` are handlers, and names that
 * contain `src`, `uri` or `url` are URLs; `data-` and a prefix such as `xlink:` are ignored.
 */
export function attributeKind(name: string): AttributeKind | "Unsafe" {
  let short = name;
  if (name.startsWith("data-")) short = name.slice(5);
  else {
    const colon = name.indexOf(":");
    if (colon >= 0) {
      if (name.slice(0, colon) === "xmlns") return "URL";
      short = name.slice(colon + 1);
    }
  }
  const known = kinds.get(short);
  if (known !== undefined) return known;
  if (short.startsWith("on")) return "Script";
  return /src|uri|url/.test(short) ? "URL" : "None";
}
