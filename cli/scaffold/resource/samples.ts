/** Values for the tests of a resource: values that the schema accepts, and one that it refuses. */
import { bool, date, day, float, int, int64, money, struct, text } from "@fw/fw/schema";
import { type Field, minorUnits } from "./fields.ts";

export type Sample = Readonly<Record<string, string>>;

/** Returns values that the rules accept; with `isOther`, different ones if the rules allow it. */
export function sampleOf(
  fields: readonly Field[],
  { isOther = false }: { readonly isOther?: boolean } = {},
): Sample {
  return Object.fromEntries(fields.map((field) => [field.name, valueOf(field, isOther ? 1 : 0)]));
}

/** Reports whether the tests have two different rows: a resource with only a `bool` has one. */
export function isVaried(fields: readonly Field[]): boolean {
  return fields.some((field) => valueOf(field, 0) !== valueOf(field, 1));
}

function valueOf(field: Field, at: 0 | 1): string {
  const { builder, rules, choices, control } = field;
  const choice = choices[at] ?? choices[0];
  if (choice !== undefined) return choice;
  const min = rules.get("min");
  const max = rules.get("max");
  switch (builder) {
    case "bool":
      return "on";
    case "date":
    case "day": {
      const day = at === 0 ? "2026-05-01" : "2026-05-02";
      const early = max !== undefined && day > max ? max : day;
      const value = min !== undefined && early < min ? min : early;
      return control === "date"
        ? value.slice(0, 10)
        : value.includes("T")
        ? value
        : `${value}T00:00`;
    }
    case "text":
      return textOf(field, at);
    default: {
      const value = Math.max(Math.min(at + 1, Number(max ?? at + 1)), Number(min ?? -Infinity));
      return String(value);
    }
  }
}

function textOf({ label, rules }: Field, at: 0 | 1): string {
  const min = Number(rules.get("min") ?? 0);
  const max = Number(rules.get("max") ?? 1_000);
  const fill = "a".repeat(min);
  if (rules.has("email")) return `${"ab"[at]}${fill.slice(6)}@b.co`;
  if (rules.has("url")) return `https://${"ab"[at]}.co/${fill.slice(13)}`;
  const words = `${label} ${at === 0 ? "one" : "two"}`;
  const text = words.length > max ? `${"12"[at]}${words}`.slice(0, max) : words;
  return text.padEnd(min, "a");
}

/** Converts the form value of a sample to JSON. */
export function jsonValue(field: Field, values: Sample): unknown {
  const { name, builder } = field;
  if (builder === "bool") return true;
  // Rounded, because `1.1 * 100` is slightly more than 110.
  if (builder === "money") return Math.round(Number(values[name]) * minorUnits(field));
  // JSON accepts an int64 as a string, because a JavaScript number cannot hold all of them.
  return builder === "int" || builder === "float" ? Number(values[name]) : values[name];
}

/** Reports whether a field's schema accepts the sample; if not, its rules contradict each other. */
export async function isAccepted(field: Field, sample: Sample): Promise<boolean> {
  const builders = { text, int, int64, float, bool, date, day };
  const { name, builder, rules, currency = "EUR" } = field;
  const rule = [...rules].map(([key, param]) => param === "" ? key : `${key}=${param}`).join(",");
  try {
    // `never`, because the rules are known only at run time.
    const member = builder === "money"
      ? money(currency, rule as never)
      : builders[builder](rule as never);
    const schema = struct({ [name]: member });
    const result = await schema["~standard"].validate({ [name]: jsonValue(field, sample) });
    return result.issues === undefined;
  } catch {
    return false;
  }
}

export interface RefusedValue {
  readonly name: string;
  readonly literal: string;
  /** Whether the form can send the value, unlike a value outside a list of choices. */
  readonly fitsForm: boolean;
}

/** Returns a value that the rules refuse, preferably sendable by the form; or `undefined`. */
export function refusedValue(fields: readonly Field[]): RefusedValue | undefined {
  const refused = fields.flatMap((field) => refusedBy(field) ?? []);
  return refused.find(({ fitsForm }) => fitsForm) ?? refused[0];
}

function refusedBy(
  { name, builder, control, rules, choices }: Field,
): RefusedValue | undefined {
  if (builder === "bool") return undefined;
  const fitsForm = control !== "select";
  if (rules.has("required")) return { name, literal: '""', fitsForm };
  if (choices.length > 0) return { name, literal: '"no such value"', fitsForm: false };
  if (builder !== "text" || rules.has("email") || rules.has("url")) {
    return { name, literal: '"x"', fitsForm };
  }
  const max = rules.get("max");
  if (max === undefined) return undefined;
  return { name, literal: `"x".repeat(${Number(max) + 1})`, fitsForm: true };
}
