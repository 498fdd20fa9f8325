import type { BodyLimits } from "../../base/ctx/input.ts";
import { isToken, trimBlanks } from "../../base/headers.ts";
import type { RequestBody } from "../body.ts";
import { ByteBuffer } from "../chunks.ts";
import { addField, decodeText, findNameFault, FormBody, invalidForm, overLimit } from "./fields.ts";
import { MultipartScan } from "./multipart_scan.ts";
import { describeBytes } from "../format.ts";
import { type BodyType, parseBodyType, parseParameters } from "../type.ts";
import { UploadFile } from "../upload/file.ts";
import type { UploadSpool } from "../upload/spool.ts";

/** Reads `multipart/form-data` (RFC 7578) as it arrives; large files go to disk. */
export async function readMultipart(
  body: RequestBody,
  type: BodyType,
  spool: UploadSpool,
): Promise<FormBody> {
  const boundary = boundaryOf(type);
  const { limits } = body.settings;
  const chunks = body.chunks("c.form");
  try {
    const form = await readParts(new MultipartScan(chunks, boundary), limits, spool);
    // Content after the last delimiter is not part of the form.
    await chunks.cancel();
    await body.checkAgain();
    return form;
  } catch (error) {
    await chunks.cancel();
    spool.release();
    throw error;
  }
}

/**
 * Returns the boundary. RFC 2046, section 5.1.1, allows 1 to 70 characters of a small set; programs also send
 * others, such as `*****`. Quotes and backslashes are refused, because parsers disagree on them in a quoted
 * value.
 */
