import { decodeReferences } from "../../html/escape.ts";
import { cutText } from "../base/values.ts";

const maxPageChars = 400;
const maxBodyChars = 2_000;

/** Returns the title and the `main` of a page, without its layout; otherwise the start of the body. */
export function showBody(body: string, type: string, needsHtml: boolean): string {
  if (body === "") return "(no body)";
  if (!isHtml(type)) return cutText(body, maxBodyChars);
  const main = elementOf(body, "main") ?? elementOf(body, "body") ?? body;
  const title = textOf(elementOf(body, "title") ?? "");
  const content = needsHtml ? cutText(main, maxBodyChars) : cutText(textOf(main), maxPageChars);
  const shown = [title, content].filter((part) => part !== "").join("\n");
  return shown === "" ? cutText(body, maxBodyChars) : shown;
}

export function isHtml(type: string): boolean {
  return /^(?:text\/html|application\/xhtml\+xml)\b/i.test(type);
}

export function notHtmlText(type: string, status: number, location: string | undefined): string {
  return location === undefined
    ? `its type is ${type === "" ? "not given" : type} (status ${status}).`
    : `it is a redirect to ${JSON.stringify(location)} (status ${status}); ` +
      "followRedirects() goes there, and newTestClient(app, withUser(…)) signs in first.";
}

function elementOf(html: string, name: string): string | undefined {
  const start = html.search(new RegExp(`<${name}[\\s>]`, "i"));
  if (start < 0) return undefined;
  const rest = html.slice(start);
  const end = rest.toLowerCase()[name === "title" ? "indexOf" : "lastIndexOf"](`</${name}>`);
  return end < 0 ? rest : rest.slice(0, end + name.length + 3);
}

function textOf(html: string): string {
  const text = html
    .replace(/<(script|style|template|svg)\b[^]*?<\/\1\s*>/gi, " ")
    .replace(/<!--[^]*?-->/g, " ")
    // Inline tags do not separate words.
    .replace(/<\/?(?:a|abbr|b|code|em|i|kbd|mark|small|span|strong|sub|sup|u)(?:\s[^>]*)?>/gi, "")
    .replace(/<[^>]*>/g, " ");
  return decodeReferences(text).replace(/\s+/g, " ").trim();
}

/** Builds a stack with only the first line of the message, because runners print the message before it. */
export function withFrames(error: Error, caller: Error): string {
  const frames = (caller.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const [firstLine = ""] = error.message.split("\n", 1);
  return [`${error.name}: ${firstLine}`, ...frames.slice(1)].join("\n");
}
