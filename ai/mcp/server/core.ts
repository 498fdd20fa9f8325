import { noteStoreState } from "../../../runtime/addon.ts";
import { checkTimeout } from "../../options.ts";
import {
  type IdTaker,
  type PerServer,
  signedStates,
  type StatesOf,
  usedIds,
} from "../../runs/kept_state.ts";
import { metaKeys, type RpcParams } from "../protocol/messages.ts";
import type { McpPrompt } from "./offers/prompts.ts";
import type { McpResource, McpResourceTemplate } from "./offers/resources.ts";
import { type CompiledTool, compileTool } from "./offers/tools.ts";
import { Changes } from "./changes.ts";
import type { McpServerOptions } from "./options.ts";

type Settings =
  & Required<Pick<McpServerOptions, "callTimeoutMs" | "now">>
  & Pick<McpServerOptions, "instructions" | "context">;

export interface Core extends Settings {
  readonly info: RpcParams & { readonly name: string };
  /** The `_meta` of every stateless result: the server's name and version. */
  readonly badge: RpcParams;
  readonly catalog: Catalog;
  readonly changes: Changes;
  /** Signs the answers of unfinished calls, with the application's secret if it has one. */
  readonly statesOf: StatesOf;
  /** Signs session ids, which contain the client's data. */
  readonly sessionsOf: StatesOf;
  readonly approvalsOf: PerServer<IdTaker>;
}

export function compileCore(options: McpServerOptions): Core {
  const { name, version, title, description, websiteUrl, icons } = options;
  const settings: Settings = { callTimeoutMs: 300_000, now: Date.now, ...options };
  const { callTimeoutMs, now } = settings;
  for (const [member, value] of Object.entries({ name, version })) {
    if (typeof value === "string" && value.trim() !== "") continue;
    throw new TypeError(
      `Cannot create an MCP server without a ${member}: set "${member}" to a string that is not empty.`,
    );
  }
  checkTimeout("callTimeoutMs of the MCP server", callTimeoutMs);
  noteStoreState("questions to MCP clients", "channels");
  return {
    ...settings,
    info: { name, version, title, description, websiteUrl, icons },
    badge: { [metaKeys.serverInfo]: { name, version } },
    catalog: compileCatalog(options),
    changes: new Changes(name),
    statesOf: signedStates("mcp request state", { now }),
    sessionsOf: signedStates("mcp session", { now, ttlMs: sessionTtlMs }),
    approvalsOf: usedIds({ now }),
  };
}

const sessionTtlMs = 30 * 86_400_000;

export type CatalogList = "tools" | "sessionTools" | "resources" | "resourceTemplates" | "prompts";

export interface Catalog {
  readonly tools: ReadonlyMap<string, CompiledTool>;
  readonly resources: ReadonlyMap<string, McpResource>;
  readonly templates: readonly McpResourceTemplate[];
  readonly prompts: ReadonlyMap<string, McpPrompt>;
  readonly hasCompletions: boolean;
  /** The entries in wire form; `sessionTools` is for clients of older revisions. */
  readonly lists: Readonly<Record<CatalogList, readonly RpcParams[]>>;
}

function compileCatalog(
  { tools = [], resources = [], prompts = [] }: McpServerOptions,
): Catalog {
  const compiled = tools.map(compileTool);
  const plain = resources.filter((each): each is McpResource => each.kind === "resource");
  const templates = resources.filter((each) => each.kind === "template");
  byName("template", templates, ({ template }) => template.source);
  return {
    tools: byName("tool", compiled, ({ tool }) => tool.name),
    resources: byName("resource", plain, ({ uri }) => uri),
    templates,
    prompts: byName("prompt", prompts, ({ name }) => name),
    hasCompletions: templates.some(({ complete }) => Object.keys(complete).length > 0) ||
      prompts.some((each) => each.arguments?.some(({ complete }) => complete !== undefined)),
    lists: {
      tools: compiled.map(({ wire }) => wire),
      sessionTools: compiled.map(({ sessionWire }) => sessionWire),
      resources: plain.map(wireResource),
      resourceTemplates: templates.map(wireResource),
      // JSON omits functions, such as completers.
      prompts: prompts.map(({ name, title, description, icons, arguments: args = [] }) => (
        { name, title, description, icons, arguments: args }
      )),
    },
  };
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

/** Returns a resource in wire form; JSON omits undefined members. */
function wireResource(each: McpResource | McpResourceTemplate): RpcParams {
  const { name, title, description, mimeType, size, icons, annotations } = each;
  const address = each.kind === "resource"
    ? { uri: each.uri }
    : { uriTemplate: each.template.source };
  return { ...address, name, title, description, mimeType, size, icons, annotations };
}
