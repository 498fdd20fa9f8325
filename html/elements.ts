/**
 * HTML's elements, one function each. Helpers take precedence over the elements `data` and `map`,
 * which `el("data", …)` creates; `html` is the template tag as well.
 */

import { codeElement, lineElement, tag, voidElement } from "./build.ts";
import type { Child, CodeChild, Node } from "./node.ts";

/** `a`: a hyperlink. */
export const a: (...children: Child[]) => Node = /* @__PURE__ */ tag("a");
/** `abbr`: an abbreviation. */
export const abbr: (...children: Child[]) => Node = /* @__PURE__ */ tag("abbr");
/** `address`: contact information. */
export const address: (...children: Child[]) => Node = /* @__PURE__ */ tag("address");
/** `article`: a self-contained composition. */
export const article: (...children: Child[]) => Node = /* @__PURE__ */ tag("article");
/** `aside`: content beside the main content. */
export const aside: (...children: Child[]) => Node = /* @__PURE__ */ tag("aside");
/** `audio`: an audio player. */
export const audio: (...children: Child[]) => Node = /* @__PURE__ */ tag("audio");
/** `b`: text set apart without importance. */
export const b: (...children: Child[]) => Node = /* @__PURE__ */ tag("b");
/** `bdi`: text isolated from the direction around it. */
export const bdi: (...children: Child[]) => Node = /* @__PURE__ */ tag("bdi");
/** `bdo`: text with its direction set. */
export const bdo: (...children: Child[]) => Node = /* @__PURE__ */ tag("bdo");
/** `blockquote`: a quoted section. */
export const blockquote: (...children: Child[]) => Node = /* @__PURE__ */ tag("blockquote");
/** `body`: the document's content. */
export const body: (...children: Child[]) => Node = /* @__PURE__ */ tag("body");
/** `button`: a button. */
export const button: (...children: Child[]) => Node = /* @__PURE__ */ tag("button");
/** `canvas`: a bitmap drawn by script. */
export const canvas: (...children: Child[]) => Node = /* @__PURE__ */ tag("canvas");
/** `caption`: a table's caption. */
export const caption: (...children: Child[]) => Node = /* @__PURE__ */ tag("caption");
/** `cite`: the title of a work. */
export const cite: (...children: Child[]) => Node = /* @__PURE__ */ tag("cite");
/** `code`: computer code. */
export const code: (...children: Child[]) => Node = /* @__PURE__ */ tag("code");
/** `colgroup`: a group of table columns. */
export const colgroup: (...children: Child[]) => Node = /* @__PURE__ */ tag("colgroup");
/** `datalist`: suggestions for a control. */
export const datalist: (...children: Child[]) => Node = /* @__PURE__ */ tag("datalist");
/** `dd`: the description of a term. */
export const dd: (...children: Child[]) => Node = /* @__PURE__ */ tag("dd");
/** `del`: removed text. */
export const del: (...children: Child[]) => Node = /* @__PURE__ */ tag("del");
/** `details`: a disclosure widget. */
export const details: (...children: Child[]) => Node = /* @__PURE__ */ tag("details");
/** `dfn`: a term being defined. */
export const dfn: (...children: Child[]) => Node = /* @__PURE__ */ tag("dfn");
/** `dialog`: a dialog box. */
export const dialog: (...children: Child[]) => Node = /* @__PURE__ */ tag("dialog");
/** `div`: a division without meaning. */
export const div: (...children: Child[]) => Node = /* @__PURE__ */ tag("div");
/** `dl`: a description list. */
export const dl: (...children: Child[]) => Node = /* @__PURE__ */ tag("dl");
/** `dt`: a term in a description list. */
export const dt: (...children: Child[]) => Node = /* @__PURE__ */ tag("dt");
/** `em`: stressed text. */
export const em: (...children: Child[]) => Node = /* @__PURE__ */ tag("em");
/** `fieldset`: a group of form controls. */
export const fieldset: (...children: Child[]) => Node = /* @__PURE__ */ tag("fieldset");
/** `figcaption`: a figure's caption. */
export const figcaption: (...children: Child[]) => Node = /* @__PURE__ */ tag("figcaption");
/** `figure`: a figure with an optional caption. */
export const figure: (...children: Child[]) => Node = /* @__PURE__ */ tag("figure");
/** `footer`: the footer of a page or section. */
export const footer: (...children: Child[]) => Node = /* @__PURE__ */ tag("footer");
/** `form`: a form. */
export const form: (...children: Child[]) => Node = /* @__PURE__ */ tag("form");
/** `h1`: a heading of level 1. */
export const h1: (...children: Child[]) => Node = /* @__PURE__ */ tag("h1");
/** `h2`: a heading of level 2. */
export const h2: (...children: Child[]) => Node = /* @__PURE__ */ tag("h2");
/** `h3`: a heading of level 3. */
export const h3: (...children: Child[]) => Node = /* @__PURE__ */ tag("h3");
/** `h4`: a heading of level 4. */
export const h4: (...children: Child[]) => Node = /* @__PURE__ */ tag("h4");
/** `h5`: a heading of level 5. */
export const h5: (...children: Child[]) => Node = /* @__PURE__ */ tag("h5");
/** `h6`: a heading of level 6. */
export const h6: (...children: Child[]) => Node = /* @__PURE__ */ tag("h6");
/** `head`: the document's metadata. */
export const head: (...children: Child[]) => Node = /* @__PURE__ */ tag("head");
/** `header`: the header of a page or section. */
export const header: (...children: Child[]) => Node = /* @__PURE__ */ tag("header");
/** `hgroup`: a heading with its secondary lines. */
export const hgroup: (...children: Child[]) => Node = /* @__PURE__ */ tag("hgroup");
/** `i`: text in another voice. */
export const i: (...children: Child[]) => Node = /* @__PURE__ */ tag("i");
/** `iframe`: a nested document. */
export const iframe: (...children: Child[]) => Node = /* @__PURE__ */ tag("iframe");
/** `ins`: added text. */
export const ins: (...children: Child[]) => Node = /* @__PURE__ */ tag("ins");
/** `kbd`: input from a user. */
export const kbd: (...children: Child[]) => Node = /* @__PURE__ */ tag("kbd");
/** `label`: a control's caption. The attribute is `labelAttr`. */
export const label: (...children: Child[]) => Node = /* @__PURE__ */ tag("label");
/** `legend`: a fieldset's caption. */
export const legend: (...children: Child[]) => Node = /* @__PURE__ */ tag("legend");
/** `li`: a list item. */
export const li: (...children: Child[]) => Node = /* @__PURE__ */ tag("li");
/** `main`: the main content. */
export const main: (...children: Child[]) => Node = /* @__PURE__ */ tag("main");
/** `mark`: highlighted text. */
export const mark: (...children: Child[]) => Node = /* @__PURE__ */ tag("mark");
/** `math`: a MathML formula. */
export const math: (...children: Child[]) => Node = /* @__PURE__ */ tag("math");
/** `menu`: a list of commands. */
export const menu: (...children: Child[]) => Node = /* @__PURE__ */ tag("menu");
/** `meter`: a gauge. */
export const meter: (...children: Child[]) => Node = /* @__PURE__ */ tag("meter");
/** `nav`: navigation links. */
export const nav: (...children: Child[]) => Node = /* @__PURE__ */ tag("nav");
/** `noscript`: content for browsers without script. */
export const noscript: (...children: Child[]) => Node = /* @__PURE__ */ tag("noscript");
/** `object`: an embedded object. */
export const object: (...children: Child[]) => Node = /* @__PURE__ */ tag("object");
/** `ol`: an ordered list. */
export const ol: (...children: Child[]) => Node = /* @__PURE__ */ tag("ol");
/** `optgroup`: a group of options. */
export const optgroup: (...children: Child[]) => Node = /* @__PURE__ */ tag("optgroup");
/** `option`: a choice in a select. */
export const option: (...children: Child[]) => Node = /* @__PURE__ */ tag("option");
/** `output`: a calculated value. */
export const output: (...children: Child[]) => Node = /* @__PURE__ */ tag("output");
/** `p`: a paragraph. */
export const p: (...children: Child[]) => Node = /* @__PURE__ */ tag("p");
/** `picture`: an image with several sources. */
export const picture: (...children: Child[]) => Node = /* @__PURE__ */ tag("picture");
/** `pre`: preformatted text. */
export const pre = (...children: Child[]): Node => lineElement("<pre", "</pre>", children);
/** `progress`: a progress bar. */
export const progress: (...children: Child[]) => Node = /* @__PURE__ */ tag("progress");
/** `q`: an inline quotation. */
export const q: (...children: Child[]) => Node = /* @__PURE__ */ tag("q");
/** `rp`: parentheses around ruby text. */
export const rp: (...children: Child[]) => Node = /* @__PURE__ */ tag("rp");
/** `rt`: ruby text. */
export const rt: (...children: Child[]) => Node = /* @__PURE__ */ tag("rt");
/** `ruby`: text with ruby annotations. */
export const ruby: (...children: Child[]) => Node = /* @__PURE__ */ tag("ruby");
/** `s`: text that is no longer accurate. */
export const s: (...children: Child[]) => Node = /* @__PURE__ */ tag("s");
/** `samp`: output of a program. */
export const samp: (...children: Child[]) => Node = /* @__PURE__ */ tag("samp");
/** `script`: a script, whose content comes from `raw` only. */
export const script = (...children: CodeChild[]): Node =>
  codeElement("<script", "</script>", children);
