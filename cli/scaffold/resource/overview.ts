import type { Change, Edits } from "../edits.ts";
import { addImports, pruneImports } from "../imports.ts";
import { renderSample, sampleText } from "../sample.ts";
import { createRendering } from "./files.ts";
import { limits, type Resource } from "./resource.ts";

const startPage = "app/page.ts";

function overviewText(resource: Resource): string {
  const rendering = createRendering(resource, limits);
  return renderSample("kit/views/overview.ts", startPage, rendering).text;
}

export async function joinOverview(edits: Edits, resource: Resource): Promise<void> {
  const { text } = edits.restyle({ file: startPage, text: overviewText(resource) });
  await edits.change(
    startPage,
    (present) => present === sampleText(`kit/${startPage}`) ? text : addSource(present, text),
  );
}

function addSource(present: string, other: string): string | undefined {
  const list = /\n\/\*\* The sources of the page;[^]*?(?=\n?\];\n$)/;
  const [source, name] = /^async function (\w+Source)\([^]*?^\}\n/m.exec(other) ?? [];
  if (source === undefined || !list.test(present)) return undefined;
  const imports = other.match(/^import [^;]*\/(?:lib|views)\/[^;]*;\n/gm) ?? [];
  const listed = present.replace(
    list,
    (head) => `\n${source}${head.replace(/,?$/, ",")} ${name},`,
  );
  return addImports(listed, imports.join(""));
}

/** Returns the change that removes a resource; after the last one, the first start page is back. */
export function withoutOverview(resource: Resource): readonly [file: string, change: Change] {
  const [, source = ""] = /^async function (\w+Source)\(/m.exec(overviewText(resource)) ?? [];
  const own = new RegExp(`^async function ${source}\\([^]*?^\\}\\n\\n?`, "m");
  const listed = new RegExp(`(?<=[[\\s])${source},?(?=[\\s\\]])`);
  return [startPage, (text) => {
    if (!own.test(text)) return undefined;
    const others = text.match(/^async function \w+Source\(/gm) ?? [];
    if (others.length === 1) return sampleText(`kit/${startPage}`);
    return pruneImports(text.replace(own, "").replace(listed, ""));
  }];
}
