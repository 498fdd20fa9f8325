import { join, toFileUrl } from "@std/path";
import { type Entry, root, runDeno } from "./workspace.ts";

export interface JsDoc {
  doc?: string;
  tags?: { kind: string; value?: string }[];
}

export interface DocLocation {
  filename: string;
  byteIndex: number;
}

export interface DocSymbol {
  name: string;
  declarations: {
    kind: string;
    declarationKind: string;
    jsDoc?: JsDoc;
    location: DocLocation;
    def?: { target?: DocLocation };
  }[];
}

export interface DocModule {
  module_doc?: JsDoc;
  symbols: DocSymbol[];
}

export async function readDocs(entries: Entry[]): Promise<DocModule[]> {
  const paths = entries.map((entry) => join(root, entry.path));
  const { code, stdout, stderr } = await runDeno(["doc", "--json", ...paths]);
  if (code !== 0) throw new Error(`Cannot read the documentation: ${stderr}`);
  const nodes: Record<string, DocModule> = JSON.parse(stdout).nodes;
  return paths.map((path) => nodes[toFileUrl(path).href] ?? { symbols: [] });
}

export function hasTag(jsDoc: JsDoc | undefined, tag: string): boolean {
  return jsDoc?.tags?.some(({ kind, value }) => kind === tag || value === `@${tag}`) ?? false;
}
