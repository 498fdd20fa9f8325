import type { Io } from "../../io.ts";
import type { Project } from "../../project/project.ts";
import { changeFile, endOfImports, restyleFiles } from "../imports.ts";
import { overviewFile } from "./files.ts";
import type { Resource } from "./resource.ts";
import { sampleText } from "../sample.ts";

/** Shows a resource on the start page of an app, unless the page is the developer's own. */
export async function joinOverview(project: Project, resource: Resource, io: Io): Promise<void> {
  const own = overviewFile(resource);
  const [{ file, text } = own] = await restyleFiles(project, [own]);
  const change = (present: string): string | undefined =>
    present === sampleText(`kit/${file}`) ? text : addSource(present, text);
  await changeFile(project, { file, change, io });
}

function addSource(present: string, other: string): string | undefined {
  const list = /\n\/\*\* What the page counts;[^]*?(?=\n?\];\n$)/;
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
