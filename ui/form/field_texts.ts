import type { Node } from "../../html/mod.ts";
import type { StructSchema } from "../../mod.ts";
import type { FormFieldFacts } from "../../runtime/addon.ts";
import type { AnyPath } from "./options.ts";

/** The `oneof` values of a schema with their fields: `"state.open" | "state.closed"`. */
export type ChoiceKey<T> = {
  [Name in keyof T & string]: Extract<NonNullable<T[Name]>, string> extends
    infer Value extends string ? string extends Value ? never : `${Name}.${Exclude<Value, "">}`
    : never;
}[keyof T & string];

/** The fields of a schema that have a label. */
export type FieldName<T> = Exclude<keyof T & string, "id">;

/** The fields inside of others, as forms name them: `"venue.city" | "lines.what"`. */
export type InnerName<T> = Extract<AnyPath<T, never>, `${string}.${string}`>;

/** A `oneof` value with its text and the look of its badge. */
export interface FieldChoice {
  /** The value. */
  readonly value: string;
  /** The text. */
  readonly label: string;
  /** The look. */
  readonly tone: readonly Node[];
}

/** The labels, looks and links of the fields of a row: said once, for its lists, its page, its form and its history. */
export interface FieldTexts<T, File extends string = never> {
  /** The struct of the form, whose fields, kinds and rules decide how values look. */
  readonly schema: StructSchema<T>;
  /** Returns the label of a field other than `id`, such as `(name) => c.t(labels, name)`. */
  readonly label: (name: FieldName<T> | InnerName<T> | File) => string;
  /** Returns the label of a `oneof` value by its key: `state.open`. @default the stored value */
  readonly value?: (key: ChoiceKey<T>) => string;
  /** The looks of the badges of `oneof` values, such as `[ui.success, ui.dot]`. @default plain */
  readonly tones?: { readonly [Key in ChoiceKey<T>]?: readonly Node[] };
  /** Returns the URL of a referenced row by its id; the link shows the row's `readerName` for `readerId`. @default no link */
  readonly links?: { readonly [Name in keyof T & string]?: (id: number) => string };
}

/** Reports whether the values of a field have texts: those of numbers and of fields inside of others have none. */
export function hasChoiceTexts({ path, kind, oneOf }: FormFieldFacts): boolean {
  return kind === "text" && oneOf.length > 0 && !path.includes(".");
}

/** Returns the `oneof` values of a field. */
export function fieldChoices<T>(
  { value: text, tones }: Pick<FieldTexts<T>, "value" | "tones">,
  facts: FormFieldFacts,
): readonly FieldChoice[] {
  return facts.oneOf.map((value) => {
    if (!hasChoiceTexts(facts)) return { value, label: value, tone: [] };
    const key = `${facts.path}.${value}` as ChoiceKey<T>;
    return { value, label: text?.(key) ?? value, tone: tones?.[key] ?? [] };
  });
}
