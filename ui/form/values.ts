/** The texts that the fields of a form show, from a record or a submission. */

import type { FieldErrors } from "../../mod.ts";
import { formatMoney, type FormFieldFacts, rowButton } from "../../runtime/addon.ts";

/** The part of the result of `tryBind` that a form shows again. */
interface Sent {
  readonly texts: (field: string) => readonly string[];
  readonly names?: () => Iterable<string>;
  readonly ok?: boolean;
  readonly files?: Readonly<Record<string, unknown>>;
}

/** Reports whether values are a result of `tryBind`, and not a record with such a field. */
export function isSent(values: unknown): values is Sent & { readonly errors: FieldErrors } {
  return typeof values === "object" && values !== null && "texts" in values &&
    typeof values.texts === "function" && "text" in values && typeof values.text === "function";
}

/** Reports whether an accepted file was submitted, which the browser does not send again. */
export function hasFile(values: unknown, name: string): boolean {
  return isSent(values) && values.files !== undefined && Object.hasOwn(values.files, name) &&
    values.files[name] !== undefined;
}

export function sentTexts(
  values: unknown,
  facts: Pick<FormFieldFacts, "path" | "name"> & Partial<FormFieldFacts>,
): readonly string[] {
  if (isSent(values)) return values.texts(facts.name);
  const value = facts.path.split(".").reduce<unknown>(findMember, values);
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value.map(String) : [textOf(value, facts)];
}

/** Returns the row that a button of the form asks to add or to remove: `lines` or `lines.2`. */
export function pressedRow(values: unknown): string | undefined {
  return isSent(values) ? values.texts(rowButton)[0] : undefined;
}

/**
 * Returns the ids that a field has in the rows of a list, for the choices of a form.
 *
 * @param values The values of the form: a record, or the result of `tryBind`.
 * @param path The list and the field, such as `lines.productId`.
 * @returns The ids up to 2⁵³, as those of a `TableStore` are.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as ui from "@fw/fw/ui";
 *
 * const invoice = { lines: [{ productId: 3 }, { productId: 4 }] };
 * assertEquals(ui.rowIds(invoice, "lines.productId"), [3, 4]);
 * ```
 */
export function rowIds(values: unknown, path: string): number[] {
  const [list = "", field = ""] = path.split(".");
  return rowNumbers(values, { path: list, name: list }).flatMap((number) => {
    const name = `${list}.${number}.${field}`;
    const id = Number(sentTexts(values, { path: name, name })[0] ?? "");
    return Number.isSafeInteger(id) && id > 0 ? id : [];
  });
}

/** Returns the row numbers of a list: as submitted, because scripts add and remove rows, or an array's indexes. */
export function rowNumbers(
  values: unknown,
  { path, name }: Pick<FormFieldFacts, "path" | "name">,
): readonly number[] {
  if (!isSent(values)) {
    const rows = path.split(".").reduce<unknown>(findMember, values);
    return Array.isArray(rows) ? [...rows.keys()] : [];
  }
  const numbers = [...values.names?.() ?? []]
    .filter((sent) => sent.startsWith(`${name}.`))
    .flatMap((sent) => /^(?:0|[1-9]\d{0,14})(?=\.)/.exec(sent.slice(name.length + 1)) ?? []);
  return [...new Set(numbers.map(Number))].sort((one, other) => one - other);
}

export function findMember(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}

function textOf(
  value: unknown,
  { kind, path, currency }: Pick<FormFieldFacts, "path"> & Partial<FormFieldFacts>,
): string {
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) {
      throw new TypeError(`Cannot show the value of "${path}": it is an invalid Date.`);
    }
    // In UTC, so that no time zone shifts the day.
    return value.toISOString();
  }
  if (currency !== undefined && (typeof value === "number" || typeof value === "bigint")) {
    return formatMoney(value, { currency });
  }
  // SQLite has no booleans.
  return kind === "bool" && typeof value === "number" ? String(value !== 0) : String(value);
}

/** Returns the label for a field's name: `firstName` and `first_name` are "First name", `venue.city` is "City". */
export function labelFor(path: string): string {
  const words = path.slice(path.lastIndexOf(".") + 1)
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/[_-]+/g, " ")
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
