/** Adds a resource to the start page, and removes a resource from all shared files. */
import { join } from "@std/path";
import type { Io } from "../../io.ts";
import { readTextIfThere } from "../../project/files/look.ts";
import { Stop } from "../../stop.ts";
import type { Change, Edits } from "../edits.ts";
import { endOfImports } from "../imports.ts";
import { type NewFile, pruneImports, sampleText } from "../sample.ts";
import { setupFile } from "../setup.ts";
import { isSameText, removeFiles, without, withoutNavEntry } from "../undo.ts";
import { overviewFile } from "./files.ts";
import { withoutParents } from "./parents.ts";
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
  for (const { file, text } of files) {
    // Other fields would keep the pages, but remove what they need from `Setup` and the navigation.
    const isOther = file.endsWith(".sql") && !isSameText(await edits.read(file) ?? text, text);
    if (isOther) throw new Stop(edits.project.messages.resource.differs(file));
  }
  await removeFiles(edits, { files, stays: (file) => isBuiltOn && file.endsWith(".sql") }, io);
  const opener = `export function open${resource.names.many}(`;
  const store = files.find(({ text }) => text.includes(opener));
  const isKept = store !== undefined &&
    await readTextIfThere(join(edits.project.root, store.file)) !== undefined;
  for (const [file, change] of sharedFiles(resource)) {
    // Files that use a kept store need what `Setup` provides.
    if (!isKept || file !== setupFile) await edits.change(file, change);
  }
  return await edits.finish(io);
}

function sharedFiles(resource: Resource): readonly (readonly [file: string, change: Change])[] {
  const { many, one } = resource.names;
  const overview = overviewFile(resource);
  const [, source] = /^async function (\w+Source)\(/m.exec(overview.text) ?? [];
  return [
    [setupFile, (text) => without(text, /^ .*\n/gm, `open${many}(`)],
    withoutNavEntry(`c.t(${one}Messages, "title")`),
    ...withoutParents(resource),
    [overview.file, (text) => source === undefined ? undefined : withoutSource(text, source)],
  ];
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
