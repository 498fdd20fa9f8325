/**
 * HTML's attributes with a value, one function each. An attribute whose name an element or a helper
 * has ends in `Attr`; a hyphen becomes a capital letter.
 */

import {
  type NumberValue,
  switchAttribute,
  type SwitchValue,
  textAttribute,
  type TextValue,
  urlAttribute,
  type UrlValue,
} from "./attribute.ts";
import type { Node } from "./node.ts";

/** `abbr`: short form of a header cell. */
export const abbrAttr = (value: TextValue): Node => textAttribute("abbr", ' abbr="', value);
/** `accesskey`: keyboard shortcut. */
export const accesskey = (value: TextValue): Node =>
  textAttribute("accesskey", ' accesskey="', value);
/** `allow`: permissions of a nested document. */
export const allow = (value: TextValue): Node => textAttribute("allow", ' allow="', value);
/** `alt`: text in place of an image. */
export const alt = (value: TextValue): Node => textAttribute("alt", ' alt="', value);
/** `as`: what a preload link loads. */
export const as = (value: TextValue): Node => textAttribute("as", ' as="', value);
/** `autocapitalize`: capitalisation of typed text. */
export const autocapitalize = (value: TextValue): Node =>
  textAttribute("autocapitalize", ' autocapitalize="', value);
/** `autocorrect`: `on` or `off`: correction of typed text. */
export const autocorrect = (value: SwitchValue = true): Node =>
  switchAttribute("autocorrect", value);
/** `blocking`: what waits for the resource. */
export const blocking = (value: TextValue): Node => textAttribute("blocking", ' blocking="', value);
/** `charset`: character encoding of the document. */
export const charset = (value: TextValue): Node => textAttribute("charset", ' charset="', value);
/** `cite`: source of a quotation or an edit. */
export const citeAttr = (value: UrlValue): Node => urlAttribute("cite", ' cite="', value);
/** `closedby`: what closes a dialog. */
export const closedby = (value: TextValue): Node => textAttribute("closedby", ' closedby="', value);
/** `color`: colour of an icon. */
export const color = (value: TextValue): Node => textAttribute("color", ' color="', value);
/** `colorspace`: colour space of a picked colour. */
export const colorspace = (value: TextValue): Node =>
  textAttribute("colorspace", ' colorspace="', value);
/** `colspan`: columns that a cell spans. */
export const colspan = (value: NumberValue): Node => textAttribute("colspan", ' colspan="', value);
/** `command`: what a button does to its target. */
export const command = (value: TextValue): Node => textAttribute("command", ' command="', value);
/** `commandfor`: id of the element that a button commands. */
export const commandfor = (value: TextValue): Node =>
  textAttribute("commandfor", ' commandfor="', value);
/** `content`: value of a meta element. */
export const content = (value: TextValue): Node => textAttribute("content", ' content="', value);
/** `contenteditable`: whether the content can be edited. */
export const contenteditable = (value: SwitchValue = true): Node =>
  switchAttribute("contenteditable", value);
/** `coords`: shape of an image map's area. */
export const coords = (value: TextValue): Node => textAttribute("coords", ' coords="', value);
/** `crossorigin`: how credentials travel for a resource. */
export const crossorigin = (value: TextValue): Node =>
  textAttribute("crossorigin", ' crossorigin="', value);
/** `datetime`: date or time for machines. */
export const datetime = (value: TextValue): Node => textAttribute("datetime", ' datetime="', value);
/** `decoding`: how an image is decoded. */
export const decoding = (value: TextValue): Node => textAttribute("decoding", ' decoding="', value);
/** `dir`: text direction. */
export const dir = (value: TextValue): Node => textAttribute("dir", ' dir="', value);
/** `download`: saves a link's target, under the given name if any. */
export const download = (value: SwitchValue = true): Node => switchAttribute("download", value);
/** `draggable`: whether the element can be dragged. */
export const draggable = (value: SwitchValue = true): Node => switchAttribute("draggable", value);
/** `exportparts`: parts that a shadow host exports. */
export const exportparts = (value: TextValue): Node =>
  textAttribute("exportparts", ' exportparts="', value);
