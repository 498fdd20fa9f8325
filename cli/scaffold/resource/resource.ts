import type { EngineName } from "../database/engine.ts";
import type { IndexedFields } from "./columns.ts";
import type { Field, ParsedFields } from "./fields.ts";
import type { ResourceNames } from "./names.ts";
import type { ReferencedTable } from "./references.ts";
import { neededKiB, type UploadField } from "./uploads.ts";

export interface Resource extends ParsedFields {
  readonly names: ResourceNames;
  readonly hasApi: boolean;
  /** Whether the list is exported as CSV and rows can be imported. */
  readonly hasCsv: boolean;
  /** Whether changes are recorded and deletions can be undone. */
  readonly isAudited: boolean;
  /** The module in `lib/` with the guard for signed-in users; `undefined` for public pages. */
  readonly guard: "sessions" | "auth" | undefined;
  /** The role that the guard requires. @default any signed-in user */
  readonly role?: string | undefined;
  /** The role of the users who may change rows. @default all who pass the guard */
  readonly writers?: string | undefined;
  readonly languages: readonly string[];
  readonly engine: EngineName;
  readonly references: readonly ReferencedTable[];
}

/**
 * Returns the fields that a list shows beside the title, in order. If space is short, a choice, a
 * reference, a date and an amount come first.
 */
export function shownColumns(resource: Resource, most: number = Infinity): readonly Field[] {
  const title = titleField(resource);
  const second = secondField(resource);
  const all = resource.fields.filter((field) =>
    field !== title && field !== second && field.control !== "textarea"
  );
  const telling = [
    all.find(hasWords),
    all.find(({ reference }) => reference !== undefined),
    all.find(({ builder }) => builder === "date" || builder === "day"),
    all.find(({ builder }) => builder === "money"),
  ].filter((field) => field !== undefined);
  const kept = [...new Set([...telling, ...all])].slice(0, most);
  return all.filter((field) => kept.includes(field));
}

/** Returns the field below the name of a row: the first prose, else the second text. */
export function secondField(resource: Resource): Field | undefined {
  const title = titleField(resource);
  const texts = resource.fields.filter((field) =>
    field.builder === "text" && field !== title && field.choices.length === 0
  );
  return texts.find(isProse) ?? texts.find(({ control }) => control !== "url");
}

const maxViews = 6;

export function viewField(filters: readonly Field[]): Field | undefined {
  return filters.find((field) => hasWords(field) && field.choices.length <= maxViews);
}

/** Returns the text field that names a row, if any. Choices do not distinguish rows. */
export function titleField({ fields }: Resource): Field | undefined {
  const texts = fields.filter(({ builder, control, choices }) =>
    builder === "text" && control !== "textarea" && choices.length === 0
  );
  return texts.find(({ rules, isOptional }) => rules.has("required") && !isOptional) ?? texts[0];
}

/** Returns the fields by which a list filters and sorts: each pair costs an index. */
export function listFields(resource: Resource, { filters, sorts }: Limits): IndexedFields {
  const { fields } = resource;
  const ranked = [
    ...fields.filter(({ reference }) => reference !== undefined),
    ...fields.filter(hasWords),
    ...fields.filter(({ builder }) => builder === "bool"),
    // Filters for rows without a date, such as an open end.
    ...fields.filter(isEmptyDate),
  ].filter(({ name }) => !["q", "sort", "at", "rows", "view", "hide", "deleted"].includes(name));
  // The views above a list come from a choice, so references do not take its place.
  const view = ranked.findIndex((field) => field === viewField(ranked));
  if (view >= filters) ranked.splice(filters - 1, 0, ...ranked.splice(view, 1));
  const title = titleField(resource);
  const isKept = ({ isOptional, rules }: Field): boolean => !isOptional && rules.has("required");
  const sorted = [
    ...title !== undefined && isKept(title) && Number(title.rules.get("max") ?? 255) <= maxSortChars
      ? [title]
      : [],
    ...fields.filter(({ builder, isOptional }) => builder === "money" && !isOptional).slice(0, 1),
    ...fields.filter((each) => isKept(each) && /^(?:date|day)$/.test(each.builder)),
  ].filter(({ name }) => name !== "newest" && name !== "oldest");
  return { fields, filters: ranked.slice(0, filters), sorts: sorted.slice(0, sorts) };
}

/** Reports whether a field is a date that may be empty. */
export function isEmptyDate({ builder, isOptional }: Field): boolean {
  return isOptional && (builder === "date" || builder === "day");
}

/** Limit for sorting by a text, because the cursor contains its value. */
const maxSortChars = 300;

export interface Limits {
  readonly columns: number;
  readonly filters: number;
  readonly sorts: number;
}

export const limits: Limits = { columns: 4, filters: 3, sorts: 3 };

/** Returns the field by which the tests recognise a row: pages show its stored value. */
export function shownField(resource: Resource): Field | undefined {
  const { fields } = resource;
  return titleField(resource) ??
    fields.find(({ builder, reference }) =>
      /^(?:int|float)/.test(builder) && reference === undefined
    ) ??
    fields.find((field) => field.builder === "text" && !hasWords(field));
}

/** Returns the fields that the search covers. */
export function searchedFields({ fields }: ParsedFields): readonly Field[] {
  return fields.filter(({ builder, choices }) => builder === "text" && choices.length === 0);
}

export function hasWords({ choices }: Field): boolean {
  return choices.length > 0;
}

export function isProse({ control }: Field): boolean {
  return control === "textarea";
}

/** Reports whether a field identifies a row for readers: a text or a reference. */
export function isBasic({ builder, choices, reference }: Field): boolean {
  return reference !== undefined || (builder === "text" && choices.length === 0);
}

/** Reports whether a form counts the characters of a field, which has the developer's limit. */
export function isCounted({ builder, control, choices, rules }: Field): boolean {
  return builder === "text" && control === "text" && choices.length === 0 && rules.has("max") &&
    rules.get("max") !== "255";
}

/** Reports whether the API may add a row: JSON carries no uploads. */
export function canAddByApi({ uploads }: Resource): boolean {
  return uploads.every(({ isRequired }) => !isRequired);
}

/** Reports whether rows can be imported, which needs every upload to be optional. */
export function hasImport(resource: Resource): boolean {
  return resource.hasCsv && canAddByApi(resource);
}

/** Returns the KiB that the forms need; `undefined` if the default limit is enough. */
export function neededRoom({ fields, uploads }: ParsedFields): number | undefined {
  const chars = fields.map(({ builder, rules }) =>
    builder === "text" ? Number(rules.get("max") ?? 0) : 0
  );
  return neededKiB(uploads, chars);
}

export function isPlainField(field: Field | UploadField): field is Field {
  return "builder" in field;
}
