import type { HttpError } from "../errors/errors.ts";
import type { FieldErrors } from "../errors/field_errors.ts";
import type { AnyField, AnySchema } from "../standard_schema.ts";
import type { ParamName } from "../url/href.ts";

/** Options of `c.bind`, `c.tryBind`, `c.bindQuery` and `c.tryBindQuery`. */
export interface BindOptions {
  /**
   * Dotted names of form fields that a schema of another library reads as arrays, even when sent once.
   * @default []
   */
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
   * Whether the source shows that no text has what `text` refuses; otherwise every text is checked. @default
   * false
   */
  readonly isPlainText?: boolean;
  /** Number of members of all objects of the body, as far as the caller knows. @default 0 */
  readonly members?: number;
}

/** The rules of `c.file` for an uploaded file. */
export interface FileRules {
  /** The most bytes that the file may have. @default what the body's limit leaves */
  readonly maxSizeBytes?: number;
  /**
   * The accepted media types: `image/png`, `image/*` or `*` + `/*`. They are compared with the type that the
   * first 512 bytes show, never with the announced one. A type that bytes cannot show, such as `text/csv`,
   * also needs its extension. A type that fw cannot tell is a `TypeError`. @default everything
   */
  readonly accept?: readonly string[];
  /** Whether the field may be absent. @default false */
  readonly optional?: boolean;
}

/** One uploaded file. It exists until the response has been sent. */
export interface Upload {
  /**
   * The name that the client gave, made safe: no folder, separator or control character, at most 100
   * characters, never empty, hidden or a device's.
   */
  readonly name: string;
  /** The media type without parameters: the accepted one, else what the first 512 bytes show. */
  readonly mime: string;
  /** The file ending of that type, such as `.png`; `""` for a type that no single ending fits. */
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
  /** The fields of a form, files aside. @default 1000 */
  maxFields: number;
  /** The files of a form; its parts, empty file inputs included, are bounded by both together. @default 100 */
  maxFiles: number;
  /** The bytes of all text fields of a multipart form together. @default 10485760 (10 MiB) */
  maxTextBytes: number;
  /** The bytes of one form's files in memory; more goes to temporary files. @default 262144 (256 KiB) */
  maxMemoryBytes: number;
  /**
   * The average rate below which a body is refused with 408 after `timeouts.readMs`; 0 for any rate.
   * @default 500
   */
  minBytesPerSecond: number;
  /** The depth of a JSON body. @default 64 */
  maxJsonDepth: number;
  /**
   * The members of all objects of a JSON body together; arrays and objects may be ten times as many.
   * @default 10000
   */
  maxJsonKeys: number;
}

