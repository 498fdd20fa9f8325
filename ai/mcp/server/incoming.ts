import type { Ctx, Logger } from "../../../mod.ts";
import {
  isMessageId,
  metaKeys,
  type RequestId,
  type RpcParams,
  type RpcRequest,
  servedRevisions,
  statelessRevision,
  type WireMessage,
} from "../protocol/messages.ts";
import { type Implementation, isLogLevel, type McpCaller, type RequestMeta } from "./call.ts";
import type { Core } from "./core.ts";
import { cutLine, isJsonObject } from "../../json.ts";
import { invalidParams, invalidRequest, McpError, rpcCodes } from "../protocol/errors.ts";

export interface Incoming {
  readonly core: Core;
  readonly request: RpcRequest;
  readonly c: Ctx | undefined;
  readonly caller: McpCaller | undefined;
  /** The user who owns unfinished calls; `""` if users are not distinguished. */
  readonly principal: string;
  /** Logger of application failures. @default the log of the request */
  readonly log?: Logger;
  readonly controller: AbortController;
  readonly send: (message: WireMessage) => void;
}

export function claimsStateless(params: RpcParams): boolean {
  return isJsonObject(params._meta) && Object.hasOwn(params._meta, metaKeys.protocolVersion);
}

export function parseMeta(params: RpcParams): RequestMeta {
  const { _meta: meta } = params;
  if (!isJsonObject(meta)) throw invalidParams("params._meta is missing");
  const revision = meta[metaKeys.protocolVersion];
  if (typeof revision !== "string") {
    throw invalidParams(`params._meta["${metaKeys.protocolVersion}"] is missing`);
  }
  if (revision !== statelessRevision) throw unsupportedRevision(revision);
  const capabilities = meta[metaKeys.clientCapabilities];
  if (!isJsonObject(capabilities)) {
    throw invalidParams(`params._meta["${metaKeys.clientCapabilities}"] is missing`);
  }
  const logLevel = meta[metaKeys.logLevel];
  if (logLevel !== undefined && !isLogLevel(logLevel)) throw invalidParams("Unknown log level");
  return {
    revision,
    capabilities,
    logLevel: () => logLevel,
    client: parseImplementation(meta[metaKeys.clientInfo]),
    progressToken: parseProgressToken(params),
  };
}

export function parseProgressToken({ _meta: meta }: RpcParams): string | number | undefined {
  const token = isJsonObject(meta) ? meta.progressToken : undefined;
  return typeof token === "number" || isMessageId(token) ? token : undefined;
}

/** Reads a program's description of itself, shortened; `undefined` without a name and a version. */
export function parseImplementation(value: unknown): Implementation | undefined {
  if (!isJsonObject(value)) return undefined;
  const { name, version, title, description, websiteUrl } = value;
  if (typeof name !== "string" || typeof version !== "string") return undefined;
  const more = Object.entries({ title, description, websiteUrl }).flatMap(([member, text]) =>
    typeof text === "string" ? [[member, cutLine(text, maxAboutChars)]] : []
  );
  return {
    name: cutLine(name, maxAboutChars),
    version: cutLine(version, maxAboutChars),
    ...Object.fromEntries(more),
  };
}

const maxAboutChars = 256;

export function unsupportedRevision(requested: string): McpError {
  return new McpError(rpcCodes.unsupportedVersion, "Unsupported protocol version", {
    data: { supported: servedRevisions, requested: cutLine(requested) },
  });
}

export function takesStream(c: Ctx): boolean {
  return c.accepts("text/event-stream") !== undefined;
}

const maxRunning = 256;

export class Running {
  readonly #controllers: Map<RequestId, AbortController> = new Map();

  get size(): number {
    return this.#controllers.size;
  }

  /** Registers a running request. @throws {McpError} for an id in use, and for too many requests. */
  begin(id: RequestId): AbortController {
    if (this.#controllers.has(id) || this.size >= maxRunning) {
      throw invalidRequest(
        this.#controllers.has(id)
          ? "A request with this id is running already"
          : "Too many requests are running",
      );
    }
    const controller = new AbortController();
    this.#controllers.set(id, controller);
    return controller;
  }

  finish(id: RequestId): void {
    this.#controllers.delete(id);
  }

  /** Cancels a request. Returns whether it is running here. */
  cancel(id: RequestId): boolean {
    const controller = this.#controllers.get(id);
    controller?.abort(new DOMException("The client has cancelled the request.", "AbortError"));
    return controller !== undefined;
  }

  stop(message: string): void {
    const reason = new DOMException(message, "AbortError");
    for (const controller of this.#controllers.values()) controller.abort(reason);
  }
}
