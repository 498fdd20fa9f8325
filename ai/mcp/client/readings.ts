import type { PromptArgument, PromptDefinition } from "../server/offers/prompts.ts";
import {
  type ContentBlock,
  type Icon,
  isContent,
  type ResourceDetails,
  type Role,
} from "../protocol/content.ts";
import { cutLine, isJsonObject } from "../../json.ts";
import type { RpcParams } from "../protocol/messages.ts";
import type { JsonSchema } from "../../../mod.ts";
import { noteApprovals, type Tool } from "../../tool.ts";
import {
  encodeHeaderValue,
  findHeaderParams,
  type HeaderParam,
  headerText,
  valueAt,
} from "../protocol/headers.ts";
import type { McpRequestOptions } from "./options.ts";
import type { ToolAnnotations } from "../server/offers/tools.ts";

/** A resource of a server, as the server describes it. */
export interface McpResourceInfo extends ResourceDetails {
  /** The address. */
  readonly uri: string;
}

/** A resource template of a server, as the server describes it. */
export interface McpTemplateInfo extends Omit<ResourceDetails, "size"> {
  /** The URI template of the resources (RFC 6570). */
  readonly uriTemplate: string;
}

/** A prompt of a server, as the server describes it; load its icons only from the server's origin. */
export interface McpPromptInfo extends Omit<PromptDefinition, "arguments"> {
  /** Arguments of the prompt. */
  readonly arguments?: readonly Omit<PromptArgument, "complete">[];
}

/** The contents of a resource. */
export interface McpResourceContents {
  /** The address. */
  readonly uri: string;
  /** The media type; `undefined` if the server names none. */
  readonly mimeType: string | undefined;
  /** The text; `undefined` for bytes. */
  readonly text: string | undefined;
  /** The bytes; `undefined` for a string. */
  readonly bytes: Uint8Array | undefined;
}

/** The messages of a prompt. */
export interface McpPromptMessages {
  /** Description of the prompt; `undefined` if the server sends none. */
  readonly description: string | undefined;
  /** The messages. */
  readonly messages: readonly { readonly role: Role; readonly content: ContentBlock }[];
}

export function entriesWith<T>(
  entries: readonly unknown[],
  needed: readonly (keyof T & string)[],
): T[] {
  return entries.filter((entry): entry is T =>
    isJsonObject(entry) && needed.every((member) => typeof entry[member] === "string")
  );
}

export function parseContents({ contents }: RpcParams): McpResourceContents[] {
  if (!Array.isArray(contents)) return [];
  return contents.flatMap((each): McpResourceContents[] => {
    if (!isJsonObject(each) || typeof each.uri !== "string") return [];
    const { uri, text, blob } = each;
    const mimeType = typeof each.mimeType === "string" ? each.mimeType : undefined;
    if (typeof text === "string") return [{ uri, mimeType, text, bytes: undefined }];
    const bytes = typeof blob === "string" ? decode(blob) : undefined;
    return bytes === undefined ? [] : [{ uri, mimeType, text: undefined, bytes }];
  });
}

function decode(blob: string): Uint8Array | undefined {
  try {
    return Uint8Array.fromBase64(blob);
  } catch {
    return undefined;
  }
}

export function parsePromptMessages({ description, messages }: RpcParams): McpPromptMessages {
  const list = Array.isArray(messages) ? messages : [];
  return {
    description: typeof description === "string" ? description : undefined,
    messages: list.filter((each) =>
      isJsonObject(each) && (each.role === "user" || each.role === "assistant") &&
      isContent(each.content)
    ),
  };
}