/** The members of `Ctx` that read the request; `P` is the pattern of its route. */
export interface CtxInput<P extends string = string> {
  /** The request. Assigning another one resets what was read of it; the route stays. */
  request: Request;
  /** The request's URL, parsed on first access; also `https:` if a trusted proxy reports it. */
  readonly url: URL;
  /** The request's method in capitals. */
  readonly method: string;
  /**
   * Returns a route parameter, decoded; a catch-all keeps its inner slashes.
   *
   * @throws {TypeError} when the pattern has no such parameter.
   */
  param(name: ParamName<P>): string;
  /**
   * Reads a route parameter by a field schema such as `int("min=1")`, with the field's type.
   *
   * @throws {NotFoundError} for a value that does not fit: no page has that URL.
   * @throws {TypeError} when the pattern has no such parameter, for a `list` and for a `struct`.
   */
  param<T>(name: ParamName<P>, field: AnyField<T>): T;
  /** The matched template such as `/blog/{slug}`; `""` where no route matched. */
  readonly pattern: string;
  /** Returns the first value of a query parameter, decoded, or `undefined` where it is absent. */
  query(name: string): string | undefined;
  /**
   * Reads the query as `bind` reads a form: converted and checked; names that the schema does not have
   * are ignored.
   *
   * @throws {FieldErrors} with the status 400, for what the schema does not accept.
   * @throws {HttpError} 413 for more fields than forms may have.
   */
  bindQuery<T>(schema: AnySchema<T>, options?: BindOptions): Promise<T>;
  /**
   * Does the same, but returns the messages with the submitted values, to show a search form again.
   *
   * @throws {HttpError} 413 for more fields than forms may have.
   */
  tryBindQuery<T>(schema: AnySchema<T>, options?: BindOptions): Promise<Bound<T>>;
  /**
   * Returns the first value of a form field, or `undefined` where it is absent; for a `GET` the
   * form is the query. `form`, `formData`, `bind` and `file` share one parse of the body.
   *
   * @throws {HttpError} 400 for a malformed form, 413 over a limit, 415 for another type; see
   * `formErr`.
   */
  form(name: string): Promise<string | undefined>;
  /**
   * Returns the whole form with its files in memory; `file` leaves large ones on disk.
   *
   * @throws {HttpError} as `form`.
   */
  formData(): Promise<FormData>;
  /** Returns what is wrong with the form, or `undefined`. After this call, `form` does not throw. */
  formErr(): Promise<HttpError | undefined>;
  /**
   * Reads the body as JSON and validates it.
   *
   * @throws {HttpError} 400 for malformed JSON and for an unknown member, 413 over a limit, 415.
   * @throws {FieldErrors} for what the schema does not accept.
   */
  bindJson<T>(schema: AnySchema<T>): Promise<T>;
  /**
   * Reads the body as a form or as JSON, by its content type, and validates it.
   *
   * @throws {HttpError} 400, 413 or 415 for a body that cannot be understood.
   * @throws {FieldErrors} for what the schema does not accept.
   */
  bind<T>(schema: AnySchema<T>, options?: BindOptions): Promise<T>;
  /**
   * Does the same, but returns the messages with the submitted values, so that a page can render
   * the form again. The option `files` reads the form's uploads with it, by the rules of `file`.
   *
   * @throws {HttpError} 400, 413 or 415 for a body that cannot be understood.
   */
  tryBind<T, const Files extends FormFiles = Record<never, never>>(
    schema: AnySchema<T>,
    options?: FormBindOptions<Files>,
  ): Promise<Bound<T, Files>>;
  /**
   * Returns one uploaded file, checked.
   *
   * @throws {FieldErrors} under the field's name, when a rule fails.
   * @throws {HttpError} as `form`.
   */
  file(field: string, rules?: FileRules & { readonly optional?: false }): Promise<Upload>;
  /** Does the same for a file that may be absent. */
  file(field: string, rules: FileRules): Promise<Upload | undefined>;
  /**
   * Changes the body's limit for this request. An announced length is checked before the handler runs,
   * so call it in a middleware.
   *
   * @throws {RangeError} for less than 0.
   * @throws {TypeError} once the body has been read.
   */
  allowBody(maxBytes: number): void;
  /** Removes the read deadline of this request's body. */
  noReadDeadline(): void;
  /** Returns a request cookie's value, or `undefined`; malformed pairs are skipped. */
  cookie(name: string): string | undefined;
  /** Returns the value of a signed cookie; `undefined` if it is absent, forged, expired or malformed. */
  signed(name: string): string | undefined;
  /**
   * Returns the offer that the client prefers by `Accept` (RFC 9110, section 12.5.1), `undefined` if it
   * accepts none. Without the header the first offer is returned.
   */
  accepts(...offers: string[]): string | undefined;
  /**
   * The client's address in its canonical form: the peer, or what trusted proxies report in
   * `X-Forwarded-For`; `undefined` without a server connection.
   */
  readonly clientIp: string | undefined;
  /**
   * The id of the element that the client wants to replace (header `FW-Fragment`), or `undefined` if it
   * requests the page. For a fragment, a node is rendered without layouts and a redirect is sent as 204
   * with `FW-Location`. An invalid id counts as absent.
   */
  readonly fragment: string | undefined;
}
