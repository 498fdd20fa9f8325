/** Text, an image or a file in a user's message. */
export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | {
    readonly type: "image";
    /** A URL that the server of the model can fetch, or the image itself as `data:`. */
    readonly url: string;
    /** The resolution at which the model reads the image. @default the server's own */
    readonly detail?: "low" | "high" | "auto";
  }
  | {
    readonly type: "file";
    /** The file name. */
    readonly name: string;
    /** The file itself as a `data:` URL. */
    readonly url: string;
  };

/** A piece of text in a user's message. */
export type TextPart = Extract<ContentPart, { type: "text" }>;

/** An image in a user's message. {@link image} creates one. */
export type ImagePart = Extract<ContentPart, { type: "image" }>;

/** A file in a user's message. {@link file} creates one. */
export type FilePart = Extract<ContentPart, { type: "file" }>;

/** A tool call that the model requests. */
export interface ToolCall {
  /** The id that the result refers to. */
  readonly id: string;
  /** The name of the tool. */
  readonly name: string;
  /** The arguments as the model wrote them: JSON text, which may be malformed. */
  readonly arguments: string;
  /** Members that the server added to the call and requires back, such as a signature. @default none */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A message of the model. {@link assistant} creates one. */
export interface AssistantMessage {
  /** Distinguishes the messages. */
  readonly role: "assistant";
  /** The text; `""` if there are only tool calls. */
  readonly content: string;
  /** The tools that the model wants to call. @default none */
  readonly toolCalls?: readonly ToolCall[];
  /** Why the model refused to answer. @default it did not */
  readonly refusal?: string;
  /** The name of the agent that answered; a resumed run continues with it. */
  readonly agent?: string;
  /** Members that the server added to the message and requires back, such as its reasoning. @default none */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Proves that the server wrote every `extra`; written by `sendRun`, verified by `readChat`. */
  readonly signature?: string;
  /** Proves that the calls await a person's decision; written by `sendRun`, verified by `readChat`. */
  readonly ticket?: string;
}

/**
 * One message of a conversation: plain JSON, so that it can be stored. {@link system}, {@link user},
 * {@link assistant} and {@link toolResult} create them.
 */
export type Message =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: string | readonly ContentPart[] }
  | AssistantMessage
  | { readonly role: "tool"; readonly callId: string; readonly content: string };

/** Instructions for the model. {@link system} creates one. */
export type SystemMessage = Extract<Message, { role: "system" }>;

/** A message of a person. {@link user} creates one. */
export type UserMessage = Extract<Message, { role: "user" }>;

/** The result of a tool call as text, starting with `error:` if it failed. {@link toolResult} creates one. */
export type ToolMessage = Extract<Message, { role: "tool" }>;

/**
 * Creates a message with instructions for the model.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { system } from "@fw/fw/ai";
 *
 * assertEquals(system("Be short."), { role: "system", content: "Be short." });
 * ```
 */
export function system(content: string): SystemMessage {
  return { role: "system", content };
}

/**
 * Creates a message of a person.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { image, user } from "@fw/fw/ai";
 *
 * const photo = image(new Uint8Array([1, 2, 3]), { type: "image/png" });
 * const message = user([{ type: "text", text: "What is this?" }, photo]);
 * assertEquals(photo.url, "data:image/png;base64,AQID");
 * assertEquals(message.role, "user");
 * ```
 */
export function user(content: string | readonly ContentPart[]): UserMessage {
  return { role: "user", content };
}

/**
 * Creates a message of the model, for a conversation that this client did not create.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { assistant } from "@fw/fw/ai";
 *
 * assertEquals(assistant("Hello"), { role: "assistant", content: "Hello" });
 * ```
 */
export function assistant(content: string): AssistantMessage {
  return { role: "assistant", content };
}

/**
 * Creates the message that answers a tool call.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { toolResult } from "@fw/fw/ai";
 *
 * assertEquals(toolResult("call_1", "Sunny"), { role: "tool", callId: "call_1", content: "Sunny" });
 * ```
 */
export function toolResult(callId: string, content: string): ToolMessage {
  return { role: "tool", callId, content };
}

/** Options of {@link image}. */
export interface ImageOptions extends Pick<ImagePart, "detail"> {
  /** The media type of bytes. @default "image/png" */
  readonly type?: string;
}

/**
 * Creates the image part of a user's message.
 *
 * @throws {TypeError} for a URL other than `https:`, `http:` and `data:`, and for a type that is
 * not an image.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { image } from "@fw/fw/ai";
 *
 * assertEquals(image("https://a.example/b.png", { detail: "low" }).detail, "low");
 * ```
 */
export function image(
  source: string | URL | Uint8Array,
  options: ImageOptions = {},
): ImagePart {
  const { type = "image/png", detail } = options;
  if (!/^image\/[a-z0-9.+-]+$/i.test(type)) {
    throw new TypeError(`Cannot send an image of the type "${type}": use one such as image/png.`);
  }
  const url = source instanceof Uint8Array
    ? `data:${type};base64,${source.toBase64()}`
    : String(source);
  if (!/^(?:https?:\/\/|data:image\/)/i.test(url)) {
    const start = url.slice(0, 80);
    throw new TypeError(
      `Cannot send the image "${start}": use an http, https or data:image URL, or bytes.`,
    );
  }
  return { type: "image", url, ...(detail === undefined ? {} : { detail }) };
}

/**
 * Creates the part of a user's message that holds a file, for models that read documents.
 *
 * @throws {TypeError} for a malformed media type.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { file } from "@fw/fw/ai";
 *
 * const bill = file(new Uint8Array([37, 80, 68, 70]), { name: "bill.pdf" });
 * assertEquals(bill.url, "data:application/pdf;base64,JVBERg==");
 * ```
 */
export function file(bytes: Uint8Array, options: FileOptions): FilePart {
  const { name, type = "application/pdf" } = options;
  if (!/^[a-z]+\/[a-z0-9.+-]+$/i.test(type)) {
    throw new TypeError(
      `Cannot send a file of the type "${type}": use one such as application/pdf.`,
    );
  }
  return { type: "file", name, url: `data:${type};base64,${bytes.toBase64()}` };
}

/** Options of {@link file}. */
export interface FileOptions extends Pick<FilePart, "name"> {
  /** The media type. @default "application/pdf" */
  readonly type?: string;
}
