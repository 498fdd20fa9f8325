/**
 * HTML's attributes, one function each: those with a value, those of forms, and the boolean ones, which
 * are left out when their optional condition is false. A name that an element or a helper also has gets
 * the suffix `Attr`; a hyphen becomes a capital letter.
 */

import { booleanAttribute, switchAttribute, textAttribute, urlAttribute } from "./attribute.ts";
import type {
  BooleanAttribute,
  NumberAttribute,
  SwitchAttribute,
  TextAttribute,
  UrlAttribute,
} from "./names.ts";

/** `abbr`: short form of a header cell. */
export const abbrAttr: TextAttribute = /* @__PURE__ */ textAttribute("abbr");
/** `accesskey`: keyboard shortcut. */
export const accesskey: TextAttribute = /* @__PURE__ */ textAttribute("accesskey");
/** `allow`: permissions of a nested document. */
export const allow: TextAttribute = /* @__PURE__ */ textAttribute("allow");
/** `alt`: text in place of an image. */
export const alt: TextAttribute = /* @__PURE__ */ textAttribute("alt");
/** `as`: kind of resource that a preload link loads. */
export const as: TextAttribute = /* @__PURE__ */ textAttribute("as");
/** `autocapitalize`: capitalisation of typed text. */
export const autocapitalize: TextAttribute = /* @__PURE__ */ textAttribute("autocapitalize");
/** `autocorrect`: correction of typed text, `on` or `off`. */
export const autocorrect: SwitchAttribute = /* @__PURE__ */ switchAttribute("autocorrect");
/** `blocking`: operations that wait for the resource. */
export const blocking: TextAttribute = /* @__PURE__ */ textAttribute("blocking");
/** `charset`: character encoding of the document. */
export const charset: TextAttribute = /* @__PURE__ */ textAttribute("charset");
/** `cite`: source of a quotation or an edit. */
export const citeAttr: UrlAttribute = /* @__PURE__ */ urlAttribute("cite");
/** `closedby`: what closes a dialog. */
export const closedby: TextAttribute = /* @__PURE__ */ textAttribute("closedby");
/** `color`: colour of an icon. */
export const color: TextAttribute = /* @__PURE__ */ textAttribute("color");
/** `colorspace`: colour space of a picked colour. */
export const colorspace: TextAttribute = /* @__PURE__ */ textAttribute("colorspace");
/** `colspan`: columns that a cell spans. */
export const colspan: NumberAttribute = /* @__PURE__ */ textAttribute("colspan");
/** `command`: what a button does to its target. */
export const command: TextAttribute = /* @__PURE__ */ textAttribute("command");
/** `commandfor`: id of the element that a button commands. */
export const commandfor: TextAttribute = /* @__PURE__ */ textAttribute("commandfor");
/** `content`: value of a meta element. */
export const content: TextAttribute = /* @__PURE__ */ textAttribute("content");
/** `contenteditable`: whether the content can be edited. */
export const contenteditable: SwitchAttribute = /* @__PURE__ */ switchAttribute("contenteditable");
/** `coords`: shape of an image map's area. */
export const coords: TextAttribute = /* @__PURE__ */ textAttribute("coords");
/** `crossorigin`: whether a cross-origin request sends credentials. */
export const crossorigin: TextAttribute = /* @__PURE__ */ textAttribute("crossorigin");
/** `datetime`: date or time for machines. */
export const datetime: TextAttribute = /* @__PURE__ */ textAttribute("datetime");
/** `decoding`: how an image is decoded. */
export const decoding: TextAttribute = /* @__PURE__ */ textAttribute("decoding");
/** `dir`: text direction. */
export const dir: TextAttribute = /* @__PURE__ */ textAttribute("dir");
/** `download`: saves a link's target, under the given name if any. */
export const download: SwitchAttribute = /* @__PURE__ */ switchAttribute("download");
/** `draggable`: whether the element can be dragged. */
export const draggable: SwitchAttribute = /* @__PURE__ */ switchAttribute("draggable");
/** `exportparts`: parts that a shadow host exports. */
export const exportparts: TextAttribute = /* @__PURE__ */ textAttribute("exportparts");
/** `fetchpriority`: priority of a fetch. */
export const fetchpriority: TextAttribute = /* @__PURE__ */ textAttribute("fetchpriority");
/** `headers`: header cells of a cell. */
export const headers: TextAttribute = /* @__PURE__ */ textAttribute("headers");
/** `headingoffset`: levels added to the headings inside. */
export const headingoffset: NumberAttribute = /* @__PURE__ */ textAttribute("headingoffset");
/** `height`: height in pixels. */
export const height: NumberAttribute = /* @__PURE__ */ textAttribute("height");
/** `hidden`: hides the element; `until-found` lets a search show it. */
export const hidden: SwitchAttribute = /* @__PURE__ */ switchAttribute("hidden");
/** `href`: URL of a link's target. */
export const href: UrlAttribute = /* @__PURE__ */ urlAttribute("href");
/** `hreflang`: language of the linked page. */
export const hreflang: TextAttribute = /* @__PURE__ */ textAttribute("hreflang");
/** `http-equiv`: pragma of a meta element. */
export const httpEquiv: TextAttribute = /* @__PURE__ */ textAttribute("http-equiv");
/** `id`: unique name in the document. */
export const id: TextAttribute = /* @__PURE__ */ textAttribute("id");
/** `imagesizes`: image sizes of a preload link. */
export const imagesizes: TextAttribute = /* @__PURE__ */ textAttribute("imagesizes");
/** `imagesrcset`: image candidates of a preload link; images run no script, so it is not checked as a URL. */
export const imagesrcset: TextAttribute = /* @__PURE__ */ textAttribute("imagesrcset");
/** `integrity`: hash of a resource. */
export const integrity: TextAttribute = /* @__PURE__ */ textAttribute("integrity");
/** `is`: custom element that extends a built-in one. */
export const is: TextAttribute = /* @__PURE__ */ textAttribute("is");
/** `itemid`: global identifier of a microdata item. */
export const itemid: TextAttribute = /* @__PURE__ */ textAttribute("itemid");
/** `itemprop`: property of a microdata item. */
export const itemprop: TextAttribute = /* @__PURE__ */ textAttribute("itemprop");
/** `itemref`: elements with more properties of an item. */
export const itemref: TextAttribute = /* @__PURE__ */ textAttribute("itemref");
/** `itemtype`: type of a microdata item. */
export const itemtype: TextAttribute = /* @__PURE__ */ textAttribute("itemtype");
/** `kind`: kind of text track. */
export const kind: TextAttribute = /* @__PURE__ */ textAttribute("kind");
/** `lang`: language of the content. */
export const lang: TextAttribute = /* @__PURE__ */ textAttribute("lang");
/** `loading`: when an image or a frame is loaded. */
export const loading: TextAttribute = /* @__PURE__ */ textAttribute("loading");
/** `media`: media to which a resource applies. */
export const media: TextAttribute = /* @__PURE__ */ textAttribute("media");
/** `name`: name of a control, a form or a frame. */
export const name: TextAttribute = /* @__PURE__ */ textAttribute("name");
/** `nonce`: cryptographic nonce for a policy. */
export const nonce: TextAttribute = /* @__PURE__ */ textAttribute("nonce");
/** `part`: part names in a shadow tree. */
export const part: TextAttribute = /* @__PURE__ */ textAttribute("part");
/** `ping`: URLs notified when a link is followed. */
export const ping: UrlAttribute = /* @__PURE__ */ urlAttribute("ping");
/** `popover`: makes the element a popover: `auto`, `hint` or `manual`. */
export const popover: SwitchAttribute = /* @__PURE__ */ switchAttribute("popover");
/** `popovertarget`: id of the popover that a button controls. */
export const popovertarget: TextAttribute = /* @__PURE__ */ textAttribute("popovertarget");
/** `popovertargetaction`: what a button does to its popover. */
export const popovertargetaction: TextAttribute = /* @__PURE__ */ textAttribute(
  "popovertargetaction",
);
/** `poster`: image shown before a video plays. */
export const poster: UrlAttribute = /* @__PURE__ */ urlAttribute("poster");
/** `preload`: how much of an audio or video file is loaded before it plays. */
export const preload: TextAttribute = /* @__PURE__ */ textAttribute("preload");
/** `referrerpolicy`: referrer sent with a request. */
export const referrerpolicy: TextAttribute = /* @__PURE__ */ textAttribute("referrerpolicy");
/** `rel`: relation of the linked resource. */
export const rel: TextAttribute = /* @__PURE__ */ textAttribute("rel");
/** `role`: role of the element for assistive technology. */
export const role: TextAttribute = /* @__PURE__ */ textAttribute("role");
/** `rowspan`: rows that a cell spans. */
export const rowspan: NumberAttribute = /* @__PURE__ */ textAttribute("rowspan");
/** `sandbox`: restrictions of a nested document. */
export const sandbox: TextAttribute = /* @__PURE__ */ textAttribute("sandbox");
/** `scope`: cells to which a header cell applies. */
export const scope: TextAttribute = /* @__PURE__ */ textAttribute("scope");
/** `shadowrootmode`: opens a declarative shadow root. */
export const shadowrootmode: TextAttribute = /* @__PURE__ */ textAttribute("shadowrootmode");
/** `shadowrootslotassignment`: how slots of a declarative shadow root are filled. */
export const shadowrootslotassignment: TextAttribute = /* @__PURE__ */ textAttribute(
  "shadowrootslotassignment",
);
/** `shape`: shape of an image map's area. */
export const shape: TextAttribute = /* @__PURE__ */ textAttribute("shape");
/** `sizes`: image sizes or icon sizes. */
export const sizes: TextAttribute = /* @__PURE__ */ textAttribute("sizes");
/** `slot`: slot of the shadow tree that receives the element. */
export const slotAttr: TextAttribute = /* @__PURE__ */ textAttribute("slot");
/** `span`: columns that a col or colgroup spans. */
export const spanAttr: NumberAttribute = /* @__PURE__ */ textAttribute("span");
/** `spellcheck`: whether spelling is checked. */
export const spellcheck: SwitchAttribute = /* @__PURE__ */ switchAttribute("spellcheck");
/** `src`: URL of a resource. */
export const src: UrlAttribute = /* @__PURE__ */ urlAttribute("src");
/** `srclang`: language of a text track. */
export const srclang: TextAttribute = /* @__PURE__ */ textAttribute("srclang");
/** `srcset`: image candidates; images run no script, so it is not checked as a URL. */
export const srcset: TextAttribute = /* @__PURE__ */ textAttribute("srcset");
/** `start`: first number of a list. */
export const start: NumberAttribute = /* @__PURE__ */ textAttribute("start");
/** `style`: CSS of the element; escaped, but CSS from data can still restyle the page. */
export const styleAttr: TextAttribute = /* @__PURE__ */ textAttribute("style");
/** `tabindex`: position in the tab order. */
export const tabindex: NumberAttribute = /* @__PURE__ */ textAttribute("tabindex");
/** `target`: frame in which a link opens. */
export const target: TextAttribute = /* @__PURE__ */ textAttribute("target");
/** `title`: advisory text. */
export const titleAttr: TextAttribute = /* @__PURE__ */ textAttribute("title");
/** `translate`: whether the text is translated, `yes` or `no`. */
export const translate: TextAttribute = /* @__PURE__ */ textAttribute("translate");
/** `type`: type of a control, a script or a linked resource. */
export const type: TextAttribute = /* @__PURE__ */ textAttribute("type");
/** `usemap`: image map of an image. */
export const usemap: TextAttribute = /* @__PURE__ */ textAttribute("usemap");
/** `width`: width in pixels. */
export const width: NumberAttribute = /* @__PURE__ */ textAttribute("width");
/** `writingsuggestions`: whether the browser suggests text. */
export const writingsuggestions: SwitchAttribute = /* @__PURE__ */ switchAttribute(
  "writingsuggestions",
);

