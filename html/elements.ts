/**
 * HTML's elements, one function each. Helpers take precedence over the elements `data` and `map`,
 * which `el("data", …)` creates; `html` is the template tag as well.
 */

import { codeElement, element, lineElement, voidElement } from "./build.ts";
import type { Child, CodeChild, Node } from "./node.ts";

/** `a`: a hyperlink. */
export const a = (...children: Child[]): Node => element("<a", "</a>", children);
/** `abbr`: an abbreviation. */
export const abbr = (...children: Child[]): Node => element("<abbr", "</abbr>", children);
/** `address`: contact information. */
export const address = (...children: Child[]): Node => element("<address", "</address>", children);
/** `article`: a self-contained composition. */
export const article = (...children: Child[]): Node => element("<article", "</article>", children);
/** `aside`: content beside the main content. */
export const aside = (...children: Child[]): Node => element("<aside", "</aside>", children);
/** `audio`: an audio player. */
export const audio = (...children: Child[]): Node => element("<audio", "</audio>", children);
/** `b`: text set apart without importance. */
export const b = (...children: Child[]): Node => element("<b", "</b>", children);
/** `bdi`: text isolated from the direction around it. */
export const bdi = (...children: Child[]): Node => element("<bdi", "</bdi>", children);
/** `bdo`: text with its direction set. */
export const bdo = (...children: Child[]): Node => element("<bdo", "</bdo>", children);
/** `blockquote`: a quoted section. */
export const blockquote = (...children: Child[]): Node =>
  element("<blockquote", "</blockquote>", children);
/** `body`: the document's content. */
export const body = (...children: Child[]): Node => element("<body", "</body>", children);
/** `button`: a button. */
export const button = (...children: Child[]): Node => element("<button", "</button>", children);
/** `canvas`: a bitmap drawn by script. */
export const canvas = (...children: Child[]): Node => element("<canvas", "</canvas>", children);
/** `caption`: a table's caption. */
export const caption = (...children: Child[]): Node => element("<caption", "</caption>", children);
/** `cite`: the title of a work. */
export const cite = (...children: Child[]): Node => element("<cite", "</cite>", children);
/** `code`: computer code. */
export const code = (...children: Child[]): Node => element("<code", "</code>", children);
/** `colgroup`: a group of table columns. */
export const colgroup = (...children: Child[]): Node =>
  element("<colgroup", "</colgroup>", children);
/** `datalist`: suggestions for a control. */
export const datalist = (...children: Child[]): Node =>
  element("<datalist", "</datalist>", children);
/** `dd`: the description of a term. */
export const dd = (...children: Child[]): Node => element("<dd", "</dd>", children);
/** `del`: removed text. */
export const del = (...children: Child[]): Node => element("<del", "</del>", children);
/** `details`: a disclosure widget. */
export const details = (...children: Child[]): Node => element("<details", "</details>", children);
/** `dfn`: a term being defined. */
export const dfn = (...children: Child[]): Node => element("<dfn", "</dfn>", children);
/** `dialog`: a dialog box. */
export const dialog = (...children: Child[]): Node => element("<dialog", "</dialog>", children);
/** `div`: a division without meaning. */
export const div = (...children: Child[]): Node => element("<div", "</div>", children);
/** `dl`: a description list. */
export const dl = (...children: Child[]): Node => element("<dl", "</dl>", children);
/** `dt`: a term in a description list. */
export const dt = (...children: Child[]): Node => element("<dt", "</dt>", children);
/** `em`: stressed text. */
export const em = (...children: Child[]): Node => element("<em", "</em>", children);
/** `fieldset`: a group of form controls. */
export const fieldset = (...children: Child[]): Node =>
  element("<fieldset", "</fieldset>", children);
/** `figcaption`: a figure's caption. */
export const figcaption = (...children: Child[]): Node =>
  element("<figcaption", "</figcaption>", children);
