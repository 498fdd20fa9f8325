import type { Node } from "../html/mod.ts";
import { isEmail } from "../runtime/addon.ts";

/** An attached file. */
export interface MailAttachment {
  /** The file name shown to the recipient. */
  readonly filename: string;
  /** The content. */
  readonly content: string | Uint8Array<ArrayBuffer>;
  /** The media type; a charset is added to `text/…`. @default "application/octet-stream" */
  readonly contentType?: string;
}

/** An email as written by the application. */
export interface Mail {
  /** One or more addresses: `ada@example.org` or `Ada <ada@example.org>`. */
  readonly to: string | readonly string[];
  /** The subject, on one line. */
  readonly subject: string;
  /** The content, as a node. A function is called when the email is rendered. */
  readonly body: Node | (() => Node);
  /** Address for replies. */
  readonly replyTo?: string;
  /** The attached files. @default [] */
  readonly attachments?: readonly MailAttachment[];
  /** The language of the recipient, a BCP 47 tag. @default the language of the request */
  readonly language?: string;
}

/** An email as passed to a transport. */
export interface MailMessage extends Pick<Mail, "subject" | "replyTo"> {
  /** The sender. */
  readonly from: string;
  /** Unique, and the same in each attempt, so that a service can detect a repeated one. */
  readonly id: string;
  /** The addresses of the recipients. */
  readonly to: readonly string[];
  /** Those of `to` that an earlier attempt did not reach. @default all */
  readonly recipients?: readonly string[];
  /** The plain text version. */
  readonly text: string;
  /** The HTML document. */
  readonly html: string;
  /** The attached files, with content in Base64. */
  readonly attachments: readonly (Required<MailAttachment> & { readonly content: string })[];
}

/** Excludes characters that are invalid in a media type, because they could add headers. */
const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\w-]+=[\w.:+-]+)*$/;
const maxSubjectChars = 250;
const maxRecipients = 50;

/**
 * Checks an address such as `Ada <ada@example.org>` and converts its domain to ASCII. Line breaks and
 * second addresses are refused: they would add headers or recipients. A name with a comma is quoted:
 * `"Lovelace, Ada" <ada@example.org>`.
 *
 * @throws {TypeError} if it is malformed.
 */
export function checkAddress(text: string): string {
  const [, quoted, bare = "", address = text] =
    /^(?:"([^"\\]*)"\s*|([^<>"]*))<([^<>]*)>$/.exec(text.trim()) ?? [];
  const [local = "", domain = ""] = address.trim().split("@");
  // A server on the same machine needs no domain.
  const isMailbox = isEmail(address.trim().replace(/@localhost$/i, "@localhost.localdomain"));
  const isClean = !/[\p{Cc}\u2028\u2029]/u.test(text.trim()) && !/[,;:\\]/.test(bare) &&
    text.isWellFormed();
  if (!isMailbox || !isClean) {
    const shown = JSON.stringify(text.slice(0, 80));
    throw new TypeError(`Cannot mail to or from ${shown}: write one address, "ada@example.org".`);
  }
  const plain = `${local}@${URL.parse(`http://${domain}`)?.hostname ?? domain}`;
  const words = bare.trim();
  // Unquoted, a parenthesis starts a comment (RFC 5322), which may hide the address.
  const name = quoted ?? words;
  const isQuoted = quoted !== undefined || /[()（）[\]@]/.test(words);
  return name === "" ? plain : `${isQuoted ? `"${name}"` : name} <${plain}>`;
}

/** Checks the addresses of an email. @throws TypeError for none, too many, or a malformed one. */
export function checkRecipients(to: Mail["to"]): string[] {
  const list = [to].flat();
  if (list.length === 0 || list.length > maxRecipients) {
    throw new TypeError(
      `Cannot send a mail to ${list.length} addresses: use 1 to ${maxRecipients}.`,
    );
  }
  return list.map(checkAddress);
}

/** Checks a header's text. @throws TypeError for a control character or over 250 characters. */
export function checkSubject(text: string): string {
  if (/[\p{Cc}\u2028\u2029]/u.test(text) || text.length > maxSubjectChars || !text.isWellFormed()) {
    throw new TypeError(
      `Cannot send a mail with this subject: use one line of at most ${maxSubjectChars} characters.`,
    );
  }
  return text;
}

/** Checks and encodes a file. @throws TypeError for a path or control characters in its name. */
export function encodeAttachment(
  { filename, content, contentType = "application/octet-stream" }: MailAttachment,
): { readonly filename: string; readonly content: string; readonly contentType: string } {
  if (
    filename === "" || /[\p{Cc}\u2028-\u202e\u2066-\u2069/\\"]/u.test(filename) ||
    !mediaType.test(contentType)
  ) {
    throw new TypeError(
      `Cannot attach ${JSON.stringify(filename.slice(0, 80))}: use a plain name and media type.`,
    );
  }
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const isPlain = typeof content === "string" && /^text\/(?!.*; ?charset=)/i.test(contentType);
  const type = isPlain ? `${contentType}; charset=utf-8` : contentType;
  return { filename, content: bytes.toBase64(), contentType: type };
}
