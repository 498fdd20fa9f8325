import { httpError } from "../base/errors/errors.ts";
import type { HttpError } from "../base/errors/errors.ts";
import { isToken, trimBlanks } from "../base/headers.ts";

export type BodyKind = "json" | "urlencoded" | "multipart" | "other";

export interface BodyType {
  readonly kind: BodyKind;
  /** Type and subtype in lower case; `""` for a malformed header. */
  readonly essence: string;
  readonly parameters: ReadonlyMap<string, string>;
  /** Whether parsers may disagree on the parameters: one is duplicated or malformed. */
  readonly isAmbiguous: boolean;
}

const maxChars = 512;
const urlencoded: BodyType = plainType("urlencoded", "application/x-www-form-urlencoded");
const json: BodyType = plainType("json", "application/json");

/** The types that browsers and programs nearly always send; `fetch` adds the character set. */
const usualTypes: ReadonlyMap<string, BodyType> = new Map([
  [urlencoded.essence, urlencoded],
  [`${urlencoded.essence};charset=UTF-8`, urlencoded],
  [json.essence, json],
]);

function plainType(kind: BodyKind, essence: string): BodyType {
  return { kind, essence, parameters: new Map(), isAmbiguous: false };
}

export function parseBodyType(header: string): BodyType {
  const usual = usualTypes.get(header);
  if (usual !== undefined) return usual;
  const end = header.indexOf(";");
  const essence = trimBlanks(end < 0 ? header : header.slice(0, end)).toLowerCase();
  const [type = "", subtype = "", ...more] = essence.split("/");
  if (header.length > maxChars || more.length > 0 || !isToken(type) || !isToken(subtype)) {
    return plainType("other", "");
  }
  const parameters = new Map<string, string>();
  const pairs = end < 0 ? [] : parseParameters(header.slice(end));
  let isAmbiguous = pairs === undefined;
  for (const [name, value] of pairs ?? []) {
    // Java programs often send `application/json; utf-8`.
    if (value === undefined) continue;
    if (parameters.has(name)) isAmbiguous = true;
    else parameters.set(name, value);
  }
  return { kind: kindOf(essence), essence, parameters, isAmbiguous };
}

function kindOf(essence: string): BodyKind {
  if (essence === urlencoded.essence) return "urlencoded";
  if (essence === "multipart/form-data") return "multipart";
  return essence === json.essence || /^[^/]+\/[^/]+\+json$/.test(essence) ? "json" : "other";
}

/**
 * One parameter after its semicolon. A quoted value is raw, as browsers send it (HTML, "multipart/form-data
 * encoding algorithm"): it ends at the first quote before a semicolon or the end. A quote after a backslash,
 * as older programs escape it, does not end the value if more follows. Blanks match in one place only, because
 * with two, a long run of them would take quadratic time.
 */
const parameter =
  /;[ \t]*(?:([^\s";=]+)(?:=(?:"((?:[^"]|(?<=\\)")*?)"[ \t]*|([^";]*))|[ \t]*))?(?=;|$)/y;

export function parseParameters(
  text: string,
): readonly (readonly [name: string, value: string | undefined])[] | undefined {
  const pairs: [string, string | undefined][] = [];
  for (let at = 0; at < text.length; at = parameter.lastIndex) {
    parameter.lastIndex = at;
    const match = parameter.exec(text);
    if (match === null) return undefined;
    const [, name, quoted, token] = match;
    if (name === undefined) continue;
    pairs.push([
      name.toLowerCase(),
      quoted?.replaceAll('\\"', '"') ?? (token === undefined ? undefined : trimBlanks(token)),
    ]);
  }
  return pairs;
}

export const formTypes = "application/x-www-form-urlencoded, multipart/form-data";
export const bindTypes = `application/json, ${formTypes}`;

export function unsupportedType(given: string, accept: string): HttpError {
  const what = given === "" ? "a body without a readable content type" : `the type ${given}`;
  return httpError(415, `cannot read ${what}: send ${accept}`, {
    code: "unsupported_media_type",
    headers: { accept },
  });
}

/** The character set of forms that Apache HttpClient 5 sends by default. */
export const latin1Names = /^(?:iso-8859-1|windows-1252)$/i;

/** Refuses a compressed body, a character set other than UTF-8, and a duplicate parameter. */
export function refuseCodings(headers: Headers, type: BodyType): void {
  const encoding = headers.get("content-encoding");
  if (encoding !== null && trimBlanks(encoding).toLowerCase() !== "identity") {
    throw httpError(415, "cannot read a compressed body: send it without Content-Encoding", {
      code: "unsupported_content_encoding",
      headers: { "accept-encoding": "identity" },
    });
  }
  // RFC 7578 gives a multipart form no charset: its parts have their own. The parser checks the boundary.
  if (type.kind === "multipart") return;
  const charset = type.parameters.get("charset");
  const isLatin1 = type.kind === "urlencoded" && latin1Names.test(charset ?? "");
  if (charset !== undefined && !isLatin1 && !/^(?:utf-?8|us-ascii)$/i.test(charset)) {
    throw httpError(415, "cannot read the body's character set: send UTF-8", {
      code: "unsupported_charset",
    });
  }
  // Another parser, such as a filter in front, may choose another charset.
  if (type.isAmbiguous) {
    throw httpError(415, "cannot read a content type that has a parameter twice or malformed", {
      code: "unsupported_media_type",
    });
  }
}