/** The result of a server's tool. */
export interface McpToolResult {
  /** Content for the model. */
  readonly content: readonly ContentBlock[];
  /** Content for programs; `undefined` if the tool returned none. */
  readonly structured: unknown;
  /** Whether the call failed in a way that the model can correct. */
  readonly isError: boolean;
  /** The member `_meta` of the result. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
}

/** A tool of a server, in the form that agents accept. */
export interface RemoteTool extends Tool {
  /** The tool's name at the server; `name` contains no characters that models refuse. */
  readonly remoteName: string;
  /** The display name; `undefined` if the server sends none. */
  readonly title: string | undefined;
  /** JSON Schema of the structured result; `undefined` if the server sends none. */
  readonly outputSchema: JsonSchema | undefined;
  /** The server's hints, which may be wrong or malicious. */
  readonly annotations: ToolAnnotations | undefined;
  /** Icons of the tool; load them only from the server's origin. */
  readonly icons: readonly Icon[] | undefined;
}

/** Options of `client.tools`. */
export interface McpToolsOptions extends McpRequestOptions {
  /** Prefix of the names that models see, so that tools of different servers do not collide. @default none */
  readonly prefix?: string | undefined;
  /** Whether a person must approve the calls of a tool; do not rely on the server's hints. @default false */
  readonly needsApproval?: boolean | ((tool: RemoteTool) => boolean) | undefined;
}

export interface ToolEntry {
  readonly remoteName: string;
  readonly wire: RpcParams;
  readonly headerParams: readonly HeaderParam[];
}

/** Maximum length of a name, so that a huge name does not reach a model. */
const maxNameChars = 512;

/** Parses a listed tool; returns the reason for one that cannot be called. */
export function parseTool(value: unknown, hasHeaders = false): ToolEntry | string {
  if (!isJsonObject(value) || typeof value.name !== "string" || value.name === "") {
    return "a tool has no name";
  }
  const { name, inputSchema } = value;
  const refuse = (reason: string): string => `the tool "${cutLine(name)}" is left out: ${reason}`;
  if (name.length > maxNameChars) return refuse(`its name is over ${maxNameChars} characters`);
  if (!isJsonObject(inputSchema) || inputSchema.type !== "object") {
    return refuse("its inputSchema is not an object schema");
  }
  const headerParams = hasHeaders ? findHeaderParams(inputSchema) : [];
  return typeof headerParams === "string"
    ? refuse(headerParams)
    : { remoteName: name, wire: value, headerParams };
}

export function paramHeaders(
  params: readonly HeaderParam[],
  args: unknown,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const { header, path } of params) {
    const text = headerText(valueAt(args, path));
    if (text !== undefined) headers[header] = encodeHeaderValue(text);
  }
  return headers;
}

const maxDescriptionChars = 8_192;

export function toTools(
  entries: readonly ToolEntry[],
  call: (name: string, args: unknown, signal: AbortSignal) => Promise<McpToolResult>,
  { prefix = "", needsApproval = false }: Pick<McpToolsOptions, "prefix" | "needsApproval">,
): RemoteTool[] {
  const giveName = nameGiver();
  return entries.map(({ remoteName, wire }) => {
    const name = giveName(prefix + remoteName);
    const { title, description, inputSchema, outputSchema, annotations, icons } = wire;
    const tool: RemoteTool = {
      name,
      remoteName,
      title: typeof title === "string" ? title : undefined,
      description: typeof description === "string" ? cutLine(description, maxDescriptionChars) : "",
      inputSchema: inputSchema as JsonSchema,
      outputSchema: isJsonObject(outputSchema) ? outputSchema as JsonSchema : undefined,
      annotations: isJsonObject(annotations) ? annotations : undefined,
      icons: Array.isArray(icons) ? icons : undefined,
      // The client's own timeout ends a call.
      timeoutMs: Infinity,
      call: async (args, { signal }) => toValue(await call(remoteName, args, signal)),
    };
    const mustAsk = typeof needsApproval === "function" ? needsApproval(tool) : needsApproval;
    if (mustAsk) noteApprovals();
    return mustAsk ? { ...tool, needsApproval: true } : tool;
  });
}

const maxModelNameChars = 64;

const stemChars = 48;

/** Assigns distinct names that models accept. Numbering continues, so that no name is tried twice. */
function nameGiver(): (remoteName: string) => string {
  const taken = new Set<string>();
  const numbers = new Map<string, number>();
  return (remoteName) => {
    const plain = remoteName.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, maxModelNameChars);
    const stem = plain.slice(0, stemChars);
    let name = plain;
    let number = numbers.get(stem) ?? 2;
    while (taken.has(name)) {
      const suffix = `_${number++}`;
      name = plain.slice(0, maxModelNameChars - suffix.length) + suffix;
    }
    numbers.set(stem, number);
    taken.add(name);
    return name;
  };
}

function toValue({ content, structured, isError }: McpToolResult): unknown {
  const text = content.map(describe).join("\n");
  if (isError) throw new Error(text === "" ? "The tool failed" : text);
  // Models read the text; without it, use the structured value.
  return text !== "" || structured === undefined ? text : structured;
}

function describe(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return `[${block.type} ${block.mimeType}]`;
    case "resource":
      return "text" in block.resource ? block.resource.text : `[resource ${block.resource.uri}]`;
    case "resource_link":
      return `[resource ${block.name}: ${block.uri}]`;
    default:
      return "[content of an unknown kind]";
  }
}

export function parseToolResult(result: RpcParams): McpToolResult {
  const { content, structuredContent, isError, _meta: meta } = result;
  const blocks = Array.isArray(content) ? content.filter(isContent) : [];
  return {
    content: blocks,
    structured: structuredContent,
    isError: isError === true,
    meta: isJsonObject(meta) ? meta : undefined,
  };
}
