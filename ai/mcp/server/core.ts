import type { Application } from "../../../mod.ts";
import { digestOf, noteStoreState } from "../../../runtime/addon.ts";
import { longestTimeoutMs } from "../../options.ts";
import type { PerApplication } from "../../runs/per_application.ts";
import { signedStates, type StatesOf } from "../../runs/signed_state.ts";
import { type IdTaker, usedIds } from "../../runs/used_ids.ts";
import type { RpcParams } from "../protocol/messages.ts";
import { metaKeys } from "../protocol/revision.ts";
import { Catalog } from "./offers/catalog.ts";
import { type Change, Changes } from "./changes.ts";
import { Mail } from "./mail.ts";
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
  /** Carries changes between the replicas of an application. */
  readonly mailOf: (app: Application) => Mail<Change>;
  /** Signs the answers of half-finished calls; with the secret of the application where there is one. */
  readonly statesOf: StatesOf;
  readonly approvalsOf: PerApplication<IdTaker>;
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
  checkNumbers({ pageSize, maxSessions, maxSessionsPerCaller, maxListeners });
  checkNumbers({ cacheTtlMs, callTimeoutMs, sessionIdleMs });
  const catalog = new Catalog(pageSize);
  catalog.setTools(options.tools ?? []);
  catalog.setResources(options.resources ?? []);
  catalog.setPrompts(options.prompts ?? []);
  noteStoreState("sessions of MCP clients", "mcp");
  const changes = new Changes(maxListeners);
  const mails = new WeakMap<Application, Mail<Change>>();
  const mail = { subject: `mcp-changes:${digestOf(name)}`, take: changes.emit.bind(changes) };
  return {
    ...settings,
    info: { name, version, title, description, websiteUrl, icons },
    badge: { [metaKeys.serverInfo]: { name, version } },
    catalog,
    changes,
    mailOf: (app) => mails.getOrInsertComputed(app, () => new Mail(app, mail)),
    statesOf: signedStates("mcp request state", { secret: options.secret, now }),
    approvalsOf: usedIds({ now }),
  };
}

function checkNumbers(numbers: Readonly<Record<string, number>>): void {
  for (const [option, value] of Object.entries(numbers)) {
    const isCount = !option.endsWith("Ms");
    const least = isCount ? 1 : 0;
    const fits = isCount ? Number.isSafeInteger(value) : value <= longestTimeoutMs ||
      value === Infinity;
    if (fits && value >= least) continue;
    throw new RangeError(
      `Cannot set ${option} of the MCP server to "${value}": use ` +
        (isCount ? "an integer from 1 up." : "milliseconds from 0 up, or NoTimeout."),
    );
  }
}
