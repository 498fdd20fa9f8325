import { type HttpError, httpError } from "../../base/errors/errors.ts";
import type { UploadFile } from "../upload/file.ts";

/** A parsed form, shared by `form`, `formData`, `bind`, `file` and the CSRF check. */
export class FormBody {
  /** The values of every field, in order; files are not among them. */
  declare readonly fields: ReadonlyMap<string, readonly string[]>;
  declare readonly files: ReadonlyMap<string, readonly UploadFile[]>;

  constructor(
    fields: ReadonlyMap<string, readonly string[]>,
    files: ReadonlyMap<string, readonly UploadFile[]> = noFiles,
  ) {
    this.fields = fields;
    this.files = files;
  }

  get(name: string): string | undefined {
    return this.fields.get(name)?.[0];
  }

  file(name: string): UploadFile | undefined {
    return this.files.get(name)?.[0];
  }

  /** Creates a `FormData`, which holds its files in memory: fields first, then files. */
  async toFormData(): Promise<FormData> {
    const data = new FormData();
    for (const [name, values] of this.fields) {
      for (const value of values) data.append(name, value);
    }
    for (const [name, files] of this.files) {
      for (const file of files) {
        const bytes = await file.bytes();
        data.append(name, new File([bytes], withoutFolders(file.name), { type: file.type }));
      }
    }
    return data;
  }
}

/** Returns the last part of a path of any platform, because some clients send the whole path. */
export function withoutFolders(sent: string): string {
  return sent.split(/[/\\]/).at(-1) ?? "";
}

const noFiles: ReadonlyMap<string, readonly UploadFile[]> = new Map();
export const emptyForm: FormBody = new FormBody(new Map());
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Throws a 400 for text that is invalid in the character set. */
export function decodeText(bytes: Uint8Array, charset?: string): string {
  const decoder = charset === undefined ? utf8 : decoderOf(charset);
  try {
    return decoder.decode(bytes);
  } catch {
    throw invalidForm(`it is not ${charset ?? "UTF-8"}`);
  }
}

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true });
  } catch {
    throw invalidForm("a part has an unknown character set");
  }
}

export function addField<T>(fields: Map<string, T[]>, name: string, value: T): void {
  const values = fields.get(name);
  if (values === undefined) fields.set(name, [value]);
  else values.push(value);
}

/** The maximum number of bytes and of dots in a field name; each dot nests. */
const maxNameBytes = 512;
const maxNesting = 32;

export function findNameFault(name: string): string | undefined {
  // UTF-8 has at most three bytes per UTF-16 code unit, so short names need no counting.
  if (name.length * 3 > maxNameBytes) {
    if (new TextEncoder().encode(name).length > maxNameBytes) {
      return `${maxNameBytes} bytes in a name`;
    }
  }
  let dots = 0;
  for (let at = name.indexOf("."); at >= 0; at = name.indexOf(".", at + 1)) {
    if (++dots > maxNesting) return `${maxNesting} dots in a name`;
  }
  return undefined;
}

export function invalidForm(reason: string): HttpError {
  return httpError(400, `the form is invalid: ${reason}`, { code: "invalid_form" });
}

export function overLimit(limit: string): HttpError {
  return httpError(413, `the form is over the limit of ${limit}`, { code: "form_too_large" });
}