/** `search`: controls for a search. */
export const search: (...children: Child[]) => Node = /* @__PURE__ */ tag("search");
/** `section`: a section of a document. */
export const section: (...children: Child[]) => Node = /* @__PURE__ */ tag("section");
/** `select`: a choice from options. */
export const select: (...children: Child[]) => Node = /* @__PURE__ */ tag("select");
/** `selectedcontent`: the copy of the chosen option, inside a select's button. */
export const selectedcontent: (...children: Child[]) => Node = /* @__PURE__ */ tag(
  "selectedcontent",
);
/** `slot`: a slot in a shadow tree. */
export const slot: (...children: Child[]) => Node = /* @__PURE__ */ tag("slot");
/** `small`: side comments. */
export const small: (...children: Child[]) => Node = /* @__PURE__ */ tag("small");
/** `span`: a phrase without meaning. */
export const span: (...children: Child[]) => Node = /* @__PURE__ */ tag("span");
/** `strong`: important text. */
export const strong: (...children: Child[]) => Node = /* @__PURE__ */ tag("strong");
/** `style`: a style sheet, whose content comes from `raw` only. The attribute is `styleAttr`. */
export const style = (...children: CodeChild[]): Node =>
  codeElement("<style", "</style>", children);
/** `sub`: subscript. */
export const sub: (...children: Child[]) => Node = /* @__PURE__ */ tag("sub");
/** `summary`: the caption of a details element. */
export const summary: (...children: Child[]) => Node = /* @__PURE__ */ tag("summary");
/** `sup`: superscript. */
export const sup: (...children: Child[]) => Node = /* @__PURE__ */ tag("sup");
/** `table`: a table. */
export const table: (...children: Child[]) => Node = /* @__PURE__ */ tag("table");
/** `tbody`: a table's rows. */
export const tbody: (...children: Child[]) => Node = /* @__PURE__ */ tag("tbody");
/** `td`: a table cell. */
export const td: (...children: Child[]) => Node = /* @__PURE__ */ tag("td");
/** `template`: inert content for script. */
export const template: (...children: Child[]) => Node = /* @__PURE__ */ tag("template");
/** `textarea`: a text control of several lines. */
export const textarea = (...children: Child[]): Node =>
  lineElement("<textarea", "</textarea>", children);
