import * as h from "../html/mod.ts";
import { isRightToLeft } from "../runtime/addon.ts";
import { languageAttributes } from "../runtime/i18n/mod.ts";
import type { Mail } from "./message.ts";

/** Inline styles, because email clients drop style sheets; an element's own `style` wins. */
const styles: Readonly<Record<string, string>> = {
  h1: "margin:0 0 16px;font-size:22px;line-height:28px;font-weight:600",
  h2: "margin:24px 0 8px;font-size:17px;line-height:24px;font-weight:600",
  p: "margin:0 0 16px",
  ul: "margin:0 0 16px;padding:0 0 0 20px",
  ol: "margin:0 0 16px;padding:0 0 0 24px",
  li: "margin:0 0 4px",
  a: "color:#1d4ed8",
  hr: "margin:24px 0;border:0;border-top:1px solid #e4e4e7",
  table: "width:100%;margin:0 0 16px;border-collapse:collapse",
  th: "padding:6px 8px 6px 0;text-align:left;font-weight:600;border-bottom:1px solid #e4e4e7",
  td: "padding:6px 8px 6px 0;border-bottom:1px solid #e4e4e7",
  img: "max-width:100%;height:auto;border:0",
  blockquote: "margin:0 0 16px;padding:0 0 0 12px;border-left:3px solid #e4e4e7",
  small: "font-size:13px;color:#52525b",
};

const page = "margin:0;padding:24px 16px;background:#f4f4f5;color:#18181b;" +
  "font:15px/23px system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const sheet = "max-width:560px;margin:0 auto;padding:28px;background:#ffffff;border-radius:10px";

const buttonStyle =
  "display:inline-block;padding:10px 18px;border-radius:8px;background:#18181b;color:#ffffff;" +
  "text-decoration:none;font-weight:600";

/**
 * Creates a link that looks like a button.
 *
 * @param href The target; a path becomes an absolute URL.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 * import { mailButton } from "@fw/fw/mail";
 *
 * const html = h.render(mailButton("/events/1", "See the event"));
 * assertEquals(html.replace(/ style="[^"]*"/, ""), '<p><a href="/events/1">See the event</a></p>');
 * ```
 */
export function mailButton(href: string, ...children: readonly h.Child[]): h.Node {
  return h.p(h.a(h.href(href), h.styleAttr(buttonStyle), ...children));
}

/** Renders an email as a document and as plain text. Paths become absolute URLs with the origin. */
export function renderMail(
  { subject, body }: Pick<Mail, "subject" | "body">,
  { origin, language }: { readonly origin: string; readonly language: string },
): { readonly html: string; readonly text: string } {
  const content = absoluteLinks(h.render(typeof body === "function" ? body() : body), origin);
  const attributes = languageAttributes(language);
  const html = styled(content, isRightToLeft(language) ? mirror : (style) => style);
  const document = h.html(
    attributes,
    h.head(
      h.meta(h.charset("utf-8")),
      h.meta(h.name("viewport"), h.content("width=device-width")),
      h.title(subject),
    ),
    // Clients that show the mail inside their own page keep only the body.
    h.body(h.styleAttr(page), h.div(attributes, h.styleAttr(sheet), h.raw(html))),
  );
  return { html: h.render(document), text: htmlText(content) };
}

/** Matches an opening tag; the renderer quotes attributes and escapes `>` and `"` in them. */
const openTag = /<([a-z][a-z0-9]*)((?: [^<>]*)?)>/g;
const openOrCloseTag = /<(\/?)([a-z][a-z0-9]*)([^>]*)>/g;

/** Swaps left and right, because few clients know logical properties. */
function mirror(style: string): string {
  return style.replace("left", "right")
    .replace(/padding:(\S+) (\S+) (\S+) ([^\s;]+)/, "padding:$1 $4 $3 $2");
}

function styled(html: string, turn: (style: string) => string): string {
  return html.replace(openTag, (tag, name: string, attributes: string) => {
    const style = Object.hasOwn(styles, name) ? styles[name] : undefined;
    return style === undefined || / style="/.test(attributes)
      ? tag
      : `<${name}${attributes} style="${turn(style)}">`;
  });
}

function absoluteLinks(html: string, origin: string): string {
  return html.replace(
    openTag,
    (tag) => tag.replace(/ (href|src)="\/(?!\/)/g, (_, name) => ` ${name}="${origin}/`),
  );
}

const blocks =
  /^(?:p|h[1-6]|[uod]l|dt|pre|table|caption|div|section|article|aside|main|nav|header|footer|address|fig(?:ure|caption)|blockquote|form|fieldset|details|summary)$/;
/** Conditional comments and styles of templates for email. */
const unseen = /<!--[^]*?-->|<(style|script|title)\b[^]*?<\/\1>/g;
const breaks: Readonly<Record<string, string>> = {
  br: "\n",
  tr: "\n",
  hr: "\n\n---\n\n",
  li: "\n- ",
  dd: "\n",
  td: "  ",
  th: "  ",
};
const characters: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
};

/** Converts HTML rendered by this package to text: links show their URL, list items a hyphen. */
function htmlText(html: string): string {
  let link: string | undefined;
  const text = html.replace(unseen, "").replace(
    openOrCloseTag,
    (_, close: string, name: string, rest: string) => {
      if (name === "a") {
        // Angle brackets delimit the URL (RFC 3986, appendix C); escaped, because the text is decoded later.
        const shown = close === "" || link === undefined ? "" : ` &lt;${link}&gt;`;
        link = /href="([^"]*)"/.exec(rest)?.[1];
        return shown;
      }
      if (name === "img") return /alt="([^"]*)"/.exec(rest)?.[1] ?? "";
      if (blocks.test(name)) return "\n\n";
      return (close === "" || name === "tr") && Object.hasOwn(breaks, name)
        ? breaks[name] ?? ""
        : "";
    },
  );
  const plain = text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => characters[name] ?? "");
  const lines = plain.split("\n").map((line) => line.replace(/[ \t]+/g, " ").trim());
  return `${lines.join("\n").replace(/\n{3,}/g, "\n\n").trim()}\n`;
}
