import { join, toFileUrl } from "@std/path";
import { type Entry, root, runDeno } from "./workspace.ts";

/** A doc comment. */
export interface JsDoc {
  doc?: string;
  tags?: { kind: string; value?: string }[];
}

/** Where something is declared. */
export interface DocLocation {
  filename: string;
  byteIndex: number;
}

/** One declaration of a symbol; a `reference` stands for what another entry documents in full. */
export interface Declaration {
  kind: string;
  declarationKind: string;
  jsDoc?: JsDoc;
  location: DocLocation;
  def?: { target?: DocLocation };
}

/** One exported symbol; overloads and merged declarations share it. */
export interface DocSymbol {
  name: string;
  declarations: Declaration[];
}

/** One module. */
export interface DocModule {
  /** The module's own doc comment. */
  module_doc?: JsDoc;
  symbols: DocSymbol[];
}

/** Reads the documentation of entry points, in their order. @throws {Error} When `deno doc` fails. */
export async function readDocs(entries: Entry[]): Promise<DocModule[]> {
  const paths = entries.map((entry) => join(root, entry.path));
  const { code, stdout, stderr } = await runDeno(["doc", "--json", ...paths]);
  if (code !== 0) throw new Error(`Cannot read the documentation: ${stderr}`);
  const nodes: Record<string, DocModule> = JSON.parse(stdout).nodes;
  return paths.map((path) => nodes[toFileUrl(path).href] ?? { symbols: [] });
}

/** Whether the doc comment carries the tag, such as `internal`. */
export function hasTag(jsDoc: JsDoc | undefined, tag: string): boolean {
  return jsDoc?.tags?.some(({ kind, value }) => kind === tag || value === `@${tag}`) ?? false;
}
