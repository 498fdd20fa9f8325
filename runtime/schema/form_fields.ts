import type { StructSchema } from "./struct_schema.ts";
import { limitOf, parseRules, type RulePlace, type RuleSpec } from "./rules.ts";
import type { FieldKind, StructDef } from "./types.ts";

/** A schema's field as a form needs it: its names, its type and its rules. */
export interface FormFieldFacts {
  /** The property path in the value: `venue.city`. */
  readonly path: string;
  /** The name of the form field, by which errors are keyed. */
  readonly name: string;
  /** The builder that made the field. */
  readonly kind: FieldKind;
  /** Whether the rules contain `required`; `false` for a struct. */
  readonly required: boolean;
  /** Whether the field is `.optional()`. */
  readonly optional: boolean;
  /** The rule that determines the format of a string. @default none */
  readonly format: "email" | "url" | "password" | undefined;
  /** The currency of `money`, by its code. @default none */
  readonly currency: string | undefined;
  /** The accepted values of `oneof`, as they are submitted. @default [] */
  readonly oneOf: readonly string[];
  /** The lower limit: characters, selected values, a number, or milliseconds since 1970. @default none */
  readonly min: number | bigint | undefined;
  /** The upper limit of `max` or `len`; for a day without a time its last millisecond. @default none */
  readonly max: number | bigint | undefined;
  /** Whether a limit of a date contains a time. */
  readonly hasTime: boolean;
  /** The fields of a struct, or of the structs of a list. @default [] */
  readonly fields: readonly FormFieldFacts[];
}

/**
 * The name of the buttons that add a row to a list (`lines`) or remove one (`lines.2`). They send the form without
 * saving it, so `c.tryBind` is not `ok` and has no messages.
 */
export const rowButton = "_rows";

const known = new WeakMap<object, readonly FormFieldFacts[]>();

/**
 * Describes the fields of a schema for code that renders a form: the parsed rules that `bind` enforces. App
 * rules and checks have no counterpart in HTML. Throws for a wrong rule or a name that two fields share.
 *
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
  const facts = factsOf(schema.def as StructDef, { path: "", name: "" });
  known.set(schema, facts);
  return facts;
}

function factsOf(
  def: StructDef,
  prefix: Readonly<Record<"path" | "name", string>>,
): readonly FormFieldFacts[] {
  return [...def.fields].map(([key, field]) => {
    const path = prefix.path + key;
    const name = prefix.name + (field.names.form ?? key);
    const { kind, optional } = field;
    const item = kind === "list" ? field.item : field;
    const place: RulePlace | undefined = kind === "struct"
      ? undefined
      : { field: name, def: field };
    const rules = place === undefined ? [] : parseRules(place.def.rules, place);
    const find = (...names: readonly string[]): RuleSpec | undefined =>
      rules.find((rule) => names.includes(rule.name));
    const limit = (bound: "min" | "max"): number | bigint | undefined => {
      const rule = find(bound, "len");
      return rule && place && limitOf(rule, place);
    };
    return {
      path,
      name,
      kind,
      optional,
      required: find("required") !== undefined,
      format: find("email", "url", "password")?.name as FormFieldFacts["format"],
      currency: kind === "money" ? field.currency : undefined,
      oneOf: find("oneof")?.param?.split(" ").filter((option) => option !== "") ?? [],
      min: limit("min"),
      max: limit("max"),
      hasTime: kind === "date" &&
        rules.some((rule) => /^m(?:in|ax)$/.test(rule.name) && rule.param?.includes("T") === true),
      fields: item.kind === "struct" ? factsOf(item, { path: `${path}.`, name: `${name}.` }) : [],
    };
  });
}
