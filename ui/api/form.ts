/** The form of an operation, where a form without a script can send what the operation takes. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import {
  apiEntries,
  apiList,
  apiMember,
  type ApiObject,
  apiObject,
  type ApiOperation,
  apiText,
  follow,
} from "./document.ts";
import { actions, submit } from "../button.ts";
import { fileInput, input, select, textarea } from "../controls.ts";
import { field } from "../field.ts";
import { word } from "../labels.ts";

/** What a form needs of its page. */
export interface FormPlace {
  readonly document: unknown;
  /** The id of the operation, which ids of controls start with. */
  readonly id: string;
  /** The URL before the path of the operation. */
  readonly baseUrl: string;
  /** What a form that writes carries, such as a CSRF token: never to another site. */
  readonly hidden: Child;
  /** Counts the fields that the forms of the page may still have. */
  readonly budget: FieldBudget;
}

interface FieldBudget {
  left: number;
}

/** A field of a form. */
interface FormField {
  readonly name: string;
  readonly schema: unknown;
  readonly isRequired: boolean;
  readonly description: string | undefined;
  /** Whether the value stands in the path. @default false */
  readonly isInPath?: boolean;
}

const formTypes = ["application/x-www-form-urlencoded", "multipart/form-data"];

/** How deep the members of objects become fields. */
const maxDepth = 4;

/** The most fields of a form: a schema that contains itself has any number. */
const maxFields = 400;

/**
 * Returns the form of an operation; `undefined` where a form cannot send it: another method, a
 * required header, a body of another type, or more fields than a page has room for. Values in the path
 * are filled in by the kit's script.
 */
export function operationForm(operation: ApiOperation, place: FormPlace): Node | undefined {
  const { method, path, parameters } = operation;
  const inPath = pathFields(operation, place.document);
  const needsHeader = parameters.some((each) =>
    apiMember(each, "in") === "header" && apiMember(each, "required") === true
  );
  // A path such as "//host" would send what a person writes to another site.
  if (
    inPath === undefined || needsHeader || !isOwn(path) || needsToken(operation, place.document)
  ) {
    return undefined;
  }
  const query = parameters.filter((each) => apiMember(each, "in") === "query")
    .flatMap((each) => parameterFields(each, place.document));
  const action = `${place.baseUrl}${path}`;
  const target = h.attrs(h.action(action), inPath.length > 0 && h.data("ui-path", action));
  if (method === "GET") return writeForm([...inPath, ...query], { place, attributes: [target] });
  if (method !== "POST") return undefined;
  const body = apiObject(follow(place.document, apiMember(operation.source, "requestBody")));
  const content = apiMember(body, "content");
  const enctype = formTypes.find((type) => apiMember(content, type) !== undefined);
  // A form sends no other body; an operation without one takes an empty form.
  if (enctype === undefined && body !== undefined) return undefined;
  // A form cannot write both, but the query of its action stays.
  if (query.some(({ isRequired }) => isRequired)) return undefined;
  const schema = apiMember(apiMember(content, enctype ?? ""), "schema");
  const count = { left: maxFields };
  const { document } = place;
  const members = memberFields(schema, { document, prefix: "", depth: 0, count });
  if (count.left < 0) return undefined;
  return writeForm([...inPath, ...members], {
    place,
    attributes: [
      target,
      h.method("post"),
      enctype === "multipart/form-data" && h.enctype(enctype),
      // Another site must not learn the token.
      isOwn(action) && place.hidden,
    ],
  });
}

/** Returns the fields of the path's values; `undefined` if one is not described or takes slashes. */
function pathFields(
  { path, parameters }: ApiOperation,
  document: unknown,
): FormField[] | undefined {
  const fields = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = ""]) => {
    const found = parameters.find((each) =>
      apiMember(each, "in") === "path" && apiMember(each, "name") === name
    );
    if (found === undefined || apiMember(found, "x-catch-all") === true) return undefined;
    return {
      name,
      schema: follow(document, apiMember(found, "schema")),
      isRequired: true,
      description: apiText(found, "description"),
      isInPath: true,
    };
  });
  const known = fields.filter((each) => each !== undefined);
  return known.length === fields.length ? known : undefined;
}

/**
 * Reports whether a URL stays on the site: a path, and no host after two slashes or a backslash,
 * also once a browser has removed tabs and line breaks.
 */
export function isOwn(url: string): boolean {
  return /^\/(?![/\\])\P{Cc}*$/u.test(url);
}

/** Reports whether every way to sign in needs a header that a form cannot send. */
function needsToken(operation: ApiOperation, document: unknown): boolean {
  const security = apiList(
    apiMember(operation.source, "security") ?? apiMember(document, "security"),
  );
  const schemes = apiMember(apiMember(document, "components"), "securitySchemes");
  return security.length > 0 &&
    security.every((requirement) =>
      apiEntries(requirement).some(([name]) => {
        const scheme = follow(document, apiMember(schemes, name));
        return !(apiText(scheme, "type") === "apiKey" && apiText(scheme, "in") === "cookie");
      })
    );
}

