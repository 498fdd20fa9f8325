import { FieldErrors } from "../base/errors/field_errors.ts";
import type { JsonObject } from "../base/values.ts";

/** Reads the fields of a form, independent of how they are stored. */
export interface FormReader {
  /** Returns all values of a field, in order; none if it was not sent. */
  all(name: string): readonly string[];
  /** Returns the name of every field that was sent; a name may repeat. */
  names(): Iterable<string>;
  /** Returns the time zone of local times. @default UTC */
  readonly zone?: (() => string) | undefined;
}

/** The marker in the failed fields of a struct until they are removed. */
export const Failed: unique symbol = Symbol("failed");

/**
 * One pass of a schema over one input: where it reads, and what it found wrong. Messages are kept
 * in an array, since making an `Error` costs more than validating.
 */
export class Run {
  /** The form, or `undefined` for a JSON body. */
  readonly form: FormReader | undefined;
  readonly root: JsonObject;
  /** Whether the source shows that every text of the JSON body is plain. Bench: bench/validate. */
  readonly isPlainText: boolean;
  /** Number of members of all objects of the JSON body together; 0 if unknown. */
  members = 0;
  scope: JsonObject;
  /** Prefix of JSON names inside a list: `items.0.` */
  prefix = "";
  /** The first member that no field reads. */
  unknownField: string | undefined = undefined;
  /** Names of the fields that failed, each followed by its message. */
  #found: string[] | undefined = undefined;

  constructor(form: FormReader | undefined, root: JsonObject, isPlainText: boolean) {
    this.form = form;
    this.root = root;
    this.scope = root;
    this.isPlainText = isPlainText;
  }

  get failures(): number {
    return this.#found === undefined ? 0 : this.#found.length / 2;
  }

  fail(field: string, message: string): void {
    if (this.#found === undefined) this.#found = [field, message];
    else this.#found.push(field, message);
  }

  /** Creates the errors; the first message of a field wins. */
  errors(): FieldErrors {
    const errors = new FieldErrors();
    const found = this.#found ?? [];
    for (let i = 0; i < found.length; i += 2) errors.add(found[i] ?? "", found[i + 1] ?? "");
    return errors;
  }
}

/**
 * Reads an own member of a JSON object: a name such as `constructor` must not find what every
 * object inherits.
 */
export function ownMember(input: JsonObject, name: string): unknown {
  return Object.hasOwn(input, name) ? input[name] : undefined;
}

/** Writes a JSON value as the text that a form field would hold. */
export function scalarText(value: unknown): string {
  const first = Array.isArray(value) ? value[0] : value;
  if (typeof first === "string") return first;
  const isScalar = typeof first === "number" || typeof first === "boolean";
  return isScalar ? String(first) : "";
}

/** Follows a path through a JSON body. */
export function memberAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const name of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = ownMember(value as JsonObject, name);
  }
  return value;
}
