/** Shows JSON Schemas: a type in a line, members as a list, named schemas by a link. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import { apiEntries, apiList, apiMember, apiObject, apiText, schemaName } from "./document.ts";
import { badge } from "../display.ts";
import { word } from "../labels.ts";
import { destructive, secondary, small } from "../variants.ts";

/** How deep schemas are shown inside each other. */
const maxDepth = 12;

/** What showing a schema needs. */
export interface SchemaView {
  /** Returns the URL of a named schema on the page; `undefined` if the document has none of the name. */
  readonly hrefOf: (name: string) => string | undefined;
  /** Counts the schemas that may still be shown. */
  readonly budget: { left: number };
}

/** Shows a schema: its type, what limits it, and its members. */
export function showSchema(schema: unknown, view: SchemaView, depth: number = 0): Node {
  const notes = limitsOf(schema);
  const description = apiText(schema, "description");
  return h.fragment(
    h.p(h.class("ui-api-type"), typeOf(schema, view, 0), notes !== "" && h.small(" ", notes)),
    description !== undefined && depth > 0 && h.p(description),
    showMembers(schema, view, depth),
  );
}

/** The members of an object, of the elements of a list, or of each choice. */
function showMembers(schema: unknown, view: SchemaView, depth: number): Node {
  if (depth > maxDepth || --view.budget.left < 0) return h.fragment();
  const items = apiMember(schema, "items");
  const parts = ["allOf", "oneOf", "anyOf"].flatMap((name) => apiList(apiMember(schema, name)));
  const properties = apiEntries(apiMember(schema, "properties"));
  const required = new Set(apiList(apiMember(schema, "required")));
  const others = apiObject(apiMember(schema, "additionalProperties"));
  return h.fragment(
    properties.length > 0 && h.dl(
      h.class("ui-api-members"),
      h.map(properties, ([name, each]) =>
        h.fragment(
          h.dt(
            h.code(name),
            required.has(name) && badge(small, secondary, word("required")),
            apiMember(each, "deprecated") === true && badge(small, destructive, word("deprecated")),
          ),
          h.dd(showNested(each, view, depth + 1)),
        )),
    ),
    others !== undefined && hasMembers(others) && showNested(others, view, depth + 1),
    hasMembers(items) && showMembers(items, view, depth + 1),
    h.map(parts.filter(hasMembers), (part) => showMembers(part, view, depth + 1)),
  );
}

/** Returns what lies deep is closed at first. */
function showNested(schema: unknown, view: SchemaView, depth: number): Node {
  if (depth < 3 || !hasMembers(schema)) return showSchema(schema, view, depth);
  return h.details(h.summary(typeOf(schema, view, 0)), showSchema(schema, view, depth));
}

function hasMembers(schema: unknown): boolean {
  const names = ["properties", "allOf", "oneOf", "anyOf"];
  let at = apiObject(schema);
  // What lies deeper is not shown.
  for (let depth = 0; at !== undefined && depth <= maxDepth; depth++) {
    const here = at;
    if (names.some((name) => apiMember(here, name) !== undefined)) return true;
    at = apiObject(apiMember(here, "items"));
  }
  return false;
}

/** Renders the type of a schema on one line, with links to named schemas. */
export function typeOf(schema: unknown, view: SchemaView, depth: number): Child {
  if (depth > 4) return "…";
  const ref = apiText(schema, "$ref");
  if (ref !== undefined) return linkOf(ref, view);
  const own = ownType(schema, view, depth);
  if (own !== undefined) return own;
  const choices = [...apiList(apiMember(schema, "oneOf")), ...apiList(apiMember(schema, "anyOf"))];
  if (choices.length > 0) {
    return joined(choices.map((each) => typeOf(each, view, depth + 1)), " | ");
  }
  const parts = apiList(apiMember(schema, "allOf"));
  if (parts.length > 0) return joined(parts.map((each) => typeOf(each, view, depth + 1)), " & ");
  return schema === false ? "never" : "any";
}

function ownType(schema: unknown, view: SchemaView, depth: number): Child {
  const constant = apiMember(schema, "const");
  if (constant !== undefined) return h.code(valueText(constant));
  const values = apiMember(schema, "enum");
  if (Array.isArray(values)) {
    const shown = values.slice(0, 50).map((value) => h.code(valueText(value)));
    return joined([...shown, ...values.length > 50 ? ["…"] : []], " | ");
  }
  const type = apiMember(schema, "type");
  const names = (Array.isArray(type) ? type : [type]).filter((each) => typeof each === "string");
  if (names.length === 0) return undefined;
  const format = apiText(schema, "format") ?? apiText(schema, "contentMediaType");
  const parts = names.map((name) => {
    if (name !== "array") {
      return name === "null" ? "null" : `${name}${format ? ` (${format})` : ""}`;
    }
    return h.fragment("array<", typeOf(apiMember(schema, "items"), view, depth + 1), ">");
  });
  return joined(parts, " | ");
}

function linkOf(ref: string, { hrefOf }: SchemaView): Child {
  const name = schemaName(ref) ?? ref.slice(ref.lastIndexOf("/") + 1);
  const href = hrefOf(name);
  return href === undefined ? h.code(name) : h.a(h.href(href), name);
}

function joined(parts: readonly Child[], sign: string): Node {
  return h.fragment(...parts.flatMap((part, at) => at === 0 ? [part] : [sign, part]));
}

const limits: readonly (readonly [string, string])[] = [
  ["minimum", "≥"],
  ["exclusiveMinimum", ">"],
  ["maximum", "≤"],
  ["exclusiveMaximum", "<"],
  ["multipleOf", "×"],
  ["minLength", "minLength"],
  ["maxLength", "maxLength"],
  ["pattern", "pattern"],
  ["minItems", "minItems"],
  ["maxItems", "maxItems"],
  ["default", "="],
];

function limitsOf(schema: unknown): string {
  return limits.flatMap(([name, sign]) => {
    const value = apiMember(schema, name);
    return value === undefined ? [] : [`${sign} ${valueText(value)}`];
  }).join(", ");
}

/** The most characters of a value. */
const maxShown = 500;

/** Writes a value on one line. */
export function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}
