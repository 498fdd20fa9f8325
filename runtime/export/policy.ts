import { createHash } from "node:crypto";
import { attributeOf, type ScannedTag } from "../../html/document_scan.ts";
import { writePolicy } from "../guard/secure_headers.ts";

/** Directives that browsers do not read from a `meta` element (CSP level 3, section 3.3). */
const headerOnly: ReadonlySet<string> = new Set(
  "frame-ancestors report-to report-uri sandbox".split(" "),
);

const nonceSource = /^'nonce-([^']+)'$/;

const scriptType =
  /^(?:|module|importmap|speculationrules|(?:text|application)\/(?:x-)?(?:java|ecma)script|text\/(?:jscript|livescript|javascript1\.[0-5]))$/i;

/** Converts a policy for a file: nonces become hashes, or URLs of the referenced resources. */
export class StaticPolicy {
  readonly #policies: readonly Directives[];
  readonly #nonces: ReadonlySet<string>;
  readonly #scripts: Set<string> = new Set();
  readonly #styles: Set<string> = new Set();

  constructor(header: string | null) {
    const texts = (header ?? "").split(",").filter((text) => text.trim() !== "");
    this.#policies = texts.map(parseDirectives);
    const sources = this.#policies.flatMap((directives) => [...directives.values()].flat());
    this.#nonces = new Set(sources.flatMap((source) => nonceSource.exec(source)?.[1] ?? []));
  }

  /** Allows an element with the right nonce; the server's policy refuses any other as well. */
  allow(tag: ScannedTag, resolve: (url: string) => URL | "self" | undefined): void {
    if (!this.#nonces.has(attributeOf(tag, "nonce") ?? "")) return;
    const sources = isScript(tag) ? this.#scripts : this.#styles;
    const address = addressOf(tag);
    if (address === undefined) {
      const isRun = tag.name === "style" || scriptType.test(attributeOf(tag, "type")?.trim() ?? "");
      if (tag.code === undefined || !isRun) return;
      const hash = createHash("sha256").update(tag.code.toWellFormed()).digest("base64");
      return void sources.add(`'sha256-${hash}'`);
    }
    for (
      const hash of attributeOf(tag, "integrity")?.match(/\bsha(?:256|384|512)-[\w+/=-]+/g) ?? []
    ) {
      sources.add(`'${hash}'`);
    }
    const url = resolve(address);
    if (url === "self") sources.add("'self'");
    else if (url !== undefined) sources.add(url.origin + url.pathname.replaceAll(";", "%3B"));
  }

  /** Returns the policies; a directive that allowed only the nonce allows nothing. */
  texts(): string[] {
    return this.#policies.map((directives) =>
      writePolicy(
        [...directives].filter(([name]) => !headerOnly.has(name))
          .map(([name, sources]) => [name, this.#sourcesFor(name, sources)]),
      )
    ).filter((text) => text !== "");
  }

  #sourcesFor(name: string, sources: readonly string[]): readonly string[] {
    const kept = sources.filter((source) => !nonceSource.test(source));
    if (kept.length === sources.length) return sources;
    const added = [
      ...(name.startsWith("script-src") || name === "default-src" ? this.#scripts : []),
      ...(name.startsWith("style-src") || name === "default-src" ? this.#styles : []),
    ];
    const all = new Set([...kept.filter((source) => source !== "'none'"), ...added]);
    return all.size === 0 ? ["'none'"] : [...all];
  }
}

type Directives = ReadonlyMap<string, readonly string[]>;

/** Returns the directives of a policy that only a header can carry, as the header's text; `""` for none. */
export function headerPolicy(header: string): string {
  return header.split(",").map((text) =>
    writePolicy([...parseDirectives(text)].filter(([name]) => headerOnly.has(name)))
  ).filter((text) => text !== "").join(", ");
}

function parseDirectives(text: string): Directives {
  const directives = new Map<string, readonly string[]>();
  for (const part of text.split(";")) {
    const [name = "", ...sources] = part.trim().split(/\s+/);
    const lower = name.toLowerCase();
    if (lower !== "" && !directives.has(lower)) directives.set(lower, sources);
  }
  return directives;
}

function isScript(tag: ScannedTag): boolean {
  return tag.name === "script" ||
    (tag.name === "link" && /\bmodulepreload\b/i.test(attributeOf(tag, "rel") ?? "")) ||
    (tag.name === "link" && attributeOf(tag, "as")?.toLowerCase() === "script");
}

function addressOf(tag: ScannedTag): string | undefined {
  if (tag.name === "link") return attributeOf(tag, "href");
  if (tag.name !== "script") return undefined;
  return attributeOf(tag, "src") ?? attributeOf(tag, "href") ?? attributeOf(tag, "xlink:href");
}
