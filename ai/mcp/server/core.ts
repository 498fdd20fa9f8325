import type { Application, Metrics } from "../../../mod.ts";
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

export interface Core {
  readonly info: RpcParams & { readonly name: string };
  /** The `_meta` of every stateless result: the server without its pictures. */
  readonly badge: RpcParams;
  readonly instructions: string | undefined;
  readonly catalog: Catalog;
  readonly changes: Changes;
  /** Carries changes between the replicas of an application. */
  readonly mailOf: (app: Application) => Mail<Change>;
  /** Signs the answers of half-finished calls; with the secret of the application where there is one. */
  readonly statesOf: StatesOf;
  /** The approvals that have been used, by application. */
  readonly approvalsOf: PerApplication<IdTaker>;
  readonly cacheTtlMs: number;
  readonly cacheScope: "public" | "private";
  readonly callTimeoutMs: number;
  readonly maxSessions: number;
  readonly maxSessionsPerCaller: number;
  readonly sessionIdleMs: number;
  readonly exposeErrors: boolean | undefined;
  readonly metrics: Metrics | undefined;
  readonly now: () => number;
}

export function compileCore(options: McpServerOptions): Core {
  const { name, version, title, description, websiteUrl, icons } = options;
  const { pageSize = 100, cacheTtlMs = 0, cacheScope = "private" } = options;
  const { callTimeoutMs = 300_000, maxSessions = 10_000, sessionIdleMs = 1_800_000 } = options;
  const { maxListeners = 10_000, maxSessionsPerCaller = 1_000, now = Date.now } = options;
  for (const [option, text] of Object.entries({ name, version })) {
    if (typeof text === "string" && text !== "") continue;
    throw new TypeError(`Cannot make an MCP server: the option "${option}" must be a text.`);
  }
  checkNumbers({ pageSize, maxSessions, maxSessionsPerCaller, maxListeners });
  checkNumbers({ cacheTtlMs, callTimeoutMs, sessionIdleMs });
  const catalog = new Catalog(pageSize);
  catalog.setTools(options.tools ?? []);
  catalog.setResources(options.resources ?? []);
  catalog.setPrompts(options.prompts ?? []);
  noteStoreState("sessions of MCP clients", "mcp");
  const changes = new Changes(maxListeners);
  const mails = new WeakMap<Application, Mail<Change>>();
  const subject = `mcp-changes:${digestOf(name)}`;
  return {
    info: { name, version, title, description, websiteUrl, icons },
    badge: { [metaKeys.serverInfo]: { name, version } },
    instructions: options.instructions,
    catalog,
    changes,
    mailOf: (app) =>
      mails.getOrInsertComputed(
        app,
        () => new Mail(app, { subject, take: (change) => changes.emit(change) }),
      ),
    statesOf: signedStates("mcp request state", { secret: options.secret, now }),
    approvalsOf: usedIds({ now }),
    cacheTtlMs,
    cacheScope,
    callTimeoutMs,
    maxSessions,
    maxSessionsPerCaller,
    sessionIdleMs,
    exposeErrors: options.exposeErrors,
    metrics: options.metrics,
    now,
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
