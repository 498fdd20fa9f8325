import type { Messages } from "../../messages/catalog.ts";
import { errorAt, type Problem } from "../../problem.ts";
import { readTextIfThere } from "../../project/files/look.ts";
import { objectOf, textOf } from "../../project/json.ts";
import type { Manifest } from "../../project/manifest.ts";

export interface Schema {
  [keyword: string]: unknown;
}

export interface MediaType {
  schema?: Schema;
  encoding?: Record<string, { contentType: string }>;
}

export interface ResponseHeader {
  description?: string;
  schema: Schema;
}

export interface ResponseObject {
  description: string;
  headers?: Record<string, ResponseHeader>;
  content?: Record<string, MediaType>;
}

export interface Parameter {
  name: string;
  in: "path" | "query";
  description?: string;
  required?: boolean;
  schema: Schema;
  /** The parameter may contain slashes. */
  "x-catch-all"?: true;
}

export interface RequestBody {
  required: boolean;
  content: Record<string, MediaType>;
}

export type SecurityRequirement = Record<string, string[]>;

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  deprecated?: true;
  tags: string[];
  security: SecurityRequirement[];
  "x-csrf"?: true;
  parameters?: Parameter[];
  requestBody?: RequestBody;
  responses: Record<string, ResponseObject>;
}

export type PathItem = Record<string, Operation>;

export interface ApiDocument {
  openapi: "3.1.0";
  info: { title: string; version: string; [member: string]: unknown };
  servers: { url: string; [member: string]: unknown }[];
  security: SecurityRequirement[];
  tags: { name: string }[];
  paths: Record<string, PathItem>;
  components: {
    schemas: Record<string, Schema>;
    securitySchemes?: Record<string, Schema>;
  };
}

export const mediaTypes = {
  json: "application/json",
  problem: "application/problem+json",
  html: "text/html",
  text: "text/plain",
  events: "text/event-stream",
  form: "application/x-www-form-urlencoded",
  multipart: "multipart/form-data",
  /** The schema for a type that only the handler knows. */
  any: "*/*",
} as const;

export interface ApiDescription {
  /** `undefined` if there is an error. */
  readonly document: ApiDocument | undefined;
  readonly problems: readonly Problem[];
}

/** The form of every API error; an application may add members. */
export const problemSchema: Schema = {
  type: "object",
  description: "A problem document (RFC 9457).",
  properties: {
    type: {
      type: "string",
      format: "uri-reference",
      description: "A URI that names the kind of problem.",
    },
    title: { type: "string", description: "A short summary of the kind." },
    status: { type: "integer", minimum: 400, maximum: 599 },
    detail: { type: "string", description: "What happened this time." },
    instance: {
      type: "string",
      format: "uri-reference",
      description: "The path of the request, or a URI of this occurrence.",
    },
    code: { type: "string", description: "A stable name for programs." },
    fields: {
      type: "object",
      description: "The messages of the fields that were not accepted.",
      additionalProperties: { type: "string" },
    },
    request_id: { type: "string", description: "Finds the request in the log." },
  },
  required: ["type", "title", "status", "instance", "code", "request_id"],
};

export const documentFile = "openapi.json";

export function formatDocument(document: ApiDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Reads the file, with the line ends that {@linkcode formatDocument} writes; `undefined` without one. */
export async function readDocumentFile(path: string): Promise<string | undefined> {
  return (await readTextIfThere(path))?.replaceAll("\r\n", "\n");
}

export function staleDocumentProblem(file: string, messages: Messages): Problem {
  return errorAt({ file }, "E_OPENAPI_STALE", messages.stale(file, "openapi"));
}

/**
 * Returns `info` and `servers`: the members `name`, `version`, `description` and `license`, and the
 * additions of the member `openapi`: `{ "openapi": { "info": {…}, "servers": […] } }`.
 */
export function documentInfo(
  manifest: Manifest,
  options: { readonly title: string; readonly basePath: string },
): Pick<ApiDocument, "info" | "servers"> {
  const own = objectOf(manifest["openapi"]) ?? {};
  const { name, version, description, license } = manifest;
  const info = {
    title: textOf(name) || options.title,
    version: textOf(version) || "0.0.0",
    ...(textOf(description) ? { description } : {}),
    ...(textOf(license) ? { license: { name: license, identifier: license } } : {}),
    ...objectOf(own["info"]),
  };
  const servers = Array.isArray(own["servers"]) && own["servers"].length > 0
    ? own["servers"]
    : [{ url: options.basePath === "" ? "/" : options.basePath }];
  return { info, servers };
}
