/**
 * Reads the operations of an OpenAPI document, references resolved.
 *
 * @module
 */
import type { JsonObject } from "@fw/fw/addon";
import { entriesOf, listOf, memberOf, objectOf, textOf, textsOf } from "../../project/json.ts";
import { followReferences } from "./values.ts";

/** The methods of a path item in the order in which documents list them. */
const documentMethods = [
  "get",
  "put",
  "post",
  "delete",
  "options",
  "head",
  "patch",
  "trace",
] as const;

export type DocumentMethod = typeof documentMethods[number];

/** Where a parameter stands in a request. */
export type ParameterPlace = "path" | "query" | "header" | "cookie";

/** A parameter of an operation. */
export interface DocumentParameter {
  readonly name: string;
  readonly place: ParameterPlace;
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  readonly description: string | undefined;
  readonly schema: unknown;
  readonly style: string;
  readonly explode: boolean;
  /** The media type of a parameter that is written as `content`. */
  readonly mediaType: string | undefined;
  /** Whether it takes the rest of the path, slashes included. */
  readonly isCatchAll: boolean;
}

/** A body in one media type. */
export interface DocumentContent {
  readonly mediaType: string;
  /** `undefined` if the document does not describe it. */
  readonly schema: unknown;
  /** Schemas of the data of Server-Sent Events by name; empty if the document does not list them. */
  readonly events: readonly (readonly [string, unknown])[];
  /** How single members of a form are encoded. */
  readonly encoding: JsonObject | undefined;
}

export interface DocumentBody {
  readonly isRequired: boolean;
  readonly description: string | undefined;
  readonly contents: readonly DocumentContent[];
}

export interface DocumentResponse {
  /** A status such as `200`, a range such as `4XX`, or `default`. */
  readonly status: string;
  readonly description: string | undefined;
  readonly contents: readonly DocumentContent[];
  /** The headers by name in lower case. */
  readonly headers: ReadonlyMap<string, JsonObject>;
}

/** A method of a path. */
export interface DocumentOperation {
  readonly method: DocumentMethod;
  readonly path: string;
  readonly id: string | undefined;
  readonly summary: string | undefined;
  readonly description: string | undefined;
  readonly isDeprecated: boolean;
  readonly parameters: readonly DocumentParameter[];
  readonly body: DocumentBody | undefined;
  readonly responses: readonly DocumentResponse[];
  /** What the operation calls back, by name, as the document has it. */
  readonly callbacks: unknown;
  /** The alternatives of security requirements, the document's own where the operation has none. */
  readonly security: readonly JsonObject[];
  /** Whether the route checks the CSRF token. */
  readonly needsCsrf: boolean;
}

/**
 * Lists the operations of a document in its order. What is malformed is passed over.
 */
export function documentOperations(document: unknown): DocumentOperation[] {
  const operations: DocumentOperation[] = [];
  for (const [path, item] of entriesOf(memberOf(document, "paths"))) {
    if (!path.startsWith("/")) continue;
    const pathItem = followReferences(document, item);
    for (const method of documentMethods) {
      const operation = objectOf(memberOf(pathItem, method));
      if (operation === undefined) continue;
      operations.push(readOperation(document, { method, path, pathItem, operation }));
    }
  }
  return operations;
}

interface OperationSource {
  readonly method: DocumentMethod;
  readonly path: string;
  readonly pathItem: unknown;
  readonly operation: JsonObject;
}

function readOperation(document: unknown, source: OperationSource): DocumentOperation {
  const { method, path, pathItem, operation } = source;
  const own = readParameters(document, memberOf(operation, "parameters"));
  const shared = readParameters(document, memberOf(pathItem, "parameters"));
  const keys = new Set(own.map(({ place, name }) => `${place} ${name}`));
  const security = memberOf(operation, "security") ?? memberOf(document, "security");
  return {
    method,
    path,
    id: textOf(memberOf(operation, "operationId")),
    summary: textOf(memberOf(operation, "summary")),
    description: textOf(memberOf(operation, "description")),
    isDeprecated: memberOf(operation, "deprecated") === true,
    parameters: [...shared.filter(({ place, name }) => !keys.has(`${place} ${name}`)), ...own],
    body: readBody(document, memberOf(operation, "requestBody")),
    responses: readResponses(document, memberOf(operation, "responses")),
    callbacks: memberOf(operation, "callbacks"),
    security: listOf(security).map(objectOf).filter((each) => each !== undefined),
    needsCsrf: memberOf(operation, "x-csrf") === true,
  };
}

