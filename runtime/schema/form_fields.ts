import type { StructSchema } from "./struct_schema.ts";
import { limitOf, parseRules, ruleGroup, type RulePlace, type RuleSpec } from "./rules.ts";
import type { LeafDef, ListDef, StructDef } from "./types.ts";

/** The facts of a schema's field that a form needs: its names, its type and its rules. */
export interface FormFieldFacts {
  /** The property path in the value: `venue.city`. */
  readonly path: string;
  /** The name of the form field, by which errors are keyed. */
  readonly name: string;
  /** The builder that made the field. */
  readonly kind:
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
  /** Whether the rules contain `required`; `false` for a struct. */
  readonly required: boolean;
  /** Whether the field is `.optional()`. */
  readonly optional: boolean;
  /** The rule that decides the form of a string. @default none */
  readonly format: "email" | "url" | "password" | undefined;
  /** The currency of `money`, by its code. @default none */
  readonly currency: string | undefined;
  /** The accepted values of `oneof`, as they are submitted. @default [] */
  readonly oneOf: readonly string[];
  /**
   * The lower limit of `min` or `len`: characters, chosen values, a number, or milliseconds since 1970
   * for a date. @default none
   */
  readonly min: number | bigint | undefined;
  /** The upper limit of `max` or `len`; for a day without a time its last millisecond. @default none */
  readonly max: number | bigint | undefined;
  /** Whether a limit of a date contains a time. */
  readonly hasTime: boolean;
  /** The fields of a struct. @default [] */
  readonly fields: readonly FormFieldFacts[];
}

const known = new WeakMap<object, readonly FormFieldFacts[]>();

/**
 * Describes the fields of a schema for code that renders a form: the same parsed rules that `bind`
 * enforces. App rules and checks have no counterpart in HTML and are left out.
 *
 * @throws {TypeError} for a wrong rule or a name that two fields share.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { struct, text } from "@fw/fw";
 * import { readFormFields } from "@fw/fw/addon";
 *
 * const [title] = readFormFields(struct({ title: text("required,max=80") }));
 * assertEquals([title?.name, title?.required, title?.max], ["title", true, 80]);
 * ```
 */
export function readFormFields<T>(schema: StructSchema<T>): readonly FormFieldFacts[] {
  const before = known.get(schema);
  if (before !== undefined) return before;
  schema.compiled();
  const def = schema.def as StructDef;
  const facts = factsOf(def, { path: "", name: "" });
  known.set(schema, facts);
  return facts;
}

interface Prefix {
  readonly path: string;
  readonly name: string;
}

function factsOf(def: StructDef, prefix: Prefix): readonly FormFieldFacts[] {
  return [...def.fields].map(([key, field]) => {
    const path = prefix.path + key;
    const name = prefix.name + (field.names.form ?? key);
    return field.kind === "struct"
      ? structFacts(field, { path, name })
      : leafFacts(field, { path, name });
  });
}

function structFacts(def: StructDef, at: Prefix): FormFieldFacts {
  const inside: Prefix = { path: `${at.path}.`, name: `${at.name}.` };
  return {
    ...at,
    ...plain,
    kind: "struct",
    optional: def.optional,
    fields: factsOf(def, inside),
  };
}

const plain: Omit<FormFieldFacts, "path" | "name" | "kind" | "optional"> = {
  required: false,
  format: undefined,
  currency: undefined,
  oneOf: [],
  min: undefined,
  max: undefined,
  hasTime: false,
  fields: [],
};

function leafFacts(def: LeafDef | ListDef, at: Prefix): FormFieldFacts {
  const { kind, optional } = def;
  const place: RulePlace = { field: at.name, def, group: ruleGroup(kind) };
  const rules = parseRules(def.rules, place);
  const find = (...names: readonly string[]): RuleSpec | undefined =>
    rules.find(({ name }) => names.includes(name));
  const limit = (name: "min" | "max"): number | bigint | undefined => {
    const rule = find(name, "len");
    return rule && limitOf(rule, place);
  };
  const format = find("email", "url", "password")?.name;
  return {
    ...at,
    ...plain,
    kind,
    optional,
    required: find("required") !== undefined,
    format: format as FormFieldFacts["format"],
    currency: def.kind === "money" ? def.currency : undefined,
    oneOf: find("oneof")?.param?.split(" ").filter((option) => option !== "") ?? [],
    min: limit("min"),
    max: limit("max"),
    hasTime: kind === "date" &&
      rules.some(({ name, param }) => /^m(?:in|ax)$/.test(name) && param?.includes("T") === true),
  };
}
