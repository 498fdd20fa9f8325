import type { AnySchema, Ctx } from "../../../mod.ts";
import type { ToolCallContext } from "../../tool.ts";
import type { Icon } from "../protocol/content.ts";
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
  /** Reports whether the client can answer `elicit` or `elicitUrl`. */
  can(feature: "elicit" | "elicitUrl"): boolean;
  /** Reports progress, which must be more than the last time, where the client asked for it. */
  progress(
    progress: number,
    options?: { readonly total?: number; readonly message?: string },
  ): void;
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
}

/** What a stateless request, or a session with the request, tells of the client. */
export interface RequestMeta extends Pick<McpCall, "client" | "revision"> {
  readonly capabilities: RpcParams;
  readonly progressToken: string | number | undefined;
}

export type SessionClient = Pick<RequestMeta, "revision" | "capabilities" | "client">;

export type Feature = Parameters<McpCall["can"]>[0];

/** The capability that a question takes, and the option of `dial` that answers it. */
const features: Readonly<Record<Feature, readonly [capability: RpcParams, option: string]>> = {
  elicit: [{ elicitation: { form: {} } }, "onElicit"],
  elicitUrl: [{ elicitation: { url: {} } }, "onElicitUrl"],
};

export function lackingCapability(feature: Feature): McpError {
  const [requiredCapabilities, option] = features[feature];
  return new McpError(
    rpcCodes.missingClientCapability,
    `The client lacks a capability that this call needs: a client of this library sets ${option}`,
    { data: { requiredCapabilities } },
  );
}