const places: ReadonlySet<unknown> = new Set(["path", "query", "header", "cookie"]);

function isPlace(value: unknown): value is ParameterPlace {
  return places.has(value);
}

// OpenAPI 3.1, section 4.8.12.1: these three describe headers that the document says elsewhere.
const ignoredHeaders = new Set(["accept", "content-type", "authorization"]);

function readParameters(document: unknown, value: unknown): DocumentParameter[] {
  const found = new Map<string, DocumentParameter>();
  for (const each of listOf(value)) {
    const parameter = followReferences(document, each);
    const name = textOf(memberOf(parameter, "name"));
    const place = memberOf(parameter, "in");
    if (name === undefined || !isPlace(place)) continue;
    if (place === "header" && ignoredHeaders.has(name.toLowerCase())) continue;
    const [content] = readContents(document, memberOf(parameter, "content"));
    const style = textOf(memberOf(parameter, "style")) ??
      (place === "query" || place === "cookie" ? "form" : "simple");
    const explode = memberOf(parameter, "explode");
    found.set(`${place} ${name}`, {
      name,
      place,
      isRequired: place === "path" || memberOf(parameter, "required") === true,
      isDeprecated: memberOf(parameter, "deprecated") === true,
      description: textOf(memberOf(parameter, "description")),
      schema: content === undefined ? memberOf(parameter, "schema") : content.schema,
      style,
      explode: typeof explode === "boolean" ? explode : style === "form",
      mediaType: content?.mediaType,
      isCatchAll: memberOf(parameter, "x-catch-all") === true,
    });
  }
  return [...found.values()];
}

function readBody(document: unknown, value: unknown): DocumentBody | undefined {
  const body = objectOf(followReferences(document, value));
  if (body === undefined) return undefined;
  return {
    isRequired: memberOf(body, "required") === true,
    description: textOf(memberOf(body, "description")),
    contents: readContents(document, memberOf(body, "content")),
  };
}

function readResponses(document: unknown, value: unknown): DocumentResponse[] {
  return entriesOf(value).flatMap(([key, each]) => {
    const status = /^[1-5]xx$/i.test(key) ? key.toUpperCase() : key;
    if (!/^(?:[1-5](?:\d\d|XX)|default)$/.test(status)) return [];
    const response = followReferences(document, each);
    const headers = entriesOf(memberOf(response, "headers")).flatMap(([name, header]) => {
      const found = objectOf(followReferences(document, header));
      return found === undefined ? [] : [[name.toLowerCase(), found] as const];
    });
    return [{
      status,
      description: textOf(memberOf(response, "description")),
      contents: readContents(document, memberOf(response, "content")),
      headers: new Map(headers),
    }];
  });
}

function readContents(document: unknown, value: unknown): DocumentContent[] {
  return entriesOf(value).map(([mediaType, each]) => {
    const content = followReferences(document, each);
    return {
      mediaType: mediaType.toLowerCase(),
      schema: memberOf(content, "schema"),
      events: entriesOf(memberOf(content, "x-events")),
      encoding: objectOf(memberOf(content, "encoding")),
    };
  });
}

/** Lists what keeps a value from being an OpenAPI 3.1 document; empty for one that can be read. */
export function findDocumentFaults(document: unknown): string[] {
  if (objectOf(document) === undefined) return ["it is no JSON object"];
  const version = textOf(memberOf(document, "openapi"));
  if (version === undefined) return ['it has no "openapi" member'];
  if (!/^3\.[01]\.\d+(?:-|$)/.test(version)) return [`its version is ${JSON.stringify(version)}`];
  return [];
}

/** Returns the names of the security schemes of one requirement, with their scopes, sorted. */
export function requirementText(requirement: JsonObject): string {
  return Object.keys(requirement).sort().map((name) => {
    const scopes = [...textsOf(memberOf(requirement, name))].sort();
    return scopes.length === 0 ? name : `${name}(${scopes.join(", ")})`;
  }).join(" + ");
}
