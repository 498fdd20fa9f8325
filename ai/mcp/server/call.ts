import type { AnySchema, Ctx } from "../../../mod.ts";
import type { Awaitable } from "../../../runtime/addon.ts";
import type { ToolCallContext } from "../../tool.ts";
import type { ContentBlock, Icon, Role } from "../protocol/content.ts";
import { McpError, rpcCodes } from "../protocol/errors.ts";
import type { RpcParams } from "../protocol/messages.ts";

/** A program that speaks the protocol, as it describes itself: nothing of it is verified. */
export interface Implementation {
  /** The name for programs. */
  readonly name: string;
  /** The version. */
  readonly version: string;
  /** The name for people. */
  readonly title?: string;
  /** Description of the implementation. */
  readonly description?: string;
  /** Its home page. */
  readonly websiteUrl?: string;
  /** Pictures that stand for it. */
  readonly icons?: readonly Icon[];
}

/** The caller that the access token identifies. */
export interface McpCaller {
  /** The user or the client that the token was issued for. */
  readonly subject: string;
  /** Scopes of the token. @default nothing */
  readonly scopes?: readonly string[];
  /** Whatever else the application knows about the caller. */
  readonly [member: string]: unknown;
}

/** The severities of log messages, least first (RFC 5424, section 6.2.1). */
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
  /** Explains why it is needed. Passwords, keys and payment data must not be asked for in a form. */
  readonly message: string;
  /** The fields: a `struct` or another object schema with text, number, boolean and enum fields only. */
  readonly schema: AnySchema<T>;
  /** Names a question that is not always asked: the function runs again for each answer. @default its number */
  readonly key?: string;
}

/** A page that the user is to visit, for data that must not pass through the client. */
export interface ElicitUrl extends Pick<ElicitForm<unknown>, "message" | "key"> {
  /** The address of the page. */
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
  /** The most tokens of the answer. */
  readonly maxTokens: number;
  /** Instructions for the model. */
  readonly systemPrompt?: string;
  /** The randomness. */
  readonly temperature?: number;
  /** Texts that end the answer. */
  readonly stopSequences?: readonly string[];
  /** Hints for the choice of the model, as the protocol has them. */
  readonly modelPreferences?: Readonly<Record<string, unknown>>;
}

/** The response of the client's model. */
export interface Sampled extends SampleMessage {
  /** The name of the model. */
  readonly model: string;
  /** Why it stopped. */
  readonly stopReason?: string;
}

/** A folder or file that the client lets the server work on. */
export interface McpRoot {
  /** A `file:` URL. */
  readonly uri: string;
  /** The name for people. */
  readonly name?: string;
}

/** The context of a call of a tool, resource or prompt. */
export interface McpCall extends ToolCallContext {
  /** The HTTP request that carries the call; `undefined` over stdio. */
  readonly c: Ctx | undefined;
  /** The caller that the access token identifies; `undefined` without a token. */
  readonly caller: McpCaller | undefined;
  /** The client, as it describes itself; `undefined` where it does not. */
  readonly client: Implementation | undefined;
  /** The revision that the client speaks. */
  readonly revision: string;
  /** Reports whether the client can answer `elicit`, `elicitUrl`, `sample` or `roots`. */
  can(feature: "elicit" | "elicitUrl" | "sample" | "roots"): boolean;
  /** Reports progress, which must be more than the last time, where the client asked for it. */
  progress(
    progress: number,
    options?: { readonly total?: number; readonly message?: string },
  ): void;
  /** Sends a log message to the client, where it asked for that level. */
  log(level: McpLogLevel, data: unknown, options?: { readonly logger?: string }): void;
  /**
   * Asks the user to fill in a form. Over revision 2026-07-28 the call ends with the question, and the
   * client calls again with the answer: the function then runs from its start, so nothing that must
   * happen once may stand before the last question.
   *
   * @throws {McpError} when the client has no forms, or the answer does not fit.
   */
  elicit<T>(form: ElicitForm<T>): Promise<Elicited<T>>;
  /** Asks the user to visit a page; `accept` says that the user agreed, not that it is done. */
  elicitUrl(page: ElicitUrl): Promise<"accept" | "decline" | "cancel">;
  /**
   * Asks the client's model; deprecated by revision 2026-07-28.
   *
   * @throws {McpError} when it has none.
   */
  sample(request: SampleRequest): Promise<Sampled>;
  /**
   * Asks for the folders to work on; deprecated by revision 2026-07-28.
   *
   * @throws {McpError} when the client has none.
   */
  roots(): Promise<readonly McpRoot[]>;
}

/** What a stateless request, or a session with the request, tells of the client. */
export interface RequestMeta extends Pick<McpCall, "client" | "revision"> {
  readonly capabilities: RpcParams;
  /** Returns the least severity that the client wants to read of. */
  readonly logLevel: () => Awaitable<McpLogLevel | undefined>;
  readonly progressToken: string | number | undefined;
}

export type SessionClient = Pick<RequestMeta, "revision" | "capabilities" | "client">;

export type Feature = Parameters<McpCall["can"]>[0];

/** The capability that a question takes, and the option of `dial` that answers it. */
const features: Readonly<Record<Feature, readonly [capability: RpcParams, option: string]>> = {
  elicit: [{ elicitation: { form: {} } }, "onElicit"],
  elicitUrl: [{ elicitation: { url: {} } }, "onElicitUrl"],
  sample: [{ sampling: {} }, "onSample"],
  roots: [{ roots: {} }, "roots"],
};

export function lackingCapability(feature: Feature): McpError {
  const [requiredCapabilities, option] = features[feature];
  return new McpError(
    rpcCodes.missingClientCapability,
    `The client lacks a capability that this call needs: a client of this library sets ${option}`,
    { data: { requiredCapabilities } },
  );
}