/** `fetchpriority`: priority of a fetch. */
export const fetchpriority = (value: TextValue): Node =>
  textAttribute("fetchpriority", ' fetchpriority="', value);
/** `headers`: header cells of a cell. */
export const headers = (value: TextValue): Node => textAttribute("headers", ' headers="', value);
/** `headingoffset`: levels added to the headings inside. */
export const headingoffset = (value: NumberValue): Node =>
  textAttribute("headingoffset", ' headingoffset="', value);
/** `height`: height in pixels. */
export const height = (value: NumberValue): Node => textAttribute("height", ' height="', value);
/** `hidden`: hides the element; `until-found` lets a search show it. */
export const hidden = (value: SwitchValue = true): Node => switchAttribute("hidden", value);
/** `href`: URL of a link. */
export const href = (value: UrlValue): Node => urlAttribute("href", ' href="', value);
/** `hreflang`: language of the linked page. */
export const hreflang = (value: TextValue): Node => textAttribute("hreflang", ' hreflang="', value);
/** `http-equiv`: pragma of a meta element. */
export const httpEquiv = (value: TextValue): Node =>
  textAttribute("http-equiv", ' http-equiv="', value);
/** `id`: unique name in the document. */
export const id = (value: TextValue): Node => textAttribute("id", ' id="', value);
/** `imagesizes`: image sizes of a preload link. */
export const imagesizes = (value: TextValue): Node =>
  textAttribute("imagesizes", ' imagesizes="', value);
/** `imagesrcset`: image candidates of a preload link; images run no script, so it is not checked as a URL. */
export const imagesrcset = (value: TextValue): Node =>
  textAttribute("imagesrcset", ' imagesrcset="', value);
/** `integrity`: hash of a resource. */
export const integrity = (value: TextValue): Node =>
  textAttribute("integrity", ' integrity="', value);
/** `is`: custom element that extends a built-in one. */
export const is = (value: TextValue): Node => textAttribute("is", ' is="', value);
/** `itemid`: global identifier of a microdata item. */
export const itemid = (value: TextValue): Node => textAttribute("itemid", ' itemid="', value);
/** `itemprop`: property of a microdata item. */
export const itemprop = (value: TextValue): Node => textAttribute("itemprop", ' itemprop="', value);
/** `itemref`: elements with more properties of an item. */
export const itemref = (value: TextValue): Node => textAttribute("itemref", ' itemref="', value);
/** `itemtype`: type of a microdata item. */
export const itemtype = (value: TextValue): Node => textAttribute("itemtype", ' itemtype="', value);
/** `kind`: kind of text track. */
export const kind = (value: TextValue): Node => textAttribute("kind", ' kind="', value);
/** `lang`: language of the content. */
export const lang = (value: TextValue): Node => textAttribute("lang", ' lang="', value);
/** `loading`: when an image or a frame is loaded. */
export const loading = (value: TextValue): Node => textAttribute("loading", ' loading="', value);
/** `media`: media to which a resource applies. */
export const media = (value: TextValue): Node => textAttribute("media", ' media="', value);
/** `name`: name of a control, a form or a frame. */
export const name = (value: TextValue): Node => textAttribute("name", ' name="', value);
/** `nonce`: cryptographic nonce for a policy. */
export const nonce = (value: TextValue): Node => textAttribute("nonce", ' nonce="', value);
/** `part`: part names in a shadow tree. */
export const part = (value: TextValue): Node => textAttribute("part", ' part="', value);
/** `ping`: URLs notified when a link is followed. */
export const ping = (value: UrlValue): Node => urlAttribute("ping", ' ping="', value);
/** `popover`: makes the element a popover: `auto`, `hint` or `manual`. */
export const popover = (value: SwitchValue = true): Node => switchAttribute("popover", value);
/** `popovertarget`: id of the popover that a button controls. */
export const popovertarget = (value: TextValue): Node =>
  textAttribute("popovertarget", ' popovertarget="', value);
/** `popovertargetaction`: what a button does to its popover. */
export const popovertargetaction = (value: TextValue): Node =>
  textAttribute("popovertargetaction", ' popovertargetaction="', value);
