import type { UploadFile } from "../upload/file.ts";

/** A form that was read: the one parse that `form`, `formData`, `bind`, `file` and CSRF share. */
export class FormBody {
  /** The values of every field, in order; files are not among them. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** The files of every field, in order. */
  readonly files: ReadonlyMap<string, readonly UploadFile[]>;

  constructor(
    fields: ReadonlyMap<string, readonly string[]>,
    files: ReadonlyMap<string, readonly UploadFile[]> = noFiles,
  ) {
    this.fields = fields;
    this.files = files;
  }

  /** The first value of a field, or `undefined`. */
  get(name: string): string | undefined {
    return this.fields.get(name)?.[0];
  }

  /** The first file of a field, or `undefined`. */
  file(name: string): UploadFile | undefined {
    return this.files.get(name)?.[0];
  }

  /**
   * Makes a `FormData`, which holds its files in memory: fields first, then files.
   *
   * @returns A fresh one at every call.
   */
  async toFormData(): Promise<FormData> {
    const data = new FormData();
    for (const [name, values] of this.fields) {
      for (const value of values) data.append(name, value);
    }
    for (const [name, files] of this.files) {
      for (const file of files) {
        const bytes = await file.bytes();
        data.append(name, new File([bytes], file.name, { type: file.type }));
      }
    }
    return data;
  }
}

const noFiles: ReadonlyMap<string, readonly UploadFile[]> = new Map();

/** A form without fields. */
export const emptyForm: FormBody = new FormBody(new Map());
