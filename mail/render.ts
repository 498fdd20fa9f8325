/** The two forms of a mail: HTML with its styles on the elements, and the text made from it. */
import * as h from "../html/mod.ts";

/**
 * The styles of elements. Mail programs drop style sheets, so each element carries its own; one that has a `style`
 * keeps it.
 */
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
 * Makes a link that looks like a button.
 *
 * @param href Where it leads; a path of the site becomes absolute.
 * @param children The label.
 * @returns The node, for the body of a mail.
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

/** Options of {@linkcode renderMail}. */
export interface RenderOptions {
  /** Origin in front of paths, such as `https://example.org`. */
  readonly origin: string;
  /** The language. */
  readonly language: string;
  /** The subject, as the title. */
  readonly subject: string;
}

/** Renders a body as a whole document and as text. */
export function renderMail(
  body: h.Node,
  { origin, language, subject }: RenderOptions,
): { readonly html: string; readonly text: string } {
  const content = absoluteLinks(h.render(body), origin);
  const document = h.html(
    h.lang(language),
    h.head(
      h.meta(h.charset("utf-8")),
      h.meta(h.name("viewport"), h.content("width=device-width")),
      h.title(subject),
    ),
    h.body(h.styleAttr(page), h.div(h.styleAttr(sheet), h.raw(styled(content)))),
  );
  return { html: h.render(document), text: htmlText(content) };
}

/** The renderer writes attributes in quotes and escapes `>` and `"` in them. */
const openTag = /<([a-z][a-z0-9]*)((?: [^<>]*)?)>/g;

function styled(html: string): string {
  return html.replace(openTag, (tag, name: string, attributes: string) => {
    const style = Object.hasOwn(styles, name) ? styles[name] : undefined;
    return style === undefined || / style="/.test(attributes)
      ? tag
      : `<${name}${attributes} style="${style}">`;
  });
}

function absoluteLinks(html: string, origin: string): string {
  return html.replace(
    openTag,
    (tag) => tag.replace(/ (href|src)="\/(?!\/)/g, (_, name) => ` ${name}="${origin}/`),
  );
}

const blocks =
  /^(?:p|h[1-6]|ul|ol|li|table|tr|div|section|article|header|footer|blockquote|hr|br)$/;

/** Makes text of HTML that this package rendered: a link shows its address, an item a hyphen. */
function htmlText(html: string): string {
  let link = "";
  const text = html.replace(
    /<(\/?)([a-z][a-z0-9]*)([^>]*)>/g,
    (_, close: string, name: string, attributes: string) => {
      if (name === "a" && close === "") {
        link = /href="([^"]*)"/.exec(attributes)?.[1] ?? "";
        return "";
      }
      // In angle brackets the address ends where it does (RFC 3986, appendix C); written as the other text is.
      if (name === "a") return link === "" ? "" : ` &lt;${link}&gt;`;
      if (name === "img") return /alt="([^"]*)"/.exec(attributes)?.[1] ?? "";
      if (name === "br") return "\n";
      if (name === "li") return close === "" ? "\n- " : "";
      if (name === "td" || name === "th") return close === "" ? "" : "  ";
      if (name === "hr") return "\n\n---\n\n";
      if (name === "tr") return "\n";
      return blocks.test(name) ? "\n\n" : "";
    },
  );
  const unescaped = text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name: string) => characters[name] ?? "",
  );
  const lines = unescaped.split("\n").map((line) => line.replace(/[ \t]+/g, " ").trim());
  return `${lines.join("\n").replace(/\n{3,}/g, "\n\n").trim()}\n`;
}

const characters: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
};
