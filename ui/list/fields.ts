/** The fields of a row as pages show them: as columns, as details, and as choices of a form or a filter. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import type { Ctx, StructSchema } from "../../mod.ts";
import { type FormFieldFacts, readFormFields } from "../../runtime/addon.ts";
import { badge, card, cardHeader } from "../display.ts";
import { isPassword } from "../form/control.ts";
import {
  type ChoiceKey,
  type FieldChoice,
  fieldChoices,
  type FieldName,
  type FieldTexts,
  hasChoiceTexts,
} from "../form/field_texts.ts";
import { findMember } from "../form/values.ts";
import { word } from "../labels.ts";
import type { Column } from "../table.ts";
import { details } from "./details.ts";
import { written } from "./history.ts";
import type { ListFilter } from "./options.ts";

/**
 * Returns columns for fields of a row, formatted by their kinds.
 *
 * @param c The request, for language and zone.
 * @param options The texts of the fields, the fields to show, and the keys by which the list sorts.
 * @returns The columns, for {@linkcode listPage} and {@linkcode dataTable}.
 *
 * @example
 * ```ts
 * import { type Ctx, money, struct, text } from "@fw/fw";
 * import { testPage } from "@fw/fw/testing";
 * import * as ui from "@fw/fw/ui";
 *
 * const schema = struct({ name: text("required"), price: money("EUR") });
 * const label = (name: string) => name === "name" ? "Product" : "Price";
 * const page = (c: Ctx) =>
 *   ui.dataTable({
 *     caption: "Products",
 *     columns: ui.fieldColumns(c, { schema, label, names: ["name", "price"] }),
 *     rows: [{ name: "Mug", price: 950 }],
 *   });
 * await testPage({ page }, "/products").wantContains("€9.50");
 * ```
 */
export function fieldColumns<T>(
  c: Ctx,
  options: FieldTexts<T> & {
    readonly names: readonly FieldName<T>[];
    /** The fields by which the list sorts. @default none */
    readonly sorts?: readonly FieldName<T>[];
  },
): Column<object>[] {
  const { names, sorts = [], label } = options;
  return names.map((name): Column<object> => {
    const facts = findFacts(options.schema, name);
    const kind = columnKind(facts);
    return {
      title: label(name),
      ...sorts.includes(name) && { key: name },
      ...isNumber(facts) && { numeric: true },
      ...kind !== undefined && { kind },
      cell: (row) => fieldValue(c, row, { ...options, facts }),
    };
  });
}

/**
 * Renders the fields of a row as {@linkcode details}, formatted by their kinds, with a dash for empty ones. Addresses
 * are links. The id, passwords, structs and lists of structs are left out.
 *
 * @param c The request, for language and zone.
 * @param options The texts of the fields, the row, and the fields that stand elsewhere on the page.
 * @returns A `dl`, or a card with one.
 *
 * @example
 * ```ts
 * import { type Ctx, int, struct, text } from "@fw/fw";
 * import { testPage } from "@fw/fw/testing";
 * import * as ui from "@fw/fw/ui";
 *
 * const schema = struct({ title: text(), seats: int(), site: text("url") });
 * const row = { title: "Fado", seats: 0, site: "https://example.org/" };
 * const page = (c: Ctx) =>
 *   ui.fieldDetails(c, { schema, row, label: (name) => name, except: ["title"] });
 * await testPage({ page }, "/events/1").wantContains('<a href="https://example.org/">');
 * ```
 */
export function fieldDetails<T, File extends string = never>(
  c: Ctx,
  options: FieldTexts<T, File> & {
    readonly row: object;
    /** The heading of a card around them. @default no card */
    readonly title?: string;
    /** The fields to leave out. @default none */
    readonly except?: readonly (keyof T & string)[];
    /** Values of uploads, and of fields that look different. @default none */
    readonly values?: { readonly [Name in FieldName<T> | File]?: Child };
  },
): Node {
  const { schema, row, title, except = [], values = {}, label } = options;
  const own = new Map<string, Child>(
    plainFields(schema).map((
      facts,
    ) => [facts.path, fieldValue(c, row, { ...options, facts, isLinked: true })]),
  );
  for (const name of except) own.delete(name);
  for (const [name, value] of Object.entries<Child>(values)) own.set(name, value);
  const list = details([...own].map(([name, value]) => {
    // Zero counts as a value.
    return [label(name as FieldName<T>), value || value === 0 || value === 0n ? value : "–"];
  }));
  return title === undefined ? list : card(cardHeader(h.h2(title)), list);
}

