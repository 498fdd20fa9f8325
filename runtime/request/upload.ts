import { fieldError } from "../base/field_errors.ts";
import type { FileRules, Upload } from "../base/input.ts";
import type { HasBody } from "./body.ts";
import { readForm } from "./form.ts";
import { describeBytes, describeTypes } from "./plain_words.ts";
import { extensionOf, sniffType } from "./sniff.ts";
import type { UploadFile } from "./upload_file.ts";
import { safeFileName } from "./upload_name.ts";
import { saveUpload } from "./upload_save.ts";
import { messageLanguage, validationMessage } from "./validate_messages.ts";

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
  c: HasBody,
  field: string,
  rules: FileRules,
): Promise<Upload | undefined> {
  checkRules(rules);
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