/** `accept`: file types that an upload control accepts. */
export const accept: TextAttribute = /* @__PURE__ */ textAttribute("accept");
/** `accept-charset`: character encodings of a form. */
export const acceptCharset: TextAttribute = /* @__PURE__ */ textAttribute("accept-charset");
/** `action`: URL to which a form is submitted. */
export const action: UrlAttribute = /* @__PURE__ */ urlAttribute("action");
/** `autocomplete`: what a browser may fill in. */
export const autocomplete: TextAttribute = /* @__PURE__ */ textAttribute("autocomplete");
/** `cols`: width of a textarea in characters. */
export const cols: NumberAttribute = /* @__PURE__ */ textAttribute("cols");
/** `dirname`: name of the field that submits the text direction. */
export const dirname: TextAttribute = /* @__PURE__ */ textAttribute("dirname");
/** `enctype`: encoding of a form's body. */
export const enctype: TextAttribute = /* @__PURE__ */ textAttribute("enctype");
/** `enterkeyhint`: label of the enter key. */
export const enterkeyhint: TextAttribute = /* @__PURE__ */ textAttribute("enterkeyhint");
/** `for`: id of the labelled control. */
const for_: TextAttribute = /* @__PURE__ */ textAttribute("for");
/** `form`: id of the form that a control belongs to. */
export const formAttr: TextAttribute = /* @__PURE__ */ textAttribute("form");
/** `formaction`: URL to which this button submits the form. */
export const formaction: UrlAttribute = /* @__PURE__ */ urlAttribute("formaction");
/** `formenctype`: encoding of the form's body when this button submits it. */
export const formenctype: TextAttribute = /* @__PURE__ */ textAttribute("formenctype");
/** `formmethod`: method with which this button submits the form. */
export const formmethod: TextAttribute = /* @__PURE__ */ textAttribute("formmethod");
/** `formtarget`: frame that shows the response when this button submits the form. */
export const formtarget: TextAttribute = /* @__PURE__ */ textAttribute("formtarget");
/** `high`: lower end of a gauge's high range. */
export const high: NumberAttribute = /* @__PURE__ */ textAttribute("high");
/** `inputmode`: kind of virtual keyboard. */
export const inputmode: TextAttribute = /* @__PURE__ */ textAttribute("inputmode");
/** `label`: caption of a track, an option or a group. */
export const labelAttr: TextAttribute = /* @__PURE__ */ textAttribute("label");
/** `list`: id of a control's suggestions. */
export const list: TextAttribute = /* @__PURE__ */ textAttribute("list");
/** `low`: upper end of a gauge's low range. */
export const low: NumberAttribute = /* @__PURE__ */ textAttribute("low");
/** `max`: largest value. */
export const max: NumberAttribute = /* @__PURE__ */ textAttribute("max");
/** `maxlength`: maximum number of characters. */
export const maxlength: NumberAttribute = /* @__PURE__ */ textAttribute("maxlength");
/** `method`: method of a form. */
export const method: TextAttribute = /* @__PURE__ */ textAttribute("method");
/** `min`: smallest value. */
export const min: NumberAttribute = /* @__PURE__ */ textAttribute("min");
/** `minlength`: minimum number of characters. */
export const minlength: NumberAttribute = /* @__PURE__ */ textAttribute("minlength");
/** `optimum`: best value of a gauge. */
export const optimum: NumberAttribute = /* @__PURE__ */ textAttribute("optimum");
/** `pattern`: regular expression that a value must match. */
export const pattern: TextAttribute = /* @__PURE__ */ textAttribute("pattern");
/** `placeholder`: hint in an empty control. */
export const placeholder: TextAttribute = /* @__PURE__ */ textAttribute("placeholder");
/** `rows`: height of a textarea in lines. */
export const rows: NumberAttribute = /* @__PURE__ */ textAttribute("rows");
/** `size`: width of a control in characters. */
export const size: NumberAttribute = /* @__PURE__ */ textAttribute("size");
/** `step`: step of a value. */
export const step: NumberAttribute = /* @__PURE__ */ textAttribute("step");
/** `value`: value of a control or a list item. */
export const value: TextAttribute = /* @__PURE__ */ textAttribute("value");
/** `wrap`: how a textarea's lines are submitted. */
export const wrap: TextAttribute = /* @__PURE__ */ textAttribute("wrap");

