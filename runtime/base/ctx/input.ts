import type { FieldErrors } from "../errors/field_errors.ts";

/** Options of `c.bind`, `c.tryBind`, `c.bindQuery` and `c.tryBindQuery`. */
export interface BindOptions {
  /** Dotted names of fields that another library's schema reads as arrays, even if sent once. @default [] */
  readonly lists?: readonly string[];
}

/** Options of `c.tryBind` for a form with uploads. */
export interface FormBindOptions<Files extends FormFiles> extends BindOptions {
  /** The files that belong to the form, by field; their messages join those of the fields. @default {} */
  readonly files?: Files;
}

/** The file fields of a form with their rules: for `c.tryBind` and `ui.form` alike. */
export type FormFiles = Readonly<Record<string, FileRules>>;

/** The uploaded files of a form by field; one whose rules say `optional` may be absent. */
export type BoundFiles<Files extends FormFiles> = {
  readonly [Name in keyof Files]: Files[Name] extends FileRules & { readonly optional?: false }
    ? Upload
    : Upload | undefined;
};

/**
 * The result of `tryBind`: the value, or its accepted fields with the messages and the submitted text, so
 * that a page can render the form again.
 */
export type Bound<T, Files extends FormFiles = Record<never, never>> =
  & (
    | {
      /** Whether every field was accepted. */
      readonly ok: true;
      /** The converted value. */
      readonly value: T;
      /** The files of the option `files`. */
      readonly files: BoundFiles<Files>;
    }
    | {
      /** Whether every field was accepted. */
      readonly ok: false;
      /** The top-level fields that were accepted. */
      readonly value: Partial<T>;
      /** The files that were accepted. */
      readonly files: Partial<BoundFiles<Files>>;
    }
  )
  & {
    /** The messages; empty when every field was accepted. Add those of checks against data. */
    readonly errors: FieldErrors;
    /** Returns the submitted text of a field, by form or JSON name; empty if the field was not sent. */
    text(field: string): string;
    /** Returns every submitted text of a field, such as the ticked boxes of a group. */
    texts(field: string): readonly string[];
  };

/** The known properties of a JSON body. */
export interface JsonOptions {
  /**
   * Whether the source proves that no string has a character that `text` refuses; otherwise each is checked.
   * @default false
   */
  readonly isPlainText?: boolean;
  /** Number of members of all objects of the body, as far as the caller knows. @default 0 */
  readonly members?: number;
}

/** The rules of `c.file` for an uploaded file. */
export interface FileRules {
  /** The maximum size of the file in bytes. @default the body's limit */
  readonly maxSizeBytes?: number;
  /**
   * The accepted media types: `image/png`, `image/*` or `*` + `/*`. They are compared with the type that the
   * first 512 bytes show, never with the announced one. A type that bytes cannot show, such as `text/csv`,
   * also needs its extension. A type that fw cannot detect is a `TypeError`. @default everything
   */
  readonly accept?: readonly string[];
  /** Whether the field may be absent. @default false */
  readonly optional?: boolean;
}

/** One uploaded file. It exists until the response has been sent. */
export interface Upload {
  /**
   * The name that the client gave, made safe: no folder, separator or control character, at most 100
   * characters, never empty, a hidden file or a device name.
   */
  readonly name: string;
  /** The media type without parameters: the accepted one, else what the first 512 bytes show. */
  readonly mime: string;
  /** The file extension of that type, such as `.png`; `""` for a type without a single one. */
  readonly ext: string;
  /** The size in bytes. */
  readonly size: number;
  /** Streams the content from its start; every call returns a new stream. */
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Returns the whole content. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Writes the content into an existing folder, readable by its owner alone (mode 0600), as `name.ext`, or
   * with a random part where that is taken (`name-3f2a9c81d0b4.ext`), and returns the path. Nothing outside
   * the folder is touched, even through links in it.
   */
  save(dir: string): Promise<string>;
  /** Releases the content before the request ends. */
  close(): Promise<void>;
}

/** The limits of a body: exceeding one rejects the request, nothing is truncated. */
export interface BodyLimits {
  /** Maximum number of fields of a form, without files. @default 1000 */
  maxFields: number;
  /** Maximum number of files; parts, empty file inputs included, may reach the sum of both. @default 100 */
  maxFiles: number;
  /** Maximum total bytes of the text fields of a multipart form. @default 10485760 (10 MiB) */
  maxTextBytes: number;
  /** Maximum bytes of a form's files in memory; the rest goes to disk. @default 262144 (256 KiB) */
  maxMemoryBytes: number;
  /** The average rate that a body needs after `timeouts.readMs`, else it gets 408; 0 for any. @default 500 */
  minBytesPerSecond: number;
  /** Maximum depth of a JSON body. @default 64 */
  maxJsonDepth: number;
  /** Maximum members of a JSON body; arrays and objects may be ten times as many. @default 10000 */
  maxJsonKeys: number;
}
