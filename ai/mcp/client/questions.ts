import type { JsonSchema } from "../../../mod.ts";
import { invalidParams, McpError, rpcCodes } from "../protocol/errors.ts";
import { isJsonObject } from "../../json.ts";
import type { RpcParams } from "../protocol/messages.ts";
import type { SampleRequest } from "../server/call.ts";
import type { DialOptions } from "./options.ts";

/** Maximum number of pending questions: a server must not bury the user under them. */
const maxOpen = 32;

/** Answers what servers ask: as requests of a session, or as input that a call needs. */
export class Questions {
  readonly #options: DialOptions;
  #open = 0;

  constructor(options: DialOptions) {
    this.#options = options;
  }

  get capabilities(): RpcParams {
    const { onElicit, onElicitUrl, onSample, roots } = this.#options;
    const elicitation = { form: onElicit && {}, url: onElicitUrl && {} };
    return {
      elicitation: (onElicit ?? onElicitUrl) && elicitation,
      sampling: onSample && {},
      roots: roots && {},
    };
  }

  async answer(method: string, params: RpcParams): Promise<RpcParams> {
    if (this.#open >= maxOpen) {
      throw new McpError(rpcCodes.internalError, "Too many questions are open");
    }
    this.#open++;
    try {
      return await this.#answer(method, params);
    } finally {
      this.#open--;
    }
  }

  async #answer(method: string, params: RpcParams): Promise<RpcParams> {
    const { onSample, roots } = this.#options;
    switch (method) {
      case "ping":
        return {};
      case "elicitation/create":
        return await this.#elicit(params);
      case "sampling/createMessage":
        if (onSample === undefined) break;
        if (!Array.isArray(params.messages)) throw invalidParams("messages are missing");
        return { ...await onSample(params as unknown as SampleRequest) };
      case "roots/list":
        if (roots === undefined) break;
        return { roots: await roots() };
    }
    throw new McpError(rpcCodes.methodNotFound, "The client does not offer this");
  }

  async #elicit(params: RpcParams): Promise<RpcParams> {
    const { onElicit, onElicitUrl } = this.#options;
    const { mode = "form", message, requestedSchema, url } = params;
    if (typeof message !== "string") throw invalidParams("message is missing");
    if (mode === "url" && onElicitUrl !== undefined) {
      const parsed = typeof url === "string" ? URL.parse(url) : null;
      // A server must not make the user open a file or run a script.
      if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
        throw invalidParams("url is invalid");
      }
      return { action: await onElicitUrl({ message, url: parsed.href }) };
    }
    if (mode !== "form" || onElicit === undefined) {
      throw invalidParams("The client does not offer this kind of question");
    }
    if (!isJsonObject(requestedSchema)) throw invalidParams("requestedSchema is missing");
    return { ...await onElicit({ message, schema: requestedSchema as JsonSchema }) };
  }

  async answerAll(requests: unknown): Promise<RpcParams> {
    if (requests === undefined) return {};
    if (!isJsonObject(requests)) throw invalidParams("inputRequests are malformed");
    const answers: [string, RpcParams][] = [];
    // One after another: they may be for one person.
    for (const [key, request] of Object.entries(requests)) {
      if (!isJsonObject(request) || typeof request.method !== "string") {
        throw invalidParams("inputRequests are malformed");
      }
      const params = isJsonObject(request.params) ? request.params : {};
      answers.push([key, await this.answer(request.method, params)]);
    }
    return Object.fromEntries(answers);
  }
}