function boundaryOf(type: BodyType): string {
  const boundary = type.parameters.get("boundary") ?? "";
  if (type.isAmbiguous || !/^[ !#-[\]-~]{0,199}[!#-[\]-~]$/.test(boundary)) {
    throw invalidForm("its boundary is missing or malformed");
  }
  return boundary;
}

async function readParts(
  scan: MultipartScan,
  limits: BodyLimits,
  spool: UploadSpool,
): Promise<FormBody> {
  const { maxFields, maxFiles, maxTextBytes } = limits;
  const fields = new Map<string, string[]>();
  const files = new Map<string, UploadFile[]>();
  let fieldCount = 0;
  let fileCount = 0;
  let textBytes = 0;
  const readField = async ({ name, charset }: PartHead): Promise<void> => {
    if (++fieldCount > maxFields) throw overLimit(`${maxFields} fields`);
    const text = new ByteBuffer();
    await scan.readContent((piece) => {
      textBytes += piece.length;
      if (textBytes > maxTextBytes) throw overLimit(`${describeBytes(maxTextBytes)} of text`);
      text.append(piece);
    });
    addField(fields, name, decodeText(text.view(), charset));
  };
  const readFile = async (fileName: string, head: PartHead): Promise<void> => {
    const file = new UploadFile(spool, { name: fileName, type: head.type });
    try {
      await scan.readContent((piece) => {
        if (file.size === 0 && ++fileCount > maxFiles) throw overLimit(`${maxFiles} files`);
        file.write(piece);
      });
      file.finish();
      // A file input without a selection is sent with neither name nor content.
      if (fileName !== "" || file.size > 0) addField(files, head.name, file);
    } catch (error) {
      file.abort();
      throw error;
    }
  };
  // Skips the preamble (RFC 2046, section 5.1.1), which the body's limit bounds.
  await scan.readContent(() => {});
  for (let parts = 0; await scan.readDelimiterEnd(); parts++) {
    if (parts === maxFields + maxFiles) throw overLimit(`${parts} parts`);
    const head = parsePartHead(await scan.readHeaderBlock(maxPartHeaderBytes));
    if (head.fileName === undefined) await readField(head);
    else await readFile(head.fileName, head);
  }
  return new FormBody(fields, files);
}

interface PartHead {
  readonly name: string;
  readonly fileName: string | undefined;
  readonly type: string;
  readonly charset: string | undefined;
}

/** Parses leniently, but refuses input that two parsers would read differently, such as two names. */
function parsePartHead(block: Uint8Array): PartHead {
  const headers = parseHeaderBlock(decodeHeaders(block));
  const { name, fileName } = parseDisposition(headers.get("content-disposition"));
  const fault = findNameFault(name);
  if (fault !== undefined) throw overLimit(fault);
  const type = headers.get("content-type") ?? "";
  // Section 4.3: forms do not nest; a nested one is an attempt to hide content from a filter.
  if (/^multipart\//i.test(type)) throw invalidForm("a part is multipart itself");
  const encoding = headers.get("content-transfer-encoding") ?? "binary";
  // Section 4.7: for other encodings, some parsers decode the content and some do not.
  if (!/^(?:7bit|8bit|binary)$/i.test(encoding)) {
    throw invalidForm("a part has a Content-Transfer-Encoding");
  }
  const { essence, parameters } = parseBodyType(type);
  const charset = parameters.get("charset") ?? "";
  return {
    name,
    fileName: fileName ?? (isBinary(essence) ? "" : undefined),
    type,
    charset: /^(?:|utf-?8|us-ascii)$/i.test(charset) ? undefined : charset,
  };
}

/** Recognises a file without a file name by a media type that is not text: some programs send no name. */
function isBinary(essence: string): boolean {
  return /^(?:image|audio|video|font)\//.test(essence) ||
    /^application\/(?!.*(?:json|xml|form|text|script|yaml|graphql))/.test(essence);
}

/** Decodes headers as UTF-8, else as Latin-1, in which older programs write file names. */
function decodeHeaders(block: Uint8Array): string {
  try {
    return decodeText(block);
  } catch {
    return decodeText(block, "windows-1252");
  }
}

/** The maximum bytes and lines of a part's headers. */
const maxPartHeaderBytes = 8_192;
const maxPartHeaders = 16;

function parseHeaderBlock(block: string): Map<string, string> {
  const headers = new Map<string, string>();
  const lines = block.replace(/\r\n[ \t]+/g, " ").split("\r\n", maxPartHeaders + 1);
  if (lines.length > maxPartHeaders) throw overLimit(`${maxPartHeaders} headers in a part`);
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    // NUL, CR or LF ends a line or a string in other parsers.
    if (!isToken(name) || /[\0\r\n]/.test(line)) throw invalidForm("a part has a malformed header");
    if (headers.has(name)) throw invalidForm(`a part has two ${name} headers`);
    headers.set(name, trimBlanks(line.slice(colon + 1)));
  }
  return headers;
}

function parseDisposition(
  value: string | undefined,
): { readonly name: string; readonly fileName: string | undefined } {
  if (value === undefined) throw invalidForm("a part has no Content-Disposition");
  const end = value.indexOf(";");
  if (trimBlanks(value.slice(0, Math.max(end, 0))).toLowerCase() !== "form-data") {
    throw invalidForm("a part is not form-data with a name");
  }
  const parameters = new Map<string, string>();
  for (const [key, text] of parseParameters(value.slice(end)) ?? [["", undefined]]) {
    if (text === undefined) throw invalidForm("a part has a malformed Content-Disposition");
    if (parameters.has(key)) throw invalidForm(`a part has two ${key} parameters`);
    parameters.set(key, text);
  }
  const [plain, extended] = [parameters.get("name"), parameters.get("name*")];
  if (plain !== undefined && extended !== undefined) throw invalidForm("a part has two names");
  const name = plain === undefined ? decodeExtended(extended) : decodeName(plain);
  if (name === undefined) throw invalidForm("a part has no name");
  const [plainFile, extendedFile] = [parameters.get("filename"), parameters.get("filename*")];
  // RFC 6266, section 4.3: the extended name wins.
  const fileName = decodeExtended(extendedFile) ??
    (plainFile === undefined ? undefined : decodeName(plainFile));
  if (fileName === undefined && extendedFile !== undefined) {
    throw invalidForm("a part has a malformed file name");
  }
  return { name, fileName };
}

/** Decodes the HTML Standard's escapes in a name: quotes and line breaks. */
function decodeName(text: string): string {
  return text.replace(/%22|%0D|%0A/gi, (escape) => decodeURIComponent(escape));
}

/** Decodes an RFC 8187 value; `undefined` if it is malformed. */
function decodeExtended(text: string | undefined): string | undefined {
  const [, charset, value] = /^([\w-]+)'[^']*'((?:[^%]|%[0-9a-f]{2})*)$/i.exec(text ?? "") ?? [];
  if (charset === undefined || value === undefined) return undefined;
  const bytes = value.split(/%(..)/).flatMap((piece, index) =>
    index % 2 === 1 ? [parseInt(piece, 16)] : [...encoder.encode(piece)]
  );
  try {
    return decodeText(Uint8Array.from(bytes), charset);
  } catch {
    return undefined;
  }
}

const encoder = new TextEncoder();
