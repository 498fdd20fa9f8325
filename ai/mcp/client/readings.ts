import {
  type Annotations,
  type ContentBlock,
  type Icon,
  isContent,
  type Role,
} from "../protocol/content.ts";
import { isJsonObject } from "../../json.ts";
import type { RpcParams } from "../protocol/messages.ts";

/** A resource of a server, as the server describes it. */
export interface McpResourceInfo {
  /** The address. */
  readonly uri: string;
  /** The name for programs. */
  readonly name: string;
  /** The name for people. */
  readonly title?: string;
  /** Description of the resource. */
  readonly description?: string;
  /** The media type. */
  readonly mimeType?: string;
  /** The size in bytes. */
  readonly size?: number;
  /** Pictures that stand for it; load none from another origin than the server's. */
  readonly icons?: readonly Icon[];
  /** Hints of the server. */
  readonly annotations?: Annotations;
}

/** A family of resources of a server, as the server describes it. */
export interface McpTemplateInfo extends Omit<McpResourceInfo, "uri" | "size"> {
  /** The template of the addresses (RFC 6570). */
  readonly uriTemplate: string;
}

/** A prompt of a server, as the server describes it. */
export interface McpPromptInfo {
  /** The name for programs. */
  readonly name: string;
  /** The name for people. */
  readonly title?: string;
  /** Description of the prompt. */
  readonly description?: string;
  /** Arguments of the prompt. */
  readonly arguments?: readonly {
    readonly name: string;
    readonly title?: string;
    readonly description?: string;
    readonly required?: boolean;
  }[];
  /** Pictures that stand for it; load none from another origin than the server's. */
  readonly icons?: readonly Icon[];
}

/** The contents of a resource. */
export interface McpResourceContents {
  /** The address. */
  readonly uri: string;
  /** The media type; `undefined` where the server names none. */
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