/** `poster`: image shown before a film. */
export const poster = (value: UrlValue): Node => urlAttribute("poster", ' poster="', value);
/** `preload`: what of a film is loaded early. */
export const preload = (value: TextValue): Node => textAttribute("preload", ' preload="', value);
/** `referrerpolicy`: referrer sent with a request. */
export const referrerpolicy = (value: TextValue): Node =>
  textAttribute("referrerpolicy", ' referrerpolicy="', value);
/** `rel`: relation of the linked resource. */
export const rel = (value: TextValue): Node => textAttribute("rel", ' rel="', value);
/** `role`: what the element is, for assistive technology. */
export const role = (value: TextValue): Node => textAttribute("role", ' role="', value);
/** `rowspan`: rows that a cell spans. */
export const rowspan = (value: NumberValue): Node => textAttribute("rowspan", ' rowspan="', value);
/** `sandbox`: restrictions of a nested document. */
export const sandbox = (value: TextValue): Node => textAttribute("sandbox", ' sandbox="', value);
/** `scope`: cells to which a header cell applies. */
export const scope = (value: TextValue): Node => textAttribute("scope", ' scope="', value);
/** `shadowrootmode`: opens a declarative shadow root. */
export const shadowrootmode = (value: TextValue): Node =>
  textAttribute("shadowrootmode", ' shadowrootmode="', value);
/** `shadowrootslotassignment`: how slots of a declarative shadow root are filled. */
export const shadowrootslotassignment = (value: TextValue): Node =>
  textAttribute("shadowrootslotassignment", ' shadowrootslotassignment="', value);
/** `shape`: shape of an image map's area. */
export const shape = (value: TextValue): Node => textAttribute("shape", ' shape="', value);
/** `sizes`: image sizes or icon sizes. */
export const sizes = (value: TextValue): Node => textAttribute("sizes", ' sizes="', value);
/** `slot`: slot of a shadow tree that takes the element. */
export const slotAttr = (value: TextValue): Node => textAttribute("slot", ' slot="', value);
/** `span`: columns that a col or colgroup spans. */
export const spanAttr = (value: NumberValue): Node => textAttribute("span", ' span="', value);
/** `spellcheck`: whether spelling is checked. */
export const spellcheck = (value: SwitchValue = true): Node => switchAttribute("spellcheck", value);
/** `src`: URL of a resource. */
export const src = (value: UrlValue): Node => urlAttribute("src", ' src="', value);
/** `srclang`: language of a text track. */
export const srclang = (value: TextValue): Node => textAttribute("srclang", ' srclang="', value);
/** `srcset`: image candidates; images run no script, so it is not checked as a URL. */
export const srcset = (value: TextValue): Node => textAttribute("srcset", ' srcset="', value);
/** `start`: first number of a list. */
export const start = (value: NumberValue): Node => textAttribute("start", ' start="', value);
/** `style`: CSS of the element; escaped, but CSS from data can still restyle the page. */
export const styleAttr = (value: TextValue): Node => textAttribute("style", ' style="', value);
/** `tabindex`: position in the tab order. */
export const tabindex = (value: NumberValue): Node =>
  textAttribute("tabindex", ' tabindex="', value);
/** `target`: frame in which a link opens. */
export const target = (value: TextValue): Node => textAttribute("target", ' target="', value);
/** `title`: advisory text. */
export const titleAttr = (value: TextValue): Node => textAttribute("title", ' title="', value);
/** `translate`: `yes` or `no`: whether the text is translated. */
export const translate = (value: TextValue): Node =>
  textAttribute("translate", ' translate="', value);
/** `type`: type of a control, a script or a linked resource. */
export const type = (value: TextValue): Node => textAttribute("type", ' type="', value);
/** `usemap`: image map of an image. */
export const usemap = (value: TextValue): Node => textAttribute("usemap", ' usemap="', value);
/** `width`: width in pixels. */
export const width = (value: NumberValue): Node => textAttribute("width", ' width="', value);
/** `writingsuggestions`: whether the browser suggests text. */
export const writingsuggestions = (value: SwitchValue = true): Node =>
  switchAttribute("writingsuggestions", value);
