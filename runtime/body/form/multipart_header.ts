import { isToken, trimBlanks } from "../../base/headers.ts";
import type { BodyLimits } from "../../base/ctx/input.ts";
import { parseBodyType, splitParameters, unquote } from "../type.ts";
import { decodeText, invalidForm, overLimit, refuseName } from "./fields.ts";

// deno-lint-ignore no-control-regex -- control characters are what is refused
const controls = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** The parsed headers of a part. */
export interface PartHead {
  /** The field's name. */
  readonly name: string;
  /** The file's name; `undefined` for a text field. */
  readonly fileName: string | undefined;
  /** The announced media type; `""` for none. */
  readonly type: string;
}

/**
 * Reads the header block of a part (RFC 7578, section 4).
 *
 * @param block The lines, without the empty one at the end.
 * @param limits The maximum number of lines and the maximum length of a name.
 * @returns The parsed headers.
 * @throws {HttpError} 400 for anything that another parser might read differently, 413 over a limit.
 */
export function parsePartHead(block: Uint8Array, limits: BodyLimits): PartHead {
  const headers = parseHeaderBlock(decodeText(block), limits);
  const disposition = headers.get("content-disposition");
  if (disposition === undefined) throw invalidForm("a part has no Content-Disposition");
  const { name, fileName } = parseDisposition(disposition);
  refuseName(name, limits);
  const type = headers.get("content-type") ?? "";
  refusePartType(type, { isFile: fileName !== undefined });
  const encoding = headers.get("content-transfer-encoding")?.toLowerCase();
  if (encoding !== undefined && !/^(?:7bit|8bit|binary)$/.test(encoding)) {
    throw invalidForm("a part has a Content-Transfer-Encoding");
  }
  return { name, fileName, type };
}

function parseHeaderBlock(block: string, limits: BodyLimits): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of block.split("\r\n", limits.maxPartHeaders + 1)) {
    if (headers.size === limits.maxPartHeaders) {
      throw overLimit(`${limits.maxPartHeaders} headers in a part`);
    }
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    const value = trimBlanks(line.slice(colon + 1));
    // A NUL, CR or LF ends a line or a text for other readers. Other control characters may stand in a
    // file name, where `safeFileName` drops them: a user cannot see them, nor why the form was refused.
    const refused = name === "content-disposition" ? /[\0\r\n]/ : controls;
    if (!isToken(name) || refused.test(value)) {
      throw invalidForm("a part has a malformed header");
    }
    if (headers.has(name)) throw invalidForm(`a part has two ${name} headers`);
    headers.set(name, value);
  }
  return headers;
}

function parseDisposition(
  value: string,
): { readonly name: string; readonly fileName: string | undefined } {
  const [kind = "", ...rest] = splitParameters(value);
  if (trimBlanks(kind).toLowerCase() !== "form-data") {
    throw invalidForm("a part is no form-data");
  }
  const parameters = new Map<string, string>();
  for (const text of rest) {
    const at = text.indexOf("=");
    const key = trimBlanks(text.slice(0, Math.max(at, 0))).toLowerCase();
    const isFileName = key === "filename";
    if (!isToken(key) || (!isFileName && controls.test(text))) {
      throw invalidForm("a part has a malformed Content-Disposition");
    }
    if (parameters.has(key)) throw invalidForm(`a part has two ${key} parameters`);
    parameters.set(key, trimBlanks(text.slice(at + 1)));
  }
  const name = parameters.get("name");
  if (name === undefined) throw invalidForm("a part has no name");
  const plain = parameters.get("filename");
  const extended = parameters.get("filename*");
  if (plain !== undefined && extended !== undefined) throw invalidForm("a part has two file names");
  return {
    name: decodeParameter(name),
    fileName: plain !== undefined
      ? decodeParameter(plain)
      : extended !== undefined
      ? decodeExtended(extended)
      : undefined,
  };
}

/** Undoes what the HTML Standard escapes in a name: quotes and line breaks. */
function decodeParameter(text: string): string {
  if (text.startsWith('"') !== text.endsWith('"') || text === '"') {
    throw invalidForm("a part has an unfinished string in its Content-Disposition");
  }
  return unquote(text).replace(/%22|%0D|%0A/gi, (escape) => decodeURIComponent(escape));
}

/** Undoes RFC 8187, which RFC 7578 forbids and older programs send. */
function decodeExtended(text: string): string {
  const match = /^utf-8'[^']*'(.*)$/i.exec(text);
  try {
    if (match?.[1] !== undefined) return decodeURIComponent(match[1]);
  } catch {
    // Refused below.
  }
  throw invalidForm("a part has a malformed file name");
}

function refusePartType(header: string, { isFile }: { readonly isFile: boolean }): void {
  if (header === "") return;
  const type = parseBodyType(header);
  // RFC 7578, section 4.3: forms do not nest; a nested one is an attempt to hide content from a filter.
  if (type.essence.startsWith("multipart/")) throw invalidForm("a part is multipart itself");
  // RFC 7578, section 4.4: a file may have any charset, which its reader decodes.
  if (isFile) return;
  const charset = type.parameters.get("charset");
  if (charset !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(charset)) {
    throw invalidForm("a part is not UTF-8");
  }
}
