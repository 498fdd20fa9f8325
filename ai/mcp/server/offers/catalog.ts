import { invalidParams } from "../../protocol/errors.ts";
import type { RpcParams } from "../../protocol/messages.ts";
import type { Tool } from "../../../tool.ts";
import { type McpPrompt, wirePrompt } from "./prompts.ts";
import { type McpResource, type McpResourceTemplate, wireResource } from "./resources.ts";
import { type CompiledTool, compileTool, type McpTool } from "./tools.ts";

type Wire = Readonly<Record<string, unknown>>;

/** The tools, resources and prompts of a server, indexed for listing and lookup. */
export class Catalog {
  #tools: ReadonlyMap<string, CompiledTool> = new Map();
  #toolList: readonly Wire[] = [];
  #sessionToolList: readonly Wire[] = [];
  #resources: ReadonlyMap<string, McpResource> = new Map();
  #templates: readonly McpResourceTemplate[] = [];
  #resourceList: readonly Wire[] = [];
  #templateList: readonly Wire[] = [];
  #prompts: ReadonlyMap<string, McpPrompt> = new Map();
  #promptList: readonly Wire[] = [];
  readonly #pageSize: number;

  constructor(pageSize: number) {
    this.#pageSize = pageSize;
  }

  setTools(tools: readonly (Tool | McpTool)[]): void {
    const compiled = tools.map(compileTool);
    this.#tools = byName(compiled, { keyOf: ({ tool }) => tool.name, kind: "tool" });
    this.#toolList = compiled.map(({ wire }) => wire);
    this.#sessionToolList = compiled.map(({ sessionWire }) => sessionWire);
  }

  setResources(resources: readonly (McpResource | McpResourceTemplate)[]): void {
    const plain = resources.filter((each): each is McpResource => each.kind === "resource");
    this.#templates = resources.filter((each) => each.kind === "template");
    this.#resources = byName(plain, { keyOf: ({ uri }) => uri, kind: "resource" });
    byName(this.#templates, { keyOf: ({ template }) => template.source, kind: "template" });
    this.#resourceList = plain.map(wireResource);
    this.#templateList = this.#templates.map(wireResource);
  }

  setPrompts(prompts: readonly McpPrompt[]): void {
    this.#prompts = byName(prompts, { keyOf: ({ name }) => name, kind: "prompt" });
    this.#promptList = prompts.map(wirePrompt);
  }

  /** The tools by name; another map after `setTools`. */
  get tools(): ReadonlyMap<string, CompiledTool> {
    return this.#tools;
  }

  tool(name: string): CompiledTool | undefined {
    return this.#tools.get(name);
  }

  resource(uri: string): McpResource | undefined {
    return this.#resources.get(uri);
  }

  get templates(): readonly McpResourceTemplate[] {
    return this.#templates;
  }

  /** Returns the scopes that a resource needs, by the entry that `resources/read` would use. */
  resourceScopes(uri: string): readonly string[] {
    const entry = this.#resources.get(uri) ??
      this.#templates.find(({ template }) => template.match(uri) !== undefined);
    return entry?.scopes ?? [];
  }

  prompt(name: string): McpPrompt | undefined {
    return this.#prompts.get(name);
  }

  get hasCompletions(): boolean {
    return this.#templates.some(({ complete }) => Object.keys(complete).length > 0) ||
      [...this.#prompts.values()].some(({ arguments: args = [] }) =>
        args.some(({ complete }) => complete !== undefined)
      );
  }

  listTools(cursor: unknown, isStateless: boolean): RpcParams {
    return this.#page("tools", isStateless ? this.#toolList : this.#sessionToolList, cursor);
  }

  listResources(cursor: unknown): RpcParams {
    return this.#page("resources", this.#resourceList, cursor);
  }

  listTemplates(cursor: unknown): RpcParams {
    return this.#page("resourceTemplates", this.#templateList, cursor);
  }

  listPrompts(cursor: unknown): RpcParams {
    return this.#page("prompts", this.#promptList, cursor);
  }

  #page(member: string, list: readonly Wire[], cursor: unknown): RpcParams {
    const start = parseCursor(cursor);
    if (start === undefined || (start > 0 && start >= list.length)) {
      throw invalidParams("The cursor is invalid or has expired");
    }
    const end = start + this.#pageSize;
    const page = { [member]: list.slice(start, end) };
    return end < list.length ? { ...page, nextCursor: formatCursor(end) } : page;
  }
}

/** Cursors are opaque to clients: a number in the open would invite arithmetic. */
function formatCursor(start: number): string {
  return btoa(`from ${start}`).replaceAll("=", "");
}

function parseCursor(cursor: unknown): number | undefined {
  if (cursor === undefined) return 0;
  if (typeof cursor !== "string" || cursor.length > 64) return undefined;
  try {
    const [, start] = /^from (\d{1,9})$/.exec(atob(cursor)) ?? [];
    return start === undefined ? undefined : Number(start);
  } catch {
    return undefined;
  }
}

function byName<T>(
  list: readonly T[],
  { keyOf, kind }: { readonly keyOf: (each: T) => string; readonly kind: string },
): ReadonlyMap<string, T> {
  const found = new Map<string, T>();
  for (const each of list) {
    const key = keyOf(each);
    if (found.has(key)) throw new TypeError(`Cannot serve two ${kind}s "${key}": rename one.`);
    found.set(key, each);
  }
  return found;
}
