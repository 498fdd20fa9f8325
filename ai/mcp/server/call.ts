import type { AnySchema, Ctx } from "../../../mod.ts";
import type { Awaitable } from "../../../runtime/addon.ts";
import type { ToolCallContext } from "../../tool.ts";
import type { ContentBlock, Icon, Role } from "../protocol/content.ts";
import { McpError, rpcCodes } from "../protocol/errors.ts";
import type { RpcParams } from "../protocol/messages.ts";

/** A program's description of itself, which is not verified. */
export interface Implementation {
  /** The identifier for programs. */
  readonly name: string;
  /** The version. */
  readonly version: string;
  /** The display name. */
  readonly title?: string;
  /** Description of the implementation. */
  readonly description?: string;
  /** The home page. */
  readonly websiteUrl?: string;
  /** Icons of the program. */
  readonly icons?: readonly Icon[];
}

/** The caller that the access token identifies. */
export interface McpCaller {
  /** The user or the client that the token was issued for. */
  readonly subject: string;
  /** Scopes of the token. @default none */
  readonly scopes?: readonly string[];
  /** Any other application data about the caller. */
  readonly [member: string]: unknown;
}

/** The severities of log messages, lowest first (RFC 5424, section 6.2.1). */
export type McpLogLevel =
  | ("debug" | "info" | "notice" | "warning")
  | ("error" | "critical" | "alert" | "emergency");

export const logLevels: readonly McpLogLevel[] = [
  ...["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const,
];

export function isLogLevel(value: unknown): value is McpLogLevel {
  return (logLevels as readonly unknown[]).includes(value);
}

/** A form for the user, who may decline. */
export interface ElicitForm<T> {
  /** Explains why the data is needed. Do not request passwords, keys or payment data in a form. */
  readonly message: string;
  /** The fields: a `struct` or another object schema with only string, number, boolean and enum fields. */
  readonly schema: AnySchema<T>;
  /** Key of a conditional question, since each answer reruns the function. @default its number */
  readonly key?: string;
}

/** A page for the user to visit, for data that must not pass through the client. */
export interface ElicitUrl extends Pick<ElicitForm<unknown>, "message" | "key"> {
  /** The URL of the page. */
  readonly url: string;
}

/** The user's response to a form. */
export type Elicited<T> =
  | { readonly action: "accept"; readonly value: T }
  | { readonly action: "decline" | "cancel" };

/** A message of a conversation that the client's model continues. */
export interface SampleMessage {
  /** The author of the message. */
  readonly role: Role;
  /** Content of the message. */
  readonly content: ContentBlock | readonly ContentBlock[];
}

/** A request to the client's model. */
export interface SampleRequest extends Pick<ElicitForm<unknown>, "key"> {
  /** The conversation. */
  readonly messages: readonly SampleMessage[];
  /** Maximum number of tokens in the answer. */
  readonly maxTokens: number;
  /** Instructions for the model. */
  readonly systemPrompt?: string;
  /** The sampling temperature. */
  readonly temperature?: number;
  /** Strings that end the answer. */
  readonly stopSequences?: readonly string[];
  /** Hints for the choice of the model, in the protocol's format. */
  readonly modelPreferences?: Readonly<Record<string, unknown>>;
}

/** The response of the client's model. */
export interface Sampled extends SampleMessage {
  /** The name of the model. */
  readonly model: string;
  /** Why the model stopped. */
  readonly stopReason?: string;
}

/** A folder or file that the client lets the server work on. */
export interface McpRoot {
  /** A `file:` URL. */
  readonly uri: string;
  /** The display name. */
  readonly name?: string;
}

/** The context of a call of a tool, resource or prompt. */
export interface McpCall extends ToolCallContext {
  /** The HTTP request that carries the call; `undefined` over stdio. */
  readonly c: Ctx | undefined;
  /** The caller that the access token identifies; `undefined` without a token. */
  readonly caller: McpCaller | undefined;
  /** The client's description of itself; `undefined` if it sent none. */
  readonly client: Implementation | undefined;
  /** The protocol revision of the client. */
  readonly revision: string;
  /** Reports whether the client can answer `elicit`, `elicitUrl`, `sample` or `roots`. */
  can(feature: "elicit" | "elicitUrl" | "sample" | "roots"): boolean;
  /** Reports progress to a client that requested it; each value must exceed the previous one. */
  progress(
    progress: number,
    options?: { readonly total?: number; readonly message?: string },
  ): void;
  /** Sends a log message to the client, if it requested that level. */
  log(level: McpLogLevel, data: unknown, options?: { readonly logger?: string }): void;
  /**
   * Asks the user to fill in a form. In revision 2026-07-28 the call ends with the question, and the
   * client repeats it with the answer: the function then runs from its start, so put work that must
   * happen only once after the last question.
   *
   * @throws {McpError} if the client does not support forms, or the answer is invalid.
   */
  elicit<T>(form: ElicitForm<T>): Promise<Elicited<T>>;
  /** Asks the user to visit a page; `accept` means that the user agreed, not that the visit is complete. */
  elicitUrl(page: ElicitUrl): Promise<"accept" | "decline" | "cancel">;
  /**
   * Asks the client's model; deprecated by revision 2026-07-28.
   *
   * @throws {McpError} if it has none.
   */
  sample(request: SampleRequest): Promise<Sampled>;
  /**
   * Returns the folders to work on, asking the client; deprecated by revision 2026-07-28.
   *
   * @throws {McpError} if the client has none.
   */
  roots(): Promise<readonly McpRoot[]>;
}

/** The client's data from a stateless request, or from a session and its request. */
export interface RequestMeta extends Pick<McpCall, "client" | "revision"> {
  readonly capabilities: RpcParams;
  /** Returns the minimum severity that the client requested. */
  readonly logLevel: () => Awaitable<McpLogLevel | undefined>;
  readonly progressToken: string | number | undefined;
}

export type SessionClient = Pick<RequestMeta, "revision" | "capabilities" | "client">;

export type Feature = Parameters<McpCall["can"]>[0];

const officialClient = "use the official SDK's client, because dial does not offer it";

/** The capability that a question requires, and how a client offers it. */
const features: Readonly<Record<Feature, readonly [capability: RpcParams, fix: string]>> = {
  elicit: [{ elicitation: { form: {} } }, "a client of this library sets onElicit"],
  elicitUrl: [{ elicitation: { url: {} } }, "a client of this library sets onElicitUrl"],
  sample: [{ sampling: {} }, officialClient],
  roots: [{ roots: {} }, officialClient],
};

export function lackingCapability(feature: Feature, asker = "this call"): McpError {
  const [requiredCapabilities, fix] = features[feature];
  return new McpError(
    rpcCodes.missingClientCapability,
    `The client lacks a capability that ${asker} needs: ${fix}`,
    { data: { requiredCapabilities } },
  );
}
