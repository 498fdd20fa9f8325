import type { Application } from "../../../mod.ts";
import { digestOf, noteStoreState, perApplication } from "../../../runtime/addon.ts";
import { checkCounts, longestTimeoutMs } from "../../options.ts";
import {
  type IdTaker,
  type PerServer,
  signedStates,
  type StatesOf,
  usedIds,
} from "../../runs/kept_state.ts";
import type { Tool } from "../../tool.ts";
import { invalidParams } from "../protocol/errors.ts";
import { metaKeys, type RpcParams } from "../protocol/messages.ts";
import { Changes } from "./changes.ts";
import type { McpChange } from "../protocol/messages.ts";
import { Mail } from "./sessions/replicas.ts";
import { type McpPrompt, wirePrompt } from "./offers/prompts.ts";
import { type McpResource, type McpResourceTemplate, wireResource } from "./offers/resources.ts";
import { type CompiledTool, compileTool, type McpTool } from "./offers/tools.ts";
import type { McpServerOptions } from "./options.ts";

const defaults = {
  pageSize: 100,
  cacheTtlMs: 0,
  cacheScope: "private",
  callTimeoutMs: 300_000,
  maxSessions: 10_000,
  maxSessionsPerCaller: 1_000,
  sessionIdleMs: 1_800_000,
  maxListeners: 10_000,
  now: Date.now,
} as const satisfies Partial<McpServerOptions>;

type Settings =
  & Required<Pick<McpServerOptions, keyof typeof defaults>>
  & Pick<McpServerOptions, "instructions" | "exposeErrors" | "metrics">;

export interface Core extends Settings {
  readonly info: RpcParams & { readonly name: string };
  /** The `_meta` of every stateless result: the server without its pictures. */
  readonly badge: RpcParams;
  readonly catalog: Catalog;
  readonly changes: Changes;
  readonly mailOf: (app: Application) => Mail<McpChange>;
  /** Signs the answers of half-finished calls; with the secret of the application where there is one. */
  readonly statesOf: StatesOf;
  readonly approvalsOf: PerServer<IdTaker>;
}

export function compileCore(options: McpServerOptions): Core {
  const { name, version, title, description, websiteUrl, icons } = options;
  for (const [option, text] of Object.entries({ name, version })) {
    if (typeof text === "string" && text !== "") continue;
    throw new TypeError(`Cannot make an MCP server: the option "${option}" must be a text.`);
  }
  const settings: Settings = { ...defaults, ...options };
  const { pageSize, maxSessions, maxSessionsPerCaller, maxListeners, now } = settings;
  const { cacheTtlMs, callTimeoutMs, sessionIdleMs } = settings;
  checkCounts({ pageSize, maxSessions, maxSessionsPerCaller, maxListeners });
  checkTimes({ cacheTtlMs, callTimeoutMs, sessionIdleMs });
  const catalog = new Catalog(pageSize);
  catalog.setTools(options.tools ?? []);
  catalog.setResources(options.resources ?? []);
  catalog.setPrompts(options.prompts ?? []);
  noteStoreState("sessions of MCP clients", "mcp");
  const changes = new Changes(maxListeners);
  const mail = { subject: `mcp-changes:${digestOf(name)}`, take: changes.emit.bind(changes) };
  return {
    ...settings,
    info: { name, version, title, description, websiteUrl, icons },
    badge: { [metaKeys.serverInfo]: { name, version } },
    catalog,
    changes,
    mailOf: perApplication((app) => new Mail(app, mail)),
    statesOf: signedStates("mcp request state", options.secret, now),
    approvalsOf: usedIds({ now }),
  };
}

function checkTimes(times: Readonly<Record<string, number>>): void {
  for (const [option, value] of Object.entries(times)) {
    if (value >= 0 && (value <= longestTimeoutMs || value === Infinity)) continue;
    const fix = "use milliseconds from 0 up, or NoTimeout";
    throw new RangeError(`Cannot set ${option} of the MCP server to "${value}": ${fix}.`);
  }
}

type Wire = Readonly<Record<string, unknown>>;

export type CatalogList = "tools" | "sessionTools" | "resources" | "resourceTemplates" | "prompts";

class Catalog {
  tools: ReadonlyMap<string, CompiledTool> = new Map();
  resources: ReadonlyMap<string, McpResource> = new Map();
  templates: readonly McpResourceTemplate[] = [];
  prompts: ReadonlyMap<string, McpPrompt> = new Map();
  /** The entries as sent; those of `sessionTools` for clients of older revisions. */
  readonly #lists: Map<CatalogList, readonly Wire[]> = new Map();
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

  /** Returns a page of a list. @throws {McpError} for a cursor that this server did not give. */
  list(name: CatalogList, cursor: unknown): RpcParams {
    const entries = this.#lists.get(name) ?? [];
    const text = typeof cursor === "string" ? cursor : "";
    const [, digits] = /^from-(\d{1,9})$/.exec(text) ?? [];
    const start = cursor === undefined ? 0 : Number(digits);
    if (Number.isNaN(start) || (start > 0 && start >= entries.length)) {
      throw invalidParams("The cursor is invalid or has expired");
    }
    const end = start + this.#pageSize;
    const nextCursor = end < entries.length ? `from-${end}` : undefined;
    return { [name === "sessionTools" ? "tools" : name]: entries.slice(start, end), nextCursor };
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
