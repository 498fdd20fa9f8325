import type { EngineName } from "../database/engine.ts";
import type { IndexedFields } from "./columns.ts";
import { type Field, isDate, type ParsedFields } from "./fields.ts";
import type { ResourceNames } from "./names.ts";
import type { ReferencedTable } from "./references.ts";

export interface Resource extends ParsedFields {
  readonly names: ResourceNames;
  readonly hasApi: boolean;
  /** Whether the list is exported as CSV and rows can be imported. */
  readonly hasCsv: boolean;
  /** Whether changes are recorded and deletions can be undone. */
  readonly isAudited: boolean;
  /** The module in `lib/` with the guard for signed-in users; `undefined` if every client may change rows. */
  readonly guard: "sessions" | "auth" | undefined;
  /** Shows the rows to all clients. @default only if there is no guard */
  readonly isPublic?: boolean;
  /** Whether tests sign in to accounts of the database. @default they start sessions */
  readonly hasAccounts?: boolean;
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
export function shownColumns(fields: readonly Field[], most: number): readonly Field[] {
  const named = [titleField(fields), secondField(fields)];
  const all = fields.filter((field) => !named.includes(field) && !isProse(field));
  const telling = [hasWords, isReference, isDate, isMoney].flatMap((test) => all.find(test) ?? []);
  const kept = [...new Set([...telling, ...all])].slice(0, most);
  return all.filter((field) => kept.includes(field));
}

export function secondField(fields: readonly Field[]): Field | undefined {
  const title = titleField(fields);
  const texts = fields.filter((field) => isFreeText(field) && field !== title);
  return texts.find(isProse) ?? texts.find(({ control }) => control !== "url");
}

const maxViews = 6;

export function viewField(filters: readonly Field[]): Field | undefined {
  return filters.find((field) => hasWords(field) && field.choices.length <= maxViews);
}

/** Returns the text field that names a row, if any. Choices do not distinguish rows. */
export function titleField(fields: readonly Field[]): Field | undefined {
  const texts = fields.filter((field) => isFreeText(field) && !isProse(field));
  return texts.find(isKept) ?? texts[0];
}

/** Returns the fields by which a list filters and sorts: each pair costs an index. */
export function listFields(
  fields: readonly Field[],
  { filters, sorts }: Omit<Limits, "columns">,
): IndexedFields {
  const ranked = [
    ...fields.filter(isReference),
    ...fields.filter(hasWords),
    ...fields.filter(({ builder }) => builder === "bool"),
    // Filters for rows without a date, such as an open end.
    ...fields.filter((field) => field.isOptional && isDate(field)),
  ].filter(({ name }) => !["q", "sort", "at", "rows", "view", "hide", "deleted"].includes(name));
  // The views above a list come from a choice, so references do not take its place.
  const view = ranked.findIndex((field) => field === viewField(ranked));
  if (view >= filters) ranked.splice(filters - 1, 0, ...ranked.splice(view, 1));
  const title = titleField(fields);
  const isShort = title !== undefined && Number(title.rules.get("max") ?? 255) <= maxSortChars;
  const sorted = [
    ...isShort && isKept(title) ? [title] : [],
    ...fields.filter((field) => isMoney(field) && !field.isOptional).slice(0, 1),
    ...fields.filter((field) => isDate(field) && isKept(field)),
  ].filter(({ name }) => name !== "newest" && name !== "oldest");
  return { fields, filters: ranked.slice(0, filters), sorts: sorted.slice(0, sorts) };
}

/** Limit for sorting by a text, because the cursor contains its value. */
const maxSortChars = 300;

export interface Limits {
  readonly columns: number;
  readonly filters: number;
  readonly sorts: number;
}

export const limits: Limits = { columns: 4, filters: 3, sorts: 3 };

/** Returns the field by which the tests recognise a row: no int64, which JSON may have as a string. */
export function shownField(fields: readonly Field[]): Field | undefined {
  return titleField(fields) ??
    fields.find((field) => /^(?:int|float)$/.test(field.builder) && !isReference(field)) ??
    fields.find(isFreeText);
}

function isKept({ isOptional, rules }: Field): boolean {
  return !isOptional && rules.has("required");
}

function isReference({ reference }: Field): boolean {
  return reference !== undefined;
}

function isMoney({ builder }: Field): boolean {
  return builder === "money";
}

/** Reports whether a field is a text of the user, which the search covers. */
export function isFreeText({ builder, choices }: Field): boolean {
  return builder === "text" && choices.length === 0;
}

export function hasWords({ choices }: Field): boolean {
  return choices.length > 0;
}

export function isProse({ control }: Field): boolean {
  return control === "textarea";
}

/** Reports whether a field identifies a row for readers: a text or a reference. */
export function isBasic(field: Field): boolean {
  return isReference(field) || isFreeText(field);
}

/** Reports whether a form counts the characters of a field, which has the developer's limit. */
export function isCounted(field: Field): boolean {
  const max = field.rules.get("max");
  return isFreeText(field) && field.control === "text" && max !== undefined && max !== "255";
}

/** Reports whether the API may add a row: JSON carries no uploads. */
export function canAddByApi({ uploads }: ParsedFields): boolean {
  return uploads.every(({ isRequired }) => !isRequired);
}

/** Reports whether rows can be imported, which needs every upload to be optional. */
export function hasImport(resource: Resource): boolean {
  return resource.hasCsv && canAddByApi(resource);
}

const bodyKiB = 1_024;

/** Room for fields without a length limit and for the multipart overhead, in KiB. */
const fieldsKiB = 64;

export function neededRoom({ fields, uploads }: ParsedFields): number | undefined {
  const chars = fields.map(({ builder, rules }) =>
    builder === "text" ? Number(rules.get("max") ?? 0) : 0
  );
  const texts = chars.reduce((total, count) => total + count * 4 / 1_024, fieldsKiB);
  const sum = uploads.reduce((total, { maxKiB }) => total + maxKiB, Math.ceil(texts));
  return sum > bodyKiB ? sum : undefined;
}

/** Returns the code for the only quantity times the only price; `undefined` if there is no such pair. */
export function findPrice(fields: readonly Field[]): string | undefined {
  const [price, ...others] = fields.filter(({ builder }) => builder === "money");
  const [quantity, ...more] = fields.filter(({ builder, name }) =>
    builder === "int" && quantities.test(name)
  );
  if (price === undefined || quantity === undefined || isTotal(price.name)) return undefined;
  if (others.length + more.length > 0 || fields.some(({ name }) => name === "total")) {
    return undefined;
  }
  return [quantity, price].map(({ name, isOptional }) =>
    isOptional ? `(row.${name} ?? 0)` : `row.${name}`
  ).join(" * ");
}

const quantities = /^(?:quantity|qty|count|amount|number|pieces|units|hours|days|nights)$/;

/** Reports whether the sum of a field says something: of amounts, hours or points, but not of prices. */
export function isSummed({ builder, name }: Field): boolean {
  if (builder === "money") return isTotal(name);
  return /^(?:int|float)$/.test(builder) && measures.test(name);
}

const measures = /^(?:hours|minutes|days|nights|points|pieces|units|weight|distance|km)$/;

function isTotal(name: string): boolean {
  return /(?:^amount|^sum|total)$/i.test(name);
}
