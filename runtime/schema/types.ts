import type { FieldErrors } from "../base/errors/field_errors.ts";

/** Names of a field in forms and in JSON; both default to the property name. */
export interface FieldNames {
  /** Name of the form field. @default the property name */
  readonly form?: string;
  /** Name of the JSON member. @default the property name */
  readonly json?: string;
}

/** The names of a field without name options: the property name. */
export type NoNames = Record<never, never>;

/** The builder that made a field. */
export type FieldKind =
  | "text"
  | "texts"
  | "bool"
  | "int"
  | "int64"
  | "float"
  | "date"
  | "day"
  | "money"
  | "list"
  | "struct";

/** The result of a field's `check`: a message for the field itself, errors, or nothing. */
export type FieldCheckResult = FieldErrors | string | undefined | void;

/** The result of a struct's `check`: errors, or nothing. */
export type StructCheckResult = FieldErrors | undefined | void;

/** A stored check; only the builder knows the type of its argument. */
export type AnyCheck = (value: unknown) => FieldCheckResult;

interface CommonDef {
  readonly names: FieldNames;
  readonly optional: boolean;
  /** Whether the field may be absent from its struct's value, as in `partial()`. @default false */
  readonly partial?: boolean;
  readonly checks: readonly AnyCheck[];
}

export interface LeafDef extends CommonDef {
  readonly kind: Exclude<FieldKind, "list" | "struct">;
  readonly rules: string;
  readonly currency?: string;
}

export interface ListDef extends CommonDef {
  readonly kind: "list";
  readonly rules: string;
  readonly item: FieldDef;
}

export interface StructDef extends CommonDef {
  readonly kind: "struct";
  readonly fields: ReadonlyMap<string, FieldDef>;
  /** Whether JSON members that no field reads are ignored. @default false */
  readonly ignoresUnknown?: boolean;
}

export type FieldDef = LeafDef | ListDef | StructDef;

/**
 * One field of a {@link StructSchema}, as the builders create it. Immutable: `optional` and `check` return a
 * new field.
 */
export class FieldSchema<
  T,
  Required extends boolean = false,
  Input = unknown,
  Names extends FieldNames = FieldNames,
> {
  /**
   * The plain data of the field.
   *
   * @internal
   */
  readonly def: FieldDef;
  /** The type of the value; exists for the compiler alone. */
  declare readonly "~output"?: T;
  /** Whether a client must send the field; exists for the compiler alone. */
  declare readonly "~required"?: Required;
  /** The JSON type that a client sends; exists for the compiler alone. */
  declare readonly "~input"?: Input;
  /** The names of the field in forms and in JSON; exists for the compiler alone. */
  declare readonly "~names"?: Names;

  /** Use a builder such as `text` instead. */
  constructor(def: FieldDef) {
    this.def = def;
  }

  /**
   * Returns a field whose value is `null` if absent, so that a PATCH distinguishes "not sent" from "emptied".
   * With `required` it must be sent, and zero and `false` are then accepted.
   */
  optional(): FieldSchema<
    Required extends true ? T : T | null,
    Required,
    Required extends true ? Input : Input | null,
    Names
  > {
    return new FieldSchema({ ...this.def, optional: true });
  }

  /**
   * Adds a check of the converted value. Checks run in order once the field's rules have passed, but not for
   * `null`. A check must be synchronous; checks against data belong after `bind`.
   *
   * @param fn Returns nothing, a message for this field, or `FieldErrors` whose names are those of the
   * enclosing struct. An error that it throws is rethrown by `bind` unchanged.
   */
  check(fn: (value: NonNullable<T>) => FieldCheckResult): FieldSchema<T, Required, Input, Names> {
    const checks = [...this.def.checks, fn as AnyCheck];
    return new FieldSchema({ ...this.def, checks });
  }
}
