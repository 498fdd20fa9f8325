import type { Messages } from "../../messages/catalog.ts";
import { errorAt, type Problem } from "../../problem.ts";
import { readTextIfThere } from "../../project/files/look.ts";
import { memberOf, objectOf, parseJson, textOf } from "../../project/json.ts";
import type { ApiDocument } from "./document.ts";
import { isJsonObject } from "@fw/fw/addon";
import { basename, join } from "@std/path";
import type { Manifest } from "../../project/manifest.ts";

export const documentFile = "openapi.json";

const maxDrift = 12;

export function formatDocument(document: ApiDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Reads the file, with the line ends that {@linkcode formatDocument} writes; `undefined` without one. */
export async function readDocumentFile(path: string): Promise<string | undefined> {
  return (await readTextIfThere(path))?.replaceAll("\r\n", "\n");
}

export function staleDocumentProblem(
  document: ApiDocument,
  { file, present, messages: { openapi: texts } }: {
    readonly file: string;
    readonly present: string | undefined;
    readonly messages: Messages;
  },
): Problem {
  if (present === undefined) return errorAt({ file }, "E_OPENAPI_STALE", texts.missing(file));
  // A file that is not JSON differs as a whole.
  const drift = findDrift(parseJson(present), document);
  const shown = drift.slice(0, maxDrift)
    .map(({ kind, place }) => `${texts.driftKinds[kind]} ${place}`.trim());
  const rest = drift.length - shown.length;
  const places = [...shown, ...(rest > 0 ? [texts.moreDrift(String(rest))] : [])].join("; ");
  return errorAt({ file, line: 1 }, "E_OPENAPI_STALE", texts.stale(file, places));
}

interface Drift {
  readonly kind: "added" | "removed" | "changed";
  /** The place, such as `paths /api/events get responses 404`. */
  readonly place: string;
}

/** Finds the outermost differences: a new operation is one, whatever it contains. */
function findDrift(before: unknown, after: unknown): readonly Drift[] {
  const drift: Drift[] = [];
  compare(before, after, []);
  return drift;

  function compare(one: unknown, other: unknown, path: readonly string[]): void {
    if (JSON.stringify(one) === JSON.stringify(other)) return;
    if (!isJsonObject(one) || !isJsonObject(other)) {
      drift.push({ kind: "changed", place: path.join(" ") });
      return;
    }
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    const count = drift.length;
    for (const name of names) {
      const place = [...path, name].join(" ");
      if (!Object.hasOwn(other, name)) drift.push({ kind: "removed", place });
      else if (!Object.hasOwn(one, name)) drift.push({ kind: "added", place });
      else compare(one[name], other[name], [...path, name]);
    }
    // Only the order differs.
    if (drift.length === count) drift.push({ kind: "changed", place: path.join(" ") });
  }
}

/**
 * Returns `info` and `servers`: the members `name`, `version`, `description` and `license`, and what
 * the member `openapi` adds or replaces: `{ "openapi": { "info": {…}, "servers": […] } }`.
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
 * Returns the title for a manifest without one: that of the written document, so that a clone in a
 * folder of another name has the same document, else the folder's name.
 */
export async function fallbackTitle(root: string): Promise<string> {
  const written = parseJson(await readDocumentFile(join(root, documentFile)) ?? "");
  return textOf(memberOf(memberOf(written, "info"), "title")) || basename(root);
}