export { for_ as for };

/** `allowfullscreen`: lets a frame fill the screen. */
export const allowfullscreen: BooleanAttribute = /* @__PURE__ */ booleanAttribute(
  "allowfullscreen",
);
/** `alpha`: lets a picked colour be transparent. */
export const alpha: BooleanAttribute = /* @__PURE__ */ booleanAttribute("alpha");
/** `async`: runs a script as soon as it has loaded. */
export const async: BooleanAttribute = /* @__PURE__ */ booleanAttribute("async");
/** `autofocus`: focuses the element when the page is shown. */
export const autofocus: BooleanAttribute = /* @__PURE__ */ booleanAttribute("autofocus");
/** `autoplay`: starts playing automatically. */
export const autoplay: BooleanAttribute = /* @__PURE__ */ booleanAttribute("autoplay");
/** `checked`: ticks a checkbox or radio button. */
export const checked: BooleanAttribute = /* @__PURE__ */ booleanAttribute("checked");
/** `controls`: shows a player's controls. */
export const controls: BooleanAttribute = /* @__PURE__ */ booleanAttribute("controls");
/** `default`: enables a text track by default. */
export const default_: BooleanAttribute = /* @__PURE__ */ booleanAttribute("default");
/** `defer`: runs a script after the document is parsed. */
export const defer: BooleanAttribute = /* @__PURE__ */ booleanAttribute("defer");
/** `disabled`: disables a control. */
export const disabled: BooleanAttribute = /* @__PURE__ */ booleanAttribute("disabled");
/** `formnovalidate`: skips validation when this button submits the form. */
export const formnovalidate: BooleanAttribute = /* @__PURE__ */ booleanAttribute("formnovalidate");
/** `headingreset`: resets the heading level. */
export const headingreset: BooleanAttribute = /* @__PURE__ */ booleanAttribute("headingreset");
/** `inert`: excludes an element from focus, clicks and assistive technology. */
export const inert: BooleanAttribute = /* @__PURE__ */ booleanAttribute("inert");
/** `ismap`: sends the coordinates of a click. */
export const ismap: BooleanAttribute = /* @__PURE__ */ booleanAttribute("ismap");
/** `itemscope`: starts a microdata item. */
export const itemscope: BooleanAttribute = /* @__PURE__ */ booleanAttribute("itemscope");
/** `loop`: repeats playback. */
export const loop: BooleanAttribute = /* @__PURE__ */ booleanAttribute("loop");
/** `multiple`: allows several values. */
export const multiple: BooleanAttribute = /* @__PURE__ */ booleanAttribute("multiple");
/** `muted`: plays without sound. */
export const muted: BooleanAttribute = /* @__PURE__ */ booleanAttribute("muted");
/** `nomodule`: skips a script in browsers that support modules. */
export const nomodule: BooleanAttribute = /* @__PURE__ */ booleanAttribute("nomodule");
/** `novalidate`: skips a form's validation. */
export const novalidate: BooleanAttribute = /* @__PURE__ */ booleanAttribute("novalidate");
/** `open`: shows a dialog's or details' content. */
export const open: BooleanAttribute = /* @__PURE__ */ booleanAttribute("open");
/** `playsinline`: plays a video in the page instead of in full screen. */
export const playsinline: BooleanAttribute = /* @__PURE__ */ booleanAttribute("playsinline");
/** `readonly`: prevents the user from editing a control. */
export const readonly: BooleanAttribute = /* @__PURE__ */ booleanAttribute("readonly");
/** `required`: requires a value. */
export const required: BooleanAttribute = /* @__PURE__ */ booleanAttribute("required");
/** `reversed`: numbers a list in descending order. */
export const reversed: BooleanAttribute = /* @__PURE__ */ booleanAttribute("reversed");
/** `selected`: preselects an option. */
export const selected: BooleanAttribute = /* @__PURE__ */ booleanAttribute("selected");
/** `shadowrootclonable`: lets a declarative shadow root be cloned. */
export const shadowrootclonable: BooleanAttribute = /* @__PURE__ */ booleanAttribute(
  "shadowrootclonable",
);
/** `shadowrootcustomelementregistry`: gives a declarative shadow root its own registry. */
export const shadowrootcustomelementregistry: BooleanAttribute = /* @__PURE__ */ booleanAttribute(
  "shadowrootcustomelementregistry",
);
/** `shadowrootdelegatesfocus`: passes focus into a declarative shadow root. */
export const shadowrootdelegatesfocus: BooleanAttribute = /* @__PURE__ */ booleanAttribute(
  "shadowrootdelegatesfocus",
);
/** `shadowrootserializable`: lets a declarative shadow root be serialised. */
export const shadowrootserializable: BooleanAttribute = /* @__PURE__ */ booleanAttribute(
  "shadowrootserializable",
);
