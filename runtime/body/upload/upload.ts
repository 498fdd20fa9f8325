import { fieldError } from "../../base/field_errors.ts";
import type { FileRules, Upload } from "../../base/input.ts";
import type { Logger } from "../../base/logger.ts";
import type { Env } from "../../base/types.ts";
import type { HasBody } from "../body.ts";
import { readForm } from "../form/form.ts";
import { describeBytes, describeTypes } from "../format.ts";
import { extensionOf, sniffType } from "./sniff.ts";
import type { UploadFile } from "./file.ts";
import { safeFileName } from "./name.ts";
import { saveUpload } from "./save.ts";
import { messageLanguage, validationMessage } from "../../schema/messages.ts";

/** What is needed of the context, whose class imports this file. */
interface UploadSubject extends HasBody {
  readonly env: Env;
  readonly log: Logger;
  readonly pattern: string;
}

/**
 * Gives one uploaded file, checked.
 *
 * @param c The context.
 * @param field The name of the file input.
 * @param rules What the file must be.
 * @returns The file; `undefined` for an absent one that is optional.
 * @throws {FieldErrors} under the field's name, when a rule fails.
 * @throws {HttpError} for a form that cannot be read.
 * @throws {TypeError} for rules that no file can meet.
 */
export async function readUpload(
  c: UploadSubject,
  field: string,
  rules: FileRules,
): Promise<Upload | undefined> {
  checkRules(rules);
  warnOfReach(c, { field, rules });
  const file = (await readForm(c)).file(field);
  if (file === undefined) {
    if (rules.optional === true) return undefined;
    throw fieldError(field, validationMessage("required"));
  }
  const { maxSizeBytes, accept = [] } = rules;
  if (maxSizeBytes !== undefined && file.size > maxSizeBytes) {
    throw fieldError(field, validationMessage("filemax", { param: describeBytes(maxSizeBytes) }));
  }
  const mime = sniffType(file.head);
  if (!isAccepted(mime, accept)) {
    throw fieldError(
      field,
      validationMessage("filetype", { param: describeTypes(accept, messageLanguage()) }),
    );
  }
  return new RequestUpload(file, mime);
}

/** Tells in development of a size that no file can have, since the body is refused before. */
function warnOfReach(
  c: UploadSubject,
  { field, rules }: { readonly field: string; readonly rules: FileRules },
): void {
  const { maxSizeBytes = 0 } = rules;
  const { maxBytes } = c.body;
  if (c.env !== "dev" || maxSizeBytes === Infinity || maxSizeBytes <= maxBytes) return;
  c.log.warn(
    "maxSizeBytes is over the limit of the body, which is refused before; call c.allowBody(maxBytes) in a middleware of the route, or lower maxSizeBytes",
    { field, route: c.pattern, max_size_bytes: maxSizeBytes, body_limit_bytes: maxBytes },
  );
}

function checkRules(rules: FileRules): void {
  const { maxSizeBytes, accept = [] } = rules;
  if (maxSizeBytes !== undefined && !(maxSizeBytes >= 0)) {
    throw new RangeError(`Cannot set maxSizeBytes to "${maxSizeBytes}": give bytes from 0 up.`);
  }
  for (const range of accept) {
    if (!/^(?:\*\/\*|[\w!#$&^.+-]+\/(?:\*|[\w!#$&^.+-]+))$/.test(range)) {
      throw new TypeError(
        `Cannot accept "${range}": give media types such as "image/png" or "image/*", no endings.`,
      );
    }
  }
}

function isAccepted(mime: string, accept: readonly string[]): boolean {
  if (accept.length === 0) return true;
  const type = mime.slice(0, mime.indexOf("/"));
  return accept.some((range) => {
    const wanted = range.toLowerCase();
    return wanted === mime || wanted === "*/*" || wanted === `${type}/*`;
  });
}

/** The one implementation of {@link Upload}. */
class RequestUpload implements Upload {
  readonly name: string;
  readonly mime: string;
  readonly ext: string;
  readonly size: number;
  readonly #file: UploadFile;

  constructor(file: UploadFile, mime: string) {
    this.#file = file;
    this.name = safeFileName(file.name);
    this.mime = mime;
    this.ext = extensionOf(mime);
    this.size = file.size;
  }

  stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return this.#file.stream();
  }

  bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#file.bytes();
  }

  save(dir: string): Promise<string> {
    return saveUpload(this.#file, { dir, name: this.name });
  }

  close(): Promise<void> {
    return this.#file.remove();
  }
}
