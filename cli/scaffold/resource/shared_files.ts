/** Adds a resource to the start page, and removes a resource from all shared files. */
import { dirname, join } from "@std/path";
import type { Io } from "../../io.ts";
import { readTextIfThere } from "../../project/files/look.ts";
import { isInside } from "../../project/files/write_inside.ts";
import type { Change, Edits, NewFile } from "../edits.ts";
import { endOfImports } from "../imports.ts";
import { dropIdleAsync, pruneImports, sampleText } from "../sample.ts";
import { setupFile } from "../setup.ts";
import { overviewFile } from "./files.ts";
import type { Resource } from "./resource.ts";

/** Adds a resource to the start page, unless the developer replaced the page. */
export async function joinOverview(edits: Edits, resource: Resource): Promise<void> {
  const { file, text } = edits.restyle(overviewFile(resource));
  await edits.change(
    file,
    (present) => present === sampleText(`kit/${file}`) ? text : addSource(present, text),
  );
}

function addSource(present: string, other: string): string | undefined {
  const list = /\n\/\*\* The sources of the page;[^]*?(?=\n?\];\n$)/;
  const [source, name] = /^async function (\w+Source)\([^]*?^\}\n/m.exec(other) ?? [];
  if (source === undefined || !list.test(present)) return undefined;
  const imports = [...other.matchAll(/^import [^;]*\/(?:lib|views)\/[^;]*;\n/gm)].map(([line]) =>
    line
  )
    .filter((line) => !present.includes(line));
  const end = endOfImports(present);
  const listed = present.slice(end).replace(
    list,
    (head) => `\n${source}${head.replace(/,?$/, ",")} ${name},`,
  );
  return present.slice(0, end) + imports.join("") + listed;
}

/**
 * Removes the unchanged files of a resource and its lines in `Setup`, the navigation and the start
 * page. Prints what stays.
 */
export async function undoResource(
  edits: Edits,
  { resource, files, isBuiltOn }: {
    readonly resource: Resource;
    readonly files: readonly NewFile[];
    /** Whether a later migration exists, so that the resource's own must stay. */
    readonly isBuiltOn: boolean;
  },
  io: Io,
): Promise<number> {
  const { root, messages } = edits.project;
  for (const { file, text } of files.map((each) => edits.restyle(each))) {
    const path = join(root, file);
    const present = await readTextIfThere(path);
    if (present === undefined || !await isInside(root, dirname(path))) continue;
    const stays = squeezed(present) !== squeezed(text) || (isBuiltOn && file.endsWith(".sql"));
    if (!stays) await removeFile(root, file);
    io.stdout(`${stays ? messages.resource.kept(file) : messages.resource.removed(file)}\n`);
  }
  for (const [file, change] of sharedFiles(resource)) await edits.change(file, change);
  return await edits.finish(io);
}

/** Removes the characters that the formatter may change. */
function squeezed(text: string): string {
  return text
    .replaceAll(/^import \{([^}]*)\}/gm, (_, names: string) => names.split(/[\s,]+/).sort().join())
    .replaceAll(/[\s,(){};"'\\]/g, "");
}

/** Removes a file and the folders that become empty. */
async function removeFile(root: string, file: string): Promise<void> {
  await Deno.remove(join(root, file));
  try {
    for (let at = dirname(file); at !== "."; at = dirname(at)) await Deno.remove(join(root, at));
  } catch {
    // The folder is not empty.
  }
}

function sharedFiles(resource: Resource): readonly (readonly [file: string, change: Change])[] {
  const { many, one } = resource.names;
  const overview = overviewFile(resource);
  const [, source] = /^async function (\w+Source)\(/m.exec(overview.text) ?? [];
  return [
    [setupFile, (text) => without(text, /^ .*\n/gm, `open${many}(`)],
    ["app/nav.ts", (text) => without(text, navEntry, `c.t(${one}Messages, "title")`)],
    [overview.file, (text) => source === undefined ? undefined : withoutSource(text, source)],
  ];
}

const navEntry = /^ {4}(?:\{(?: .*\},?\n|\n(?: {5,}.*\n)* {4}\},?\n)|\.{3}.*\n(?: {5,}.*\n)*)/gm;

/** Removes the parts that contain a text, and their imports; `undefined` if none exist. */
function without(text: string, parts: RegExp, wanted: string): string | undefined {
  const left = text.replaceAll(parts, (part) => part.includes(wanted) ? "" : part);
  return left === text ? undefined : pruneImports(dropIdleAsync(left));
}

/** Removes a source of the overview; after the last one, restores the first start page. */
function withoutSource(text: string, source: string): string | undefined {
  const own = new RegExp(`^async function ${source}\\([^]*?^\\}\\n\\n?`, "m");
  if (!own.test(text)) return undefined;
  const others = [...text.matchAll(/^async function (\w+Source)\(/gm)];
  if (others.length === 1) return sampleText("kit/app/page.ts");
  return pruneImports(
    text.replace(own, "").replace(new RegExp(`(?<=[[\\s])${source},?(?=[\\s\\]])`), ""),
  );
}
