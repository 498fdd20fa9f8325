import type { Messages } from "../../messages/catalog.ts";
import { errorAt, type Problem } from "../../problem.ts";
import { readTextIfThere } from "../../project/files/look.ts";
import { memberOf, objectOf, parseJson, textOf } from "../../project/json.ts";
import type { ApiDocument } from "./document.ts";
import { basename, join } from "@std/path";
import type { Manifest } from "../../project/manifest.ts";

export const documentFile = "openapi.json";

export function formatDocument(document: ApiDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Reads the file, with the line ends that {@linkcode formatDocument} writes; `undefined` without one. */
export async function readDocumentFile(path: string): Promise<string | undefined> {
  return (await readTextIfThere(path))?.replaceAll("\r\n", "\n");
}

export function staleDocumentProblem(
  file: string,
  present: string | undefined,
  { openapi: texts }: Messages,
): Problem {
  if (present === undefined) return errorAt({ file }, "E_OPENAPI_STALE", texts.missing(file));
  return errorAt({ file, line: 1 }, "E_OPENAPI_STALE", texts.stale(file));
}

/**
 * Returns `info` and `servers`: the members `name`, `version`, `description` and `license`, and the
 * additions of the member `openapi`: `{ "openapi": { "info": {…}, "servers": […] } }`.
 */
export function infoOf(
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

/**
 * Returns the title for a manifest without one: the title of the existing document, so that a clone
 * in another folder keeps it, or else the folder's name.
 */
export async function fallbackTitle(root: string): Promise<string> {
  const written = parseJson(await readDocumentFile(join(root, documentFile)) ?? "");
  return textOf(memberOf(memberOf(written, "info"), "title")) || basename(root);
}