function parameterFields(parameter: ApiObject, document: unknown): FormField[] {
  const name = apiText(parameter, "name") ?? "";
  const schema = follow(document, apiMember(parameter, "schema"));
  const own = {
    schema,
    isRequired: apiMember(parameter, "required") === true,
    description: apiText(parameter, "description"),
  };
  if (apiText(parameter, "style") !== "deepObject") return [{ name, ...own }];
  return apiEntries(apiMember(schema, "properties")).map(([key, each]) => ({
    name: `${name}[${key}]`,
    schema: follow(document, each),
    isRequired: false,
    description: apiText(each, "description"),
  }));
}

/** Returns the members of an object as fields; those of an inner object stand behind a dot. */
function memberFields(
  value: unknown,
  { document, prefix, depth, count }: {
    readonly document: unknown;
    readonly prefix: string;
    readonly depth: number;
    readonly count: FieldBudget;
  },
): FormField[] {
  if (--count.left < 0) return [];
  const schema = follow(document, value);
  const required = new Set(apiList(apiMember(schema, "required")));
  const own = apiEntries(apiMember(schema, "properties")).flatMap(([name, each]) => {
    const inner = follow(document, each);
    const whole = prefix + name;
    if (typesOf(inner).includes("object") && depth < maxDepth) {
      return memberFields(inner, { document, prefix: `${whole}.`, depth: depth + 1, count });
    }
    if (--count.left < 0) return [];
    return [{
      name: whole,
      schema: inner,
      isRequired: depth === 0 && required.has(name),
      description: apiText(inner, "description"),
    }];
  });
  const parts = depth < maxDepth ? apiList(apiMember(schema, "allOf")) : [];
  return [
    ...own,
    ...parts.flatMap((part) => memberFields(part, { document, prefix, depth: depth + 1, count })),
  ];
}

function writeForm(
  fields: readonly FormField[],
  { place, attributes }: { readonly place: FormPlace; readonly attributes: readonly Child[] },
): Node | undefined {
  const { budget } = place;
  // As with a form of an operation that others refer to as well.
  budget.left -= fields.length;
  if (budget.left < 0) return undefined;
  return h.form(
    h.class("ui-form"),
    ...attributes,
    h.mapIndex(fields, (each, at) => {
      return field(
        `${place.id}-${at + 1}`,
        each.name,
        controlOf(each, place.document),
        each.description,
      );
    }),
    actions(submit(word("send"))),
  );
}

function typesOf(schema: unknown): readonly unknown[] {
  const type = apiMember(schema, "type");
  return Array.isArray(type) ? type : [type];
}

/** Returns the control that fits a schema. */
function controlOf(own: FormField, document: unknown): Node {
  const { schema, name, isRequired, isInPath = false } = own;
  // Without a name, the browser does not send a value of the path a second time.
  const key = isInPath ? h.data("ui-name", `{${name}}`) : h.name(name);
  const shared = h.attrs(key, h.required(isRequired));
  const types = typesOf(schema);
  if (isFile(schema)) return fileInput(shared);
  if (types.includes("array")) {
    const items = follow(document, apiMember(schema, "items"));
    if (isFile(items)) return fileInput(shared, h.multiple());
    const values = apiMember(items, "enum");
    return Array.isArray(values) ? select(shared, h.multiple(), options(values)) : input(shared);
  }
  const values = apiMember(schema, "enum");
  if (Array.isArray(values)) {
    return select(shared, !isRequired && h.option(h.value("")), options(values));
  }
  if (types.includes("boolean")) {
    return select(shared, h.option(h.value("")), options([true, false]));
  }
  if (types.includes("integer") || types.includes("number")) return numberInput(schema, shared);
  const format = apiText(schema, "format");
  const type = format === undefined ? undefined : inputTypes.get(format);
  const maxLength = apiMember(schema, "maxLength");
  const longest = typeof maxLength === "number" && maxLength >= 0 && h.maxlength(maxLength);
  const isLong = typeof maxLength === "number" && maxLength > 300;
  if (isLong || types.includes("object")) return textarea(shared, longest);
  // A URL drops dot segments, which would lead to another operation.
  const isSegment = isInPath && h.pattern("(?!\\.{1,2}$).+");
  return input(shared, isSegment, type !== undefined && h.type(type), longest);
}

const inputTypes: ReadonlyMap<string, string> = new Map([
  ["date", "date"],
  ["email", "email"],
  ["uri", "url"],
  ["password", "password"],
]);

function numberInput(schema: unknown, shared: Child): Node {
  const limit = (name: string): number | undefined => {
    const value = apiMember(schema, name);
    return typeof value === "number" ? value : undefined;
  };
  const [least, most] = [limit("minimum"), limit("maximum")];
  const isWhole = typesOf(schema).includes("integer");
  return input(
    shared,
    h.type("number"),
    least !== undefined && h.min(least),
    most !== undefined && h.max(most),
    !isWhole && h.step("any"),
  );
}

function isFile(schema: unknown): boolean {
  return apiText(schema, "format") === "binary" ||
    apiText(schema, "contentMediaType") !== undefined &&
      apiText(schema, "contentEncoding") === undefined;
}

function options(values: readonly unknown[]): Node {
  const texts = values.filter((value) => value !== null).slice(0, 200).map((value) =>
    typeof value === "string" ? value : JSON.stringify(value) ?? ""
  );
  return h.map(texts, (text) => h.option(h.value(text), text));
}