/** `figure`: a figure with an optional caption. */
export const figure = (...children: Child[]): Node => element("<figure", "</figure>", children);
/** `footer`: the footer of a page or section. */
export const footer = (...children: Child[]): Node => element("<footer", "</footer>", children);
/** `form`: a form. */
export const form = (...children: Child[]): Node => element("<form", "</form>", children);
/** `h1`: a heading of level 1. */
export const h1 = (...children: Child[]): Node => element("<h1", "</h1>", children);
/** `h2`: a heading of level 2. */
export const h2 = (...children: Child[]): Node => element("<h2", "</h2>", children);
/** `h3`: a heading of level 3. */
export const h3 = (...children: Child[]): Node => element("<h3", "</h3>", children);
/** `h4`: a heading of level 4. */
export const h4 = (...children: Child[]): Node => element("<h4", "</h4>", children);
/** `h5`: a heading of level 5. */
export const h5 = (...children: Child[]): Node => element("<h5", "</h5>", children);
/** `h6`: a heading of level 6. */
export const h6 = (...children: Child[]): Node => element("<h6", "</h6>", children);
/** `head`: the document's metadata. */
export const head = (...children: Child[]): Node => element("<head", "</head>", children);
/** `header`: the header of a page or section. */
export const header = (...children: Child[]): Node => element("<header", "</header>", children);
/** `hgroup`: a heading with its secondary lines. */
export const hgroup = (...children: Child[]): Node => element("<hgroup", "</hgroup>", children);
/** `i`: text in another voice. */
export const i = (...children: Child[]): Node => element("<i", "</i>", children);
/** `iframe`: a nested document. */
export const iframe = (...children: Child[]): Node => element("<iframe", "</iframe>", children);
/** `ins`: added text. */
export const ins = (...children: Child[]): Node => element("<ins", "</ins>", children);
/** `kbd`: input from a user. */
export const kbd = (...children: Child[]): Node => element("<kbd", "</kbd>", children);
/** `label`: a control's caption. The attribute is `labelAttr`. */
export const label = (...children: Child[]): Node => element("<label", "</label>", children);
/** `legend`: a fieldset's caption. */
export const legend = (...children: Child[]): Node => element("<legend", "</legend>", children);
/** `li`: a list item. */
export const li = (...children: Child[]): Node => element("<li", "</li>", children);
/** `main`: the main content. */
export const main = (...children: Child[]): Node => element("<main", "</main>", children);
/** `mark`: highlighted text. */
export const mark = (...children: Child[]): Node => element("<mark", "</mark>", children);
/** `math`: a MathML formula. */
export const math = (...children: Child[]): Node => element("<math", "</math>", children);
/** `menu`: a list of commands. */
export const menu = (...children: Child[]): Node => element("<menu", "</menu>", children);
/** `meter`: a gauge. */
export const meter = (...children: Child[]): Node => element("<meter", "</meter>", children);
/** `nav`: navigation links. */
export const nav = (...children: Child[]): Node => element("<nav", "</nav>", children);
/** `noscript`: content for browsers without script. */
export const noscript = (...children: Child[]): Node =>
  element("<noscript", "</noscript>", children);
/** `object`: an embedded object. */
export const object = (...children: Child[]): Node => element("<object", "</object>", children);
/** `ol`: an ordered list. */
export const ol = (...children: Child[]): Node => element("<ol", "</ol>", children);
/** `optgroup`: a group of options. */
export const optgroup = (...children: Child[]): Node =>
  element("<optgroup", "</optgroup>", children);
/** `option`: a choice in a select. */
export const option = (...children: Child[]): Node => element("<option", "</option>", children);
/** `output`: a calculated value. */
export const output = (...children: Child[]): Node => element("<output", "</output>", children);
/** `p`: a paragraph. */
export const p = (...children: Child[]): Node => element("<p", "</p>", children);
/** `picture`: an image with several sources. */
export const picture = (...children: Child[]): Node => element("<picture", "</picture>", children);
/** `pre`: preformatted text. */
export const pre = (...children: Child[]): Node => lineElement("<pre", "</pre>", children);
/** `progress`: a progress bar. */
export const progress = (...children: Child[]): Node =>
  element("<progress", "</progress>", children);
