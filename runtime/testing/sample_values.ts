import { formatMoney } from "../schema/convert.ts";
import { type FormFieldFacts, readFormFields } from "../schema/input.ts";
import type { StructSchema } from "../schema/struct_schema.ts";
import type { LeafDef, StructDef } from "../schema/types.ts";

/** The fields of a struct that a sample contains: those that are neither lists nor structs. */
export type SampleField<T> = keyof {
  readonly [
    Name in keyof T & string as NonNullable<T[Name]> extends
      Date | string | number | bigint | boolean ? Name : never
  ]: unknown;
};

/**
 * Returns texts that the form of a struct accepts, so that a test need not repeat its fields. Rules of the
 * application are unknown: override what they refuse.
 *
 * @param schema The struct. Its lists and structs get no value.
 * @param number Distinguishes values, where the rules allow it: `title 1`, `title 2`. A reference has it as its id.
 * @returns The texts by field.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { int, struct, text } from "@fw/fw";
 * import { sampleForm } from "@fw/fw/testing";
 *
 * const NewEvent = struct({ title: text("required"), seats: int("min=20") });
 * assertEquals(sampleForm(NewEvent, 1), { title: "title 1", seats: "20" });
 * ```
 */
export function sampleForm<T>(
  schema: StructSchema<T>,
  number: number,
): { readonly [Name in SampleField<T>]: string } {
  return sample(schema, number, ({ kind, currency }, value) => {
    if (kind === "bool") return "on";
    return kind === "money" && currency !== undefined
      ? formatMoney(Number(value), { currency })
      : String(value);
  });
}

/**
 * Returns the same values as {@linkcode sampleForm} for a JSON body.
 *
 * @param schema The struct.
 * @param number Distinguishes values.
 * @returns The values by field.
 */
export function sampleJson<T>(
  schema: StructSchema<T>,
  number: number,
): { readonly [Name in SampleField<T>]: string | number | boolean } {
  // JSON holds an int64 as a string, because a JavaScript number cannot hold all of them.
  return sample(schema, number, ({ kind }, value) => kind === "int64" ? String(value) : value);
}

type Value = string | number | bigint | true;

function sample<T, To>(
  schema: StructSchema<T>,
  number: number,
  write: (facts: FormFieldFacts, value: Value) => Value,
): { readonly [Name in SampleField<T>]: To } {
  const { fields } = schema.def as StructDef;
  const all = readFormFields(schema).filter(({ kind }) => !/^(?:list|texts|struct)$/.test(kind));
  const dates = all.filter(({ kind }) => kind === "day" || kind === "date");
  const entries = all.map((facts) => {
    const rules = (fields.get(facts.path) as LeafDef).rules.split(",");
    const equal = rules.find((rule) => rule.startsWith("eqfield="))?.slice("eqfield=".length);
    const source = all.find(({ name, path }) => name === equal || path === equal) ?? facts;
    // Each date is a day after the one before it, as where an end must follow its start.
    const value = sampleValue(source, number, dates.indexOf(source));
    const isSlug = rules.includes("slug");
    const text = isSlug ? String(value).toLowerCase().replace(/[^a-z0-9]+/g, "-") : value;
    return [facts.path, write(facts, text)];
  });
  return Object.fromEntries(entries) as { readonly [Name in SampleField<T>]: To };
}

function sampleValue(facts: FormFieldFacts, number: number, daysLater: number): Value {
  const { kind, oneOf, currency } = facts;
  const unit = kind !== "money"
    ? 1
    : 10 ** (new Intl.NumberFormat("en", { style: "currency", currency })
      .resolvedOptions().maximumFractionDigits ?? 2);
  const choice = oneOf[(number - 1) % oneOf.length];
  if (choice !== undefined) {
    if (kind === "text") return choice;
    if (kind === "int64") return BigInt(choice);
    return kind === "money" ? Math.round(Number(choice) * unit) : Number(choice);
  }
  switch (kind) {
    case "bool":
      return true;
    case "text":
      return sampleText(facts, number);
    case "day":
    case "date": {
      const at = limited(Date.UTC(2026, 4, number + daysLater), facts);
      return new Date(Number(at)).toISOString().slice(0, kind === "day" ? 10 : 16);
    }
    case "int64":
      return limited(BigInt(number), facts);
    default:
      return Number(limited(number * unit, facts));
  }
}

function limited(value: number | bigint, { min, max }: FormFieldFacts): number | bigint {
  const most = max !== undefined && value > max ? max : value;
  return min !== undefined && most < min ? min : most;
}

function sampleText(
  { path, format, min = 0, max = Infinity }: FormFieldFacts,
  number: number,
): string {
  const [fill, most] = ["a".repeat(Number(min)), Number(max)];
  const letter = "abcdefghi"[number % 9];
  // Both formats are valid without their last characters.
  if (format === "email") return `${letter}${fill.slice(6)}@b.co`.slice(0, most);
  if (format === "url") return `https://${letter}.co/${fill.slice(13)}`.slice(0, most);
  const words = `${path} ${number}`;
  const text = words.length > most ? `${number}${words}`.slice(0, most) : words;
  return text.padEnd(fill.length, "a");
}
