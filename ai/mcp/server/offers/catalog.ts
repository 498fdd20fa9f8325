import { invalidParams } from "../../protocol/errors.ts";
import type { RpcParams } from "../../protocol/messages.ts";
import type { Tool } from "../../../tool.ts";
import { type McpPrompt, wirePrompt } from "./prompts.ts";
import { type McpResource, type McpResourceTemplate, wireResource } from "./resources.ts";
import { type CompiledTool, compileTool, type McpTool } from "./tools.ts";

type Wire = Readonly<Record<string, unknown>>;

/** The tools, resources and prompts of a server, indexed for listing and lookup. */
export class Catalog {
  /** The tools by name; another map after `setTools`. */
  tools: ReadonlyMap<string, CompiledTool> = new Map();
  resources: ReadonlyMap<string, McpResource> = new Map();
  templates: readonly McpResourceTemplate[] = [];
  prompts: ReadonlyMap<string, McpPrompt> = new Map();
  /** The entries as they travel; those of `sessionTools` for clients of older revisions. */
  readonly #lists: Map<string, readonly Wire[]> = new Map();
  readonly #pageSize: number;

  constructor(pageSize: number) {
    this.#pageSize = pageSize;
  }

  setTools(tools: readonly (Tool | McpTool)[]): void {
    const compiled = tools.map(compileTool);
    this.tools = byName("tool", compiled, ({ tool }) => tool.name);
    this.#lists.set("tools", compiled.map(({ wire }) => wire));
    this.#lists.set("sessionTools", compiled.map(({ sessionWire }) => sessionWire));
  }

  setResources(resources: readonly (McpResource | McpResourceTemplate)[]): void {
    const plain = resources.filter((each): each is McpResource => each.kind === "resource");
    const templates = resources.filter((each) => each.kind === "template");
    this.resources = byName("resource", plain, ({ uri }) => uri);
    byName("template", templates, ({ template }) => template.source);
    this.templates = templates;
    this.#lists.set("resources", plain.map(wireResource));
    this.#lists.set("resourceTemplates", templates.map(wireResource));
  }

  setPrompts(prompts: readonly McpPrompt[]): void {
    this.prompts = byName("prompt", prompts, ({ name }) => name);
    this.#lists.set("prompts", prompts.map(wirePrompt));
  }

  /** Returns the scopes that a resource needs, by the entry that `resources/read` would use. */
  resourceScopes(uri: string): readonly string[] {
    const entry = this.resources.get(uri) ??
      this.templates.find(({ template }) => template.match(uri) !== undefined);
    return entry?.scopes ?? [];
  }

  get hasCompletions(): boolean {
    return this.templates.some(({ complete }) => Object.keys(complete).length > 0) ||
      [...this.prompts.values()].some(({ arguments: args = [] }) =>
        args.some(({ complete }) => complete !== undefined)
      );
  }

  /**
   * Returns a page of a list.
   *
   * @throws {McpError} for a cursor that this server did not give.
   */
  list(member: string, cursor: unknown, name = member): RpcParams {
    const entries = this.#lists.get(name) ?? [];
    const start = parseCursor(cursor);
    if (start === undefined || (start > 0 && start >= entries.length)) {
      throw invalidParams("The cursor is invalid or has expired");
    }
    const end = start + this.#pageSize;
    const nextCursor = end < entries.length ? formatCursor(end) : undefined;
    return { [member]: entries.slice(start, end), nextCursor };
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
  kind: string,
  list: readonly T[],
  keyOf: (each: T) => string,
): ReadonlyMap<string, T> {
  const found = new Map<string, T>();
  for (const each of list) {
    const key = keyOf(each);
    if (found.has(key)) throw new TypeError(`Cannot serve two ${kind}s "${key}": rename one.`);
    found.set(key, each);
  }
  return found;
}
