/** Values for the tests and the example rows of a resource: values that the schema accepts, and one that it refuses. */
import { sampleForm, sampleJson } from "@fw/fw/testing";
import { bool, date, day, float, int, int64, money, struct, text } from "@fw/fw/schema";
import type { Field } from "./fields.ts";

/** Returns texts that the rules accept; with `isOther`, different ones if the rules allow it. */
export function sampleOf(
  fields: readonly Field[],
  { isOther = false }: { readonly isOther?: boolean } = {},
): Readonly<Record<string, string>> {
  return Object.assign({}, ...fields.map((each) => sampleForm(buildStruct(each), isOther ? 2 : 1)));
}

/** Reports whether the tests have two different rows: a resource with only a `bool` has one. */
export function isVaried(fields: readonly Field[]): boolean {
  const [one, other] = [sampleOf(fields), sampleOf(fields, { isOther: true })];
  return fields.some(({ name }) => one[name] !== other[name]);
}

/** Reports whether a field accepts JSON values; if not its own samples, its rules contradict each other. */
export async function isAccepted(field: Field, ...given: readonly unknown[]): Promise<boolean> {
  try {
    const schema = buildStruct(field);
    const values = given.length > 0
      ? given.map((value) => ({ [field.name]: value }))
      : [1, 2].map((number) => sampleJson(schema, number));
    const results = values.map((value) => schema["~standard"].validate(value));
    return (await Promise.all(results)).every(({ issues }) => issues === undefined);
  } catch {
    return false;
  }
}

function buildStruct({ name, builder, rules, currency = "EUR" }: Field): ReturnType<typeof struct> {
  const builders = { text, int, int64, float, bool, date, day };
  const rule = [...rules].map(([key, param]) => param === "" ? key : `${key}=${param}`).join(",");
  // `never`, because the rules are known only at run time.
  const member = builder === "money"
    ? money(currency, rule as never)
    : builders[builder](rule as never);
  return struct({ [name]: member });
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
