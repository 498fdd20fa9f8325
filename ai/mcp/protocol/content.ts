import { isJsonObject } from "../../json.ts";

/** The intended audience of a piece of content. */
export type Role = "user" | "assistant";

/** Hints for clients about a piece of content or a resource. */
export interface Annotations {
  /** The intended audience. */
  readonly audience?: readonly Role[];
  /** The importance, from 0 (optional) to 1 (required). */
  readonly priority?: number;
  /** Time of the last change, in ISO 8601. */
  readonly lastModified?: string;
}

/** The contents of a resource: text, or bytes as Base64. */
export type ResourceContents =
  | { readonly uri: string; readonly mimeType?: string; readonly text: string }
  | { readonly uri: string; readonly mimeType?: string; readonly blob: string };

/** An icon of a server, a tool, a resource or a prompt. */
export interface Icon {
  /** An `https:` URL of the server's own origin, or a `data:` URI. */
  readonly src: string;
  /** The media type, if the icon's server does not send one. */
  readonly mimeType?: string;
  /** Sizes such as `48x48`, or `any`. */
  readonly sizes?: readonly string[];
  /** The background that the icon is designed for. */
  readonly theme?: "light" | "dark";
}

/** Details of a resource besides its URI. */
export interface ResourceDetails {
  /** The identifier for programs. */
  readonly name: string;
  /** The display name. @default the name */
  readonly title?: string | undefined;
  /** Description for models and people. @default none */
  readonly description?: string | undefined;
  /** The media type. @default that of the contents */
  readonly mimeType?: string | undefined;
  /** The size in bytes. @default unknown */
  readonly size?: number | undefined;
  /** Icons of the resource; load a server's icons only from its own origin. @default none */
  readonly icons?: readonly Icon[] | undefined;
  /** Hints for clients. @default none */
  readonly annotations?: Annotations | undefined;
}

/** The URI of a resource, without its contents. */
export interface ResourceLink extends ResourceDetails {
  /** Distinguishes the kinds of content. */
  readonly type: "resource_link";
  /** The address. */
  readonly uri: string;
}

/** Text for the model. */
export type TextContent = {
  readonly type: "text";
  readonly text: string;
  readonly annotations?: Annotations;
};

/** An image as Base64 with its media type. {@link imageContent} creates it. */
export type ImageContent = {
  readonly type: "image";
  readonly data: string;
  readonly mimeType: string;
  readonly annotations?: Annotations;
};

/** A sound as Base64 with its media type. {@link audioContent} creates it. */
export type AudioContent = Omit<ImageContent, "type"> & { readonly type: "audio" };

/** The contents of a resource inside a result. {@link resourceContent} creates it. */
export type EmbeddedResource = {
  readonly type: "resource";
  readonly resource: ResourceContents;
  readonly annotations?: Annotations;
};

/** One piece of content of a tool's result or a prompt. Its annotations are hints for clients. */
export type ContentBlock =
  | TextContent
  | ImageContent
  | AudioContent
  | EmbeddedResource
  | ResourceLink;

/** Details of an image or a sound besides its bytes. */
export interface MediaOptions {
  /** The media type, such as `image/png` or `audio/wav`. */
  readonly mimeType: string;
  /** Hints for clients. @default none */
  readonly annotations?: Annotations;
}

/**
 * Returns an image as content.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { imageContent } from "@fw/fw/mcp";
 *
 * const image = imageContent(new Uint8Array([1, 2, 3]), { mimeType: "image/png" });
 * assertEquals(image, { type: "image", data: "AQID", mimeType: "image/png" });
 * ```
 */
export function imageContent(
  bytes: Uint8Array,
  options: MediaOptions,
): ImageContent {
  return { type: "image", data: bytes.toBase64(), ...options };
}

/**
 * Returns a sound as content.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { audioContent } from "@fw/fw/mcp";
 *
 * const sound = audioContent(new Uint8Array([1, 2, 3]), { mimeType: "audio/wav" });
 * assertEquals(sound.data, "AQID");
 * ```
 */
export function audioContent(
  bytes: Uint8Array,
  options: MediaOptions,
): AudioContent {
  return { type: "audio", data: bytes.toBase64(), ...options };
}

/**
 * Returns a resource with its contents as content.
 *
 * @param contents A string, or bytes; the media type of a string is `text/plain` unless `mimeType` says
 * otherwise.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { resourceContent } from "@fw/fw/mcp";
 *
 * const { resource } = resourceContent("note://1", { text: "Milk" });
 * assertEquals(resource, { uri: "note://1", mimeType: "text/plain", text: "Milk" });
 * ```
 */
export function resourceContent(
  uri: string,
  contents: {
    readonly text?: string;
    readonly bytes?: Uint8Array;
    readonly mimeType?: string;
    readonly annotations?: Annotations;
  },
): EmbeddedResource {
  const { text, bytes, mimeType, annotations } = contents;
  const resource: ResourceContents = bytes === undefined
    ? { uri, mimeType: mimeType ?? "text/plain", text: text ?? "" }
    : { uri, mimeType: mimeType ?? "application/octet-stream", blob: bytes.toBase64() };
  return { type: "resource", resource, ...(annotations === undefined ? {} : { annotations }) };
}

/** Reports whether a value has the required members of its content type. */
export function isContent(value: unknown): value is ContentBlock {
  if (!isJsonObject(value)) return false;
  if (value.type === "resource") {
    return isJsonObject(value.resource) && typeof value.resource.uri === "string";
  }
  const [needed] = members.get(value.type) ?? [];
  return needed?.every((member) => typeof value[member] === "string") === true;
}

/** Reports whether a value is only content, because an application's record may have such a `type` by chance. */
export function isOnlyContent(value: unknown): value is ContentBlock {
  if (!isContent(value)) return false;
  const known = ["type", "annotations", "_meta", ...members.get(value.type)?.flat() ?? []];
  return Object.keys(value).every((member) => known.includes(member));
}

/** The members of content by type: the required strings, then the optional members. */
const members: ReadonlyMap<unknown, readonly (readonly string[])[]> = new Map([
  ["text", [["text"]]],
  ["image", [["data", "mimeType"]]],
  ["audio", [["data", "mimeType"]]],
  ["resource", [[], ["resource"]]],
  ["resource_link", [["uri", "name"], ["title", "description", "mimeType", "size", "icons"]]],
]);
