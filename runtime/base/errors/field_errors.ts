/**
 * The messages of a submission that was understood but not accepted: one message per field.
 *
 * Returned or thrown from a handler it results in a 422, or in a 400 if created with that status; on an API
 * route it is the `fields` member of a problem document. Checks against data (does it exist, is it free) run
 * after `bind` and are added to the same object.
 *
 * @example
 * ```ts
 * import { FieldErrors } from "@fw/fw";
 * import { assertEquals } from "@std/assert";
 *
 * const errors = new FieldErrors();
 * errors.add("email", "is taken");
 * errors.add("email", "a later message of the same field is ignored");
 * assertEquals(errors.get("email"), "is taken");
 * assertEquals(JSON.stringify(errors), '{"email":"is taken"}');
 * ```
 */
export class FieldErrors extends Error implements Iterable<[field: string, message: string]> {
  /** The class name, identical in all copies of the package. */
  override readonly name: string = "FieldErrors";
  /** The stable code of this error. */
  readonly code = "validation_failed";
  /** The HTTP status: 422, or 400 if the URL is wrong, not a submission. */
  readonly status: 400 | 422;
  // A Map, not an object: a field may be named `__proto__`.
  readonly #messages = new Map<string, string>();

  /** Creates an empty set with the HTTP status 422, or the one given. */
  constructor(options: { readonly status?: 400 | 422 } = {}) {
    super("Validation failed");
    this.status = options.status ?? 422;
  }

  /** Adds a message unless the field, by its form or JSON name (`home.city`), already has one. */
  add(field: string, message: string): this {
    if (!this.#messages.has(field)) this.#messages.set(field, message);
    return this;
  }

  /** Adds the messages of another set, such as the error of `c.file`, for fields without a message. */
  merge(other: FieldErrors): this {
    for (const [field, message] of other) this.add(field, message);
    return this;
  }

  /** Reports whether a field has a message. */
  has(field: string): boolean {
    return this.#messages.has(field);
  }

  /** Returns the message of a field. */
  get(field: string): string | undefined {
    return this.#messages.get(field);
  }

  /** Reports whether any field has a message. */
  any(): boolean {
    return this.#messages.size > 0;
  }

  /** Returns this object if it holds a message, for `return errors.orUndefined()`. */
  orUndefined(): this | undefined {
    return this.#messages.size > 0 ? this : undefined;
  }

  /** A new record of field to message, without prototype, in insertion order. */
  get fields(): Record<string, string> {
    const record: Record<string, string> = Object.create(null);
    for (const [field, message] of this.#messages) record[field] = message;
    return record;
  }

  /** Returns the value that `JSON.stringify` writes: the record of field to message. */
  toJSON(): Record<string, string> {
    return this.fields;
  }

  /** Iterates over `[field, message]` in insertion order. */
  [Symbol.iterator](): IterableIterator<[field: string, message: string]> {
    return this.#messages.entries();
  }
}

/**
 * Creates a {@link FieldErrors} with one message: the usual result of a schema's `check`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { fieldError } from "@fw/fw";
 *
 * assertEquals(fieldError("starts", "must be in the future").has("starts"), true);
 * ```
 */
export function fieldError(field: string, message: string): FieldErrors {
  return new FieldErrors().add(field, message);
}