/** A filter whose choices may be shown as badges. */
export interface FieldFilter extends ListFilter {
  /** The values. */
  readonly choices: readonly FieldChoice[];
}

/**
 * Returns a field as a filter of a list, or as the parts of its rows: the values of `oneof`, yes and no, or rows
 * without a date.
 *
 * @param texts The texts of the fields.
 * @param name The field.
 * @returns The filter, whose choices have the looks of their badges.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { struct, text } from "@fw/fw";
 * import * as ui from "@fw/fw/ui";
 *
 * const schema = struct({ state: text("required,oneof=open closed") });
 * const { choices } = ui.fieldFilter({ schema, label: () => "State" }, "state");
 * assertEquals(choices.map(({ value }) => value), ["open", "closed"]);
 * ```
 */
export function fieldFilter<T>(texts: FieldTexts<T>, name: FieldName<T>): FieldFilter {
  const facts = findFacts(texts.schema, name);
  const { kind } = facts;
  const others = kind === "bool"
    ? { yes: word("yes"), no: word("no") }
    : kind === "text"
    ? {}
    : { none: word("noValue") };
  return {
    name,
    label: texts.label(name),
    choices: [
      ...fieldChoices(texts, facts),
      ...Object.entries(others).map(([value, label]) => ({ value, label, tone: [] })),
    ],
  };
}

/**
 * Renders a `oneof` value as a badge in its look.
 *
 * @param texts The texts of the fields.
 * @param key The field and the value: `state.open`.
 * @returns A badge.
 */
export function fieldBadge<T>(texts: FieldTexts<T>, key: ChoiceKey<T>): Node {
  const [, value = ""] = String(key).split(/\.(.*)/s);
  return badge(...texts.tones?.[key] ?? [], texts.value?.(key) ?? value);
}

function findFacts<T>(schema: StructSchema<T>, name: string): FormFieldFacts {
  const found = readFormFields(schema).find(({ path }) => path === name);
  if (found?.fields.length === 0) return found;
  throw new TypeError(
    `Cannot show the field "${name}": ${
      found === undefined
        ? "the schema has no such field"
        : "it has fields of its own; write its column yourself"
    }.`,
  );
}

/** Returns the fields of a schema that have a label and one value to show. */
export function plainFields<T>(schema: StructSchema<T>): readonly FormFieldFacts[] {
  return readFormFields(schema)
    .filter((facts) => facts.path !== "id" && facts.fields.length === 0 && !isPassword(facts));
}

/** Reports whether a field is a number other than an amount of money and the id of a row. */
export function isNumber({ path, kind }: Pick<FormFieldFacts, "path" | "kind">): boolean {
  return /^(?:int|int64|float)$/.test(kind) && !/Id$/.test(path);
}

function columnKind(facts: FormFieldFacts): Column<never>["kind"] {
  const { kind } = facts;
  if (kind === "money") return kind;
  if (kind === "day" || kind === "date") return "date";
  return hasChoiceTexts(facts) ? "badge" : undefined;
}

function fieldValue<T>(
  c: Ctx,
  row: object,
  { facts, links, isLinked = false, ...texts }: FieldTexts<T> & {
    readonly facts: FormFieldFacts;
    /** Whether addresses are links. @default false */
    readonly isLinked?: boolean;
  },
): Child {
  const { path, kind, format } = facts;
  const value = findMember(row, path);
  if (value === undefined || value === null || String(value) === "") return undefined;
  const text = value instanceof Date ? value.toISOString() : String(value);
  const title = /Id$/.test(path) ? findMember(row, path.replace(/Id$/, "Name")) : undefined;
  if (title !== undefined && title !== null) {
    const link = links?.[path as keyof T & string];
    return link === undefined ? String(title) : h.a(h.href(link(Number(value))), String(title));
  }
  if (hasChoiceTexts(facts) && facts.oneOf.includes(text)) {
    return fieldBadge(texts, `${path}.${text}` as ChoiceKey<T>);
  }
  if (Array.isArray(value)) return value.join(", ");
  if (kind !== "text") return written(c, facts, text);
  if (!isLinked || (format !== "email" && format !== "url")) return text;
  // RFC 6068: these characters, which an address may contain, would start other headers of the mail.
  const to = text.replace(/[%?&#]/g, encodeURIComponent);
  return h.a(h.href(format === "email" ? `mailto:${to}` : text), text);
}
