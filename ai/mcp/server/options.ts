import type { Ctx, Handler, Logger } from "../../../mod.ts";
import type { Tool } from "../../tool.ts";
import type { BearerOptions } from "./bearer.ts";
import type { Implementation, McpCall } from "./call.ts";
import type { McpPrompt } from "./offers/prompts.ts";
import type { McpResource, McpResourceTemplate } from "./offers/resources.ts";
import type { McpTool } from "./offers/tools.ts";

/** Options of {@link mcpServer}. */
export interface McpServerOptions<Context = unknown> extends Implementation {
  /** Instructions for models, in addition to the descriptions of the tools. @default none */
  readonly instructions?: string;
  /** Tools for models: `mcpTool`, `tool`. @default none */
  readonly tools?: readonly (Tool<Context> | McpTool)[];
  /** Returns the context of a call for each `tool`, as `run` passes it to them. @default none */
  readonly context?: (call: McpCall) => Context | Promise<Context>;
  /** Readable resources: `resource`, `resourceTemplate`. @default none */
  readonly resources?: readonly (McpResource | McpResourceTemplate)[];
  /** Prompts that people can choose: `prompt`. @default none */
  readonly prompts?: readonly McpPrompt[];
  /** Requires an access token of callers. @default only the route's own guard */
  readonly auth?: BearerOptions;
  /** Returns the user that a middleware authenticated. @default the token's `subject`, else one user for all */
  readonly identify?: (c: Ctx) => string | undefined | Promise<string | undefined>;
  /** Timeout of one call, in milliseconds; `NoTimeout` disables it. @default 300000 */
  readonly callTimeoutMs?: number;
  /** The time in milliseconds, for tests. @default Date.now */
  readonly now?: () => number;
}

/** The argument of {@link mcpServer}, which needs `context` if one of the tools does. */
export type McpServerArgument<Context> = unknown extends Context ? McpServerOptions<Context>
  : McpServerOptions<Context> & Required<Pick<McpServerOptions<Context>, "context">>;

/** The handlers of the MCP endpoint. */
export interface McpHandlers {
  /** Opens the stream of a session, which sends changes; revisions 2025-06-18 and 2025-11-25. */
  readonly GET: Handler;
  /** Answers a message of any revision. */
  readonly POST: Handler;
  /** Ends the calls and the streams of a session; revisions 2025-06-18 and 2025-11-25. */
  readonly DELETE: Handler;
}

/** Options of `server.serveStdio`. */
export interface ServeStdioOptions {
  /** Stream of incoming messages. @default standard input */
  readonly input?: ReadableStream<Uint8Array>;
  /** Stream of outgoing messages; nothing else may write there. @default standard output */
  readonly output?: WritableStream<Uint8Array>;
  /** Receives the failures of tools, resources and prompts. @default a log on standard error */
  readonly logger?: Logger;
  /** Stops serving. @default the end of the input */
  readonly signal?: AbortSignal;
  /** Maximum size of one message, in bytes. @default 4194304 (4 MiB) */
  readonly maxMessageBytes?: number;
}
