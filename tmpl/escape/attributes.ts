export type AttributeContext = "plain" | "url" | "css" | "js" | "srcset" | "html" | "unsafe";

const byContext: readonly (readonly [AttributeContext, string])[] = [
  [
    "url",
    "action archive background cite classid codebase data formaction href icon longdesc manifest " +
    "poster profile src usemap xmlns",
  ],
  [
    "unsafe",
    "accept-charset async challenge charset content crossorigin defer enctype form formenctype " +
    "formmethod formnovalidate http-equiv keytype language method novalidate pattern rel sandbox " +
    "type value",
  ],
  // Without it, its `src` would make it a URL.
  ["plain", "srclang"],
  ["srcset", "srcset"],
  ["css", "style"],
  ["html", "srcdoc"],
];

const contexts: ReadonlyMap<string, AttributeContext> = new Map(
  byContext.flatMap(([context, names]) => names.split(" ").map((name) => [name, context] as const)),
);

/**
 * Returns what an attribute's value is. Names that begin with `on` are handlers, and names in which
 * `src`, `uri` or `url` stands are URLs; `data-` and a prefix such as `xlink:` do not count.
 */
export function contextOfAttribute(name: string): AttributeContext {
  let short = name;
  if (name.startsWith("data-")) short = name.slice(5);
  else {
    const colon = name.indexOf(":");
    if (colon >= 0) {
      if (name.slice(0, colon) === "xmlns") return "url";
      short = name.slice(colon + 1);
    }
  }
  const known = contexts.get(short);
  if (known !== undefined) return known;
  if (short.startsWith("on")) return "js";
  return /src|uri|url/.test(short) ? "url" : "plain";
}
