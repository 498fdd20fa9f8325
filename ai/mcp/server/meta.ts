import { cutLine, isJsonObject } from "../../json.ts";
import { invalidParams, McpError, rpcCodes } from "../protocol/errors.ts";
import { isMessageId, type RpcParams } from "../protocol/messages.ts";
import { metaKeys, servedRevisions, statelessRevision } from "../protocol/revision.ts";
import { type Implementation, isLogLevel, type McpLogLevel } from "./call.ts";

export interface RequestMeta {
  readonly revision: string;
  readonly capabilities: RpcParams;
  readonly client: Implementation | undefined;
  readonly logLevel: McpLogLevel | undefined;
  readonly progressToken: string | number | undefined;
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
    client: parseImplementation(meta[metaKeys.clientInfo]),
    logLevel,
    progressToken: parseProgressToken(params),
  };
}

export function parseProgressToken({ _meta: meta }: RpcParams): string | number | undefined {
  const token = isJsonObject(meta) ? meta.progressToken : undefined;
  return typeof token === "number" || isMessageId(token) ? token : undefined;
}

/**
 * Reads how a program describes itself, within bounds: a session keeps it.
 *
 * @returns `undefined` for what has no name or no version.
 */
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
