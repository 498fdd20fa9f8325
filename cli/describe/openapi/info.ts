/**
 * The head of a document, from the members of `deno.json`.
 *
 * @module
 */
import { basename } from "@std/path";
import type { Manifest } from "../../project/manifest.ts";
import { objectOf, textOf } from "../../project/json.ts";
import type { ApiDocument } from "./document.ts";

/**
 * Returns `info` and `servers`: the members `name`, `version`, `description` and `license`, and what
 * the member `openapi` adds or replaces: `{ "openapi": { "info": {…}, "servers": […] } }`.
 *
 * @param manifest The members of `deno.json`.
 * @param options The project's folder, and the URL prefix of the application.
 */
export function readInfo(
  manifest: Manifest,
  options: { readonly root: string; readonly basePath: string },
): Pick<ApiDocument, "info" | "servers"> {
  const own = objectOf(manifest["openapi"]) ?? {};
  const { name, version, description, license } = manifest;
  const info = {
    title: textOf(name) || basename(options.root),
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