/** `tfoot`: a table's footer rows. */
export const tfoot: (...children: Child[]) => Node = /* @__PURE__ */ tag("tfoot");
/** `th`: a table's header cell. */
export const th: (...children: Child[]) => Node = /* @__PURE__ */ tag("th");
/** `thead`: a table's header rows. */
export const thead: (...children: Child[]) => Node = /* @__PURE__ */ tag("thead");
/** `time`: a date or time in machine-readable form. */
export const time: (...children: Child[]) => Node = /* @__PURE__ */ tag("time");
/** `title`: the document's title. The attribute is `titleAttr`. */
export const title: (...children: Child[]) => Node = /* @__PURE__ */ tag("title");
/** `tr`: a table row. */
export const tr: (...children: Child[]) => Node = /* @__PURE__ */ tag("tr");
/** `u`: text with a non-textual annotation. */
export const u: (...children: Child[]) => Node = /* @__PURE__ */ tag("u");
/** `ul`: an unordered list. */
export const ul: (...children: Child[]) => Node = /* @__PURE__ */ tag("ul");
/** `var`: a variable. */
const var_: (...children: Child[]) => Node = /* @__PURE__ */ tag("var");
/** `video`: a video player. */
export const video: (...children: Child[]) => Node = /* @__PURE__ */ tag("video");

export { var_ as var };

// Void elements: attributes only, no content, no end tag. A child throws a `TypeError`.

/** `area`: a clickable area of an image map. */
export const area = (...attributes: Child[]): Node => voidElement("<area", attributes);
/** `base`: the base of the document's URLs. */
export const base = (...attributes: Child[]): Node => voidElement("<base", attributes);
/** `br`: a line break. */
export const br = (...attributes: Child[]): Node => voidElement("<br", attributes);
/** `col`: a table column. */
export const col = (...attributes: Child[]): Node => voidElement("<col", attributes);
/** `embed`: an embedded plug-in or document. */
export const embed = (...attributes: Child[]): Node => voidElement("<embed", attributes);
/** `hr`: a thematic break. */
export const hr = (...attributes: Child[]): Node => voidElement("<hr", attributes);
/** `img`: an image. */
export const img = (...attributes: Child[]): Node => voidElement("<img", attributes);
/** `input`: a form control. */
export const input = (...attributes: Child[]): Node => voidElement("<input", attributes);
/** `link`: a link to another resource. */
export const link = (...attributes: Child[]): Node => voidElement("<link", attributes);
/** `meta`: metadata. */
export const meta = (...attributes: Child[]): Node => voidElement("<meta", attributes);
/** `source`: a media source. */
export const source = (...attributes: Child[]): Node => voidElement("<source", attributes);
/** `track`: a text track of a media element. */
export const track = (...attributes: Child[]): Node => voidElement("<track", attributes);
/** `wbr`: a place where a line may break. */
export const wbr = (...attributes: Child[]): Node => voidElement("<wbr", attributes);
