import type { ResourceContents, ResourceDetails } from "../../protocol/content.ts";
import type { McpCall } from "../call.ts";
import { checkScopeNames } from "../bearer.ts";
import type { Completer } from "./prompts.ts";
import { UriTemplate } from "./uri_template.ts";

/** Details of a resource that a server offers, besides its URI. */
export interface ResourceInfo extends ResourceDetails {
  /** The access token scopes that reading and watching require; see `auth`. @default none */
  readonly scopes?: readonly string[] | undefined;
}

/** The result of a resource's function: text, bytes (sent as Base64), or complete contents. */
export type ResourceValue = string | Uint8Array | ResourceContents | readonly ResourceContents[];

/** A resource with one URI. */
export interface McpResource extends ResourceInfo {
  /** Distinguishes resources from templates. */
  readonly kind: "resource";
  /** The address. */
  readonly uri: string;
  /** Reads the resource. */
  read(call: McpCall): ResourceValue | Promise<ResourceValue>;
}

/** A resource template. */
export interface McpResourceTemplate extends ResourceInfo {
  /** Distinguishes resources from templates. */
  readonly kind: "template";
  /** The URI template. */
  readonly template: UriTemplate;
  /** Suggests values for the variables. */
  readonly complete: Readonly<Record<string, Completer>>;
  /** Reads one resource; returns `undefined` if it does not exist. */
  read(
    params: Readonly<Record<string, string>>,
    call: McpCall,
  ): ResourceValue | undefined | Promise<ResourceValue | undefined>;
}

/**
 * Defines a resource with one URI.
 *
 * @throws {TypeError} for a URI that is not absolute.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { resource } from "@fw/fw/mcp";
 *
 * const readme = resource({ uri: "docs://readme", name: "readme" }, () => "# Events");
 * assertEquals(readme.uri, "docs://readme");
 * ```
 */
export function resource(
  about: ResourceInfo & { readonly uri: string },
  read: McpResource["read"],
): McpResource {
  if (URL.parse(about.uri) === null) {
    throw new TypeError(`Cannot serve the resource "${about.uri}": use an absolute URI.`);
  }
  checkInfo(about, about.uri);
  return { ...about, kind: "resource", read };
}

/** The definition that {@link resourceTemplate} takes. */
export interface ResourceTemplateDefinition extends ResourceInfo {
  /**
   * The URI template, such as `events://{id}`; `{+path}` matches slashes too. A value contains no dot
   * segment, backslash or control character, and that of `{+path}` is a relative path.
   */
  readonly uriTemplate: string;
  /** Suggests values for the variables, by name. @default none */
  readonly complete?: Readonly<Record<string, Completer>> | undefined;
}

/**
 * Defines a resource template.
 *
 * @throws {TypeError} for a template that is not supported, and a completion without its variable.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { resourceTemplate } from "@fw/fw/mcp";
 *
 * const events = resourceTemplate(
 *   { uriTemplate: "events://{id}", name: "event", mimeType: "application/json" },
 *   ({ id }) => JSON.stringify({ id }),
 * );
 * assertEquals(events.template.variables, ["id"]);
 * ```
 */
export function resourceTemplate(
  about: ResourceTemplateDefinition,
  read: McpResourceTemplate["read"],
): McpResourceTemplate {
  const { uriTemplate, complete = {}, ...info } = about;
  const template = new UriTemplate(uriTemplate);
  checkInfo(info, uriTemplate);
  const unknown = Object.keys(complete).find((name) => !template.variables.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(
      `Cannot complete "${unknown}": the template "${uriTemplate}" has no such variable.`,
    );
  }
  return { ...info, kind: "template", template, complete, read };
}

function checkInfo({ name, scopes }: ResourceInfo, address: string): void {
  if (typeof name !== "string" || name.trim() === "") {
    throw new TypeError(
      `Cannot serve the resource "${address}" without a name: set "name" to a string that is not empty.`,
    );
  }
  checkScopeNames(scopes, `the resource "${address}"`);
}
