import { join } from "@std/path";
import type { Io } from "../../io.ts";
import { messagesOf } from "../../messages/catalog.ts";
import { readTextIfThere } from "../../project/files/look.ts";
import { isInside, replaceFile } from "../../project/files/write_inside.ts";
import { formatFiles } from "../../project/files/write_new.ts";
import type { Project } from "../../project/project.ts";
import { endOfImports, readImportStyle } from "../imports.ts";
import { overviewFile, type Resource } from "./files.ts";
import { restyleImports, sampleText } from "../sample.ts";

/** Shows a resource on the start page of an app, unless the page is the developer's own. */
export async function joinOverview(project: Project, resource: Resource, io: Io): Promise<void> {
  const { root } = project;
  const rendered = overviewFile(resource);
  const { file } = rendered;
  const path = join(root, file);
  const present = await readTextIfThere(path);
  if (present === undefined || !await isInside(root, path)) return;
  const text = restyleImports(rendered, await readImportStyle(project));
  const joined = present === sampleText(`kit/${file}`) ? text : addSource(present, text);
  if (joined === undefined) return;
  await replaceFile(path, joined);
  await formatFiles(root, [file]);
  io.stdout(`${messagesOf(io).generateChanged(file)}\n`);
}

/** Adds to a start page what another one shows; \`undefined\` for a page of another form. */
function addSource(present: string, other: string): string | undefined {
  const list = /\n\/\*\* What the page counts;[^]*?(?=\n?\];\n$)/;
  const [source, name] = /^async function (\w+Source)\([^]*?^\}\n/m.exec(other) ?? [];
  if (source === undefined || !list.test(present)) return undefined;
  const imports = [...other.matchAll(/^import [^;]*\/lib\/[^;]*;\n/gm)].map(([line]) => line)
    .filter((line) => !present.includes(line));
  const end = endOfImports(present);
  const listed = present.slice(end).replace(
    list,
    (head) => `\n${source}${head.replace(/,?$/, ",")} ${name},`,
  );
  return present.slice(0, end) + imports.join("") + listed;
}