/** `q`: an inline quotation. */
export const q = (...children: Child[]): Node => element("<q", "</q>", children);
/** `rp`: parentheses around ruby text. */
export const rp = (...children: Child[]): Node => element("<rp", "</rp>", children);
/** `rt`: ruby text. */
export const rt = (...children: Child[]): Node => element("<rt", "</rt>", children);
/** `ruby`: text with ruby annotations. */
export const ruby = (...children: Child[]): Node => element("<ruby", "</ruby>", children);
/** `s`: text that is no longer accurate. */
export const s = (...children: Child[]): Node => element("<s", "</s>", children);
/** `samp`: output of a program. */
export const samp = (...children: Child[]): Node => element("<samp", "</samp>", children);
/** `script`: a script, whose content comes from `raw` only. */
export const script = (...children: CodeChild[]): Node =>
  codeElement("<script", "</script>", children);
/** `search`: controls for a search. */
export const search = (...children: Child[]): Node => element("<search", "</search>", children);
/** `section`: a section of a document. */
export const section = (...children: Child[]): Node => element("<section", "</section>", children);
/** `select`: a choice from options. */
export const select = (...children: Child[]): Node => element("<select", "</select>", children);
/** `selectedcontent`: the copy of the chosen option, inside a select's button. */
export const selectedcontent = (...children: Child[]): Node =>
  element("<selectedcontent", "</selectedcontent>", children);
/** `slot`: a slot in a shadow tree. */
export const slot = (...children: Child[]): Node => element("<slot", "</slot>", children);
/** `small`: side comments. */
export const small = (...children: Child[]): Node => element("<small", "</small>", children);
/** `span`: a phrase without meaning. */
export const span = (...children: Child[]): Node => element("<span", "</span>", children);
/** `strong`: important text. */
export const strong = (...children: Child[]): Node => element("<strong", "</strong>", children);
/** `style`: a style sheet, whose content comes from `raw` only. The attribute is `styleAttr`. */
export const style = (...children: CodeChild[]): Node =>
  codeElement("<style", "</style>", children);
/** `sub`: subscript. */
export const sub = (...children: Child[]): Node => element("<sub", "</sub>", children);
/** `summary`: the caption of a details element. */
export const summary = (...children: Child[]): Node => element("<summary", "</summary>", children);
/** `sup`: superscript. */
export const sup = (...children: Child[]): Node => element("<sup", "</sup>", children);
/** `table`: a table. */
export const table = (...children: Child[]): Node => element("<table", "</table>", children);
/** `tbody`: a table's rows. */
export const tbody = (...children: Child[]): Node => element("<tbody", "</tbody>", children);
/** `td`: a table cell. */
export const td = (...children: Child[]): Node => element("<td", "</td>", children);
/** `template`: inert content for script. */
export const template = (...children: Child[]): Node =>
  element("<template", "</template>", children);
/** `textarea`: a text control of several lines. */
export const textarea = (...children: Child[]): Node =>
  lineElement("<textarea", "</textarea>", children);
/** `tfoot`: a table's footer rows. */
export const tfoot = (...children: Child[]): Node => element("<tfoot", "</tfoot>", children);
/** `th`: a table's header cell. */
export const th = (...children: Child[]): Node => element("<th", "</th>", children);
/** `thead`: a table's header rows. */
export const thead = (...children: Child[]): Node => element("<thead", "</thead>", children);
/** `time`: a date or time in machine-readable form. */
export const time = (...children: Child[]): Node => element("<time", "</time>", children);
/** `title`: the document's title. The attribute is `titleAttr`. */
export const title = (...children: Child[]): Node => element("<title", "</title>", children);
/** `tr`: a table row. */
export const tr = (...children: Child[]): Node => element("<tr", "</tr>", children);
/** `u`: text with a non-textual annotation. */
export const u = (...children: Child[]): Node => element("<u", "</u>", children);
/** `ul`: an unordered list. */
export const ul = (...children: Child[]): Node => element("<ul", "</ul>", children);
/** `var`: a variable. */
const var_ = (...children: Child[]): Node => element("<var", "</var>", children);
/** `video`: a video player. */
export const video = (...children: Child[]): Node => element("<video", "</video>", children);

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
