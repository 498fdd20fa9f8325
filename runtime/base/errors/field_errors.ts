/**
 * The messages of a submission that was understood but not accepted: one message a field.
 *
 * Returned or thrown from a handler it results in a 422, or in the 400 that it was made with, as the
 * `fields` member of a problem document on an API route. Checks against data (does it exist, is it free) run after `bind` and are added
 * to the same object.
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
  /** The class name, also in copies of the package. */
  override readonly name: string = "FieldErrors";
  /** The stable code of this error. */
  readonly code = "validation_failed";
  /** The HTTP status: 422, or 400 where not a submission but the URL is wrong. */
  readonly status: 400 | 422;
  // A Map, not an object: a field may be named `__proto__`.
  readonly #messages = new Map<string, string>();

  /**
   * Creates an empty set; fill it with {@link FieldErrors.add}.
   *
   * @param options `status`: the HTTP status. @default 422
   */
  constructor(options: { readonly status?: 400 | 422 } = {}) {
    super("Validation failed");
    this.status = options.status ?? 422;
  }

  /**
   * Adds a message unless the field already has one.
   *
   * @param field Form or JSON name of the field, dotted when nested (`home.city`).
   * @param message Text for the person who filled in the field.
   * @returns This object, for chaining.
   */
  add(field: string, message: string): this {
    if (!this.#messages.has(field)) this.#messages.set(field, message);
    return this;
  }

  /**
   * Adds the messages of another set, where this one has none for the field.
   *
   * @param other For example what `c.file` threw, beside what `c.tryBind` found.
   * @returns This object, for chaining.
   */
  merge(other: FieldErrors): this {
    for (const [field, message] of other) this.add(field, message);
    return this;
  }

  /**
   * Checks whether a field has a message.
   *
   * @param field Form or JSON name of the field.
   * @returns Whether {@link FieldErrors.get} returns a message.
   */
  has(field: string): boolean {
    return this.#messages.has(field);
  }

  /**
   * Returns the message of a field.
   *
   * @param field Form or JSON name of the field.
   * @returns The message, or `undefined` when the field has none.
   */
  get(field: string): string | undefined {
    return this.#messages.get(field);
  }

  /**
   * Checks whether any field has a message.
   *
   * @returns Whether at least one field has a message.
   */
  any(): boolean {
    return this.#messages.size > 0;
  }

  /**
   * Returns this object if it holds a message, for `return errors.orUndefined()`.
   *
   * @returns This object, or `undefined` when no field has a message.
   */
  orUndefined(): this | undefined {
    return this.#messages.size > 0 ? this : undefined;
  }

  /** A fresh record of field to message, without prototype, in the order of adding. */
  get fields(): Record<string, string> {
    const record: Record<string, string> = Object.create(null);
    for (const [field, message] of this.#messages) record[field] = message;
    return record;
  }

  /**
   * Returns the value that `JSON.stringify` writes: the record of field to message.
   *
   * @returns The same as {@link FieldErrors.fields}.
   */
  toJSON(): Record<string, string> {
    return this.fields;
  }

  /**
   * Iterates over `[field, message]` in the order of adding.
   *
   * @returns The iterator of the pairs.
   */
  [Symbol.iterator](): IterableIterator<[field: string, message: string]> {
    return this.#messages.entries();
  }
}

/**
 * Creates a {@link FieldErrors} with one message: the usual result of a schema's `check`.
 *
 * @param field Form or JSON name of the field.
 * @param message Text for the person who filled in the field.
 * @returns The errors, to be returned or thrown.
 *
 * @example
 * ```ts
 * import { fieldError } from "@fw/fw";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(fieldError("starts", "must be in the future").has("starts"), true);
 * ```
 */
export function fieldError(field: string, message: string): FieldErrors {
  return new FieldErrors().add(field, message);
}
