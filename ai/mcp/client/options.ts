import type { JsonSchema } from "../../../mod.ts";
import type { McpChange } from "../protocol/messages.ts";
import type { ElicitUrl } from "../server/call.ts";

/** A form that the server asks the user to fill in. */
export interface FormQuestion {
  /** Why the server needs the data, in its own words. */
  readonly message: string;
  /** The fields: a flat JSON Schema, as the server sent it. */
  readonly schema: JsonSchema;
}

/** The user's response to a form. */
export type FormAnswer =
  | { readonly action: "accept"; readonly content: Readonly<Record<string, unknown>> }
  | { readonly action: "decline" | "cancel" };

/** A page that the server asks the user to visit; show its host before opening it. */
export type PageQuestion = Omit<ElicitUrl, "key">;

/** Options of {@link dial}. */
export interface DialOptions {
  /** Name of the client in the protocol. @default "fw" */
  readonly name?: string;
  /** The version of the client. @default "0.1.0" */
  readonly version?: string;
  /** The protocol revisions to use: without sessions, with them, or the server's newest. @default "any" */
  readonly revisions?: "any" | "stateless" | "session";
  /** Timeout without a response or progress, in milliseconds; at most ten times that in total. @default 60000 */
  readonly timeoutMs?: number;
  /** Maximum number of entries in a list of the server. @default 10000 */
  readonly maxEntries?: number;
  /** Maximum rounds of input in one call. @default 10 */
  readonly maxInputRounds?: number;
  /** Shows a form of the server to the user. @default the client has no forms */
  readonly onElicit?: (question: FormQuestion) => FormAnswer | Promise<FormAnswer>;
  /** Asks the user to visit a page. @default the client has no pages */
  readonly onElicitUrl?: (
    question: PageQuestion,
  ) => "accept" | "decline" | "cancel" | Promise<"accept" | "decline" | "cancel">;
  /** Receives changes of lists; without it the client does not listen. @default none */
  readonly onChange?: (change: McpChange) => void;
  /**
   * Receives warnings about problems that the client works around, such as an omitted tool, or a callback
   * of these options that threw. @default none
   */
  readonly onWarning?: (message: string) => void;
  /** Aborts dialing. @default none */
  readonly signal?: AbortSignal;
}

/** Options of one request. */
export interface McpRequestOptions {
  /** Cancels the request. @default none */
  readonly signal?: AbortSignal | undefined;
  /** Timeout without a response or progress, in milliseconds. @default that of `dial` */
  readonly timeoutMs?: number | undefined;
  /** Receives reports of progress. @default none */
  readonly onProgress?: ((progress: McpProgress) => void) | undefined;
}

/** A report of progress. */
export interface McpProgress {
  /** The progress so far. */
  readonly progress: number;
  /** Total amount of work; `undefined` if the server does not know. */
  readonly total: number | undefined;
  /** Current step; `undefined` if the server does not say. */
  readonly message: string | undefined;
}

/** Options of {@link http}. */
export interface HttpOptions {
  /** Headers of every request, such as `Authorization` with a known token. @default none */
  readonly headers?: HeadersInit;
  /**
   * Sends the requests: the `fetch` of a sign-in, such as `withOAuth` of `npm:@modelcontextprotocol/sdk`, or
   * of an application in the same process. Its errors other than `TypeError` are passed to the caller.
   *
   * @default the global `fetch`
   */
  readonly fetch?: (url: URL, init: RequestInit) => Promise<Response>;
  /** Maximum size of one message, in bytes. @default 16777216 (16 MiB) */
  readonly maxMessageBytes?: number;
  /** Timeout of the server's response to `server/discover`, in milliseconds. @default 30000 */
  readonly probeMs?: number;
}
