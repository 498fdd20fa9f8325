/**
 * The attributes with a value that forms, their controls, meters and progress bars have; then HTML's boolean
 * attributes: present, or absent when their optional condition does not hold.
 */

import {
  type BooleanAttribute,
  booleanAttribute,
  type NumberValue,
  textAttribute,
  type TextValue,
  urlAttribute,
  type UrlValue,
} from "./attribute.ts";
import type { Node } from "./node.ts";

/** `accept`: file types that an upload control takes. */
export const accept = (value: TextValue): Node => textAttribute("accept", ' accept="', value);
/** `accept-charset`: character encodings of a form. */
export const acceptCharset = (value: TextValue): Node =>
  textAttribute("accept-charset", ' accept-charset="', value);
/** `action`: URL to which a form is sent. */
export const action = (value: UrlValue): Node => urlAttribute("action", ' action="', value);
/** `autocomplete`: what a browser may fill in. */
export const autocomplete = (value: TextValue): Node =>
  textAttribute("autocomplete", ' autocomplete="', value);
/** `cols`: width of a textarea in characters. */
export const cols = (value: NumberValue): Node => textAttribute("cols", ' cols="', value);
/** `dirname`: name of the field that carries the direction. */
export const dirname = (value: TextValue): Node => textAttribute("dirname", ' dirname="', value);
/** `enctype`: encoding of a form's body. */
export const enctype = (value: TextValue): Node => textAttribute("enctype", ' enctype="', value);
/** `enterkeyhint`: label of the enter key. */
export const enterkeyhint = (value: TextValue): Node =>
  textAttribute("enterkeyhint", ' enterkeyhint="', value);
/** `for`: id of the labelled control. */
const for_ = (value: TextValue): Node => textAttribute("for", ' for="', value);
/** `form`: id of the form that a control belongs to. */
export const formAttr = (value: TextValue): Node => textAttribute("form", ' form="', value);
/** `formaction`: URL to which the form is sent, for this button. */
export const formaction = (value: UrlValue): Node =>
  urlAttribute("formaction", ' formaction="', value);
/** `formenctype`: encoding of the form's body, for this button. */
export const formenctype = (value: TextValue): Node =>
  textAttribute("formenctype", ' formenctype="', value);
/** `formmethod`: method of the form, for this button. */
export const formmethod = (value: TextValue): Node =>
  textAttribute("formmethod", ' formmethod="', value);
/** `formtarget`: target of the form, for this button. */
export const formtarget = (value: TextValue): Node =>
  textAttribute("formtarget", ' formtarget="', value);
/** `high`: lower end of a gauge's high range. */
export const high = (value: NumberValue): Node => textAttribute("high", ' high="', value);
/** `inputmode`: kind of virtual keyboard. */
export const inputmode = (value: TextValue): Node =>
  textAttribute("inputmode", ' inputmode="', value);
/** `label`: caption of a track, an option or a group. */
export const labelAttr = (value: TextValue): Node => textAttribute("label", ' label="', value);
/** `list`: id of a control's suggestions. */
export const list = (value: TextValue): Node => textAttribute("list", ' list="', value);
/** `low`: upper end of a gauge's low range. */
export const low = (value: NumberValue): Node => textAttribute("low", ' low="', value);
/** `max`: largest value. */
export const max = (value: NumberValue): Node => textAttribute("max", ' max="', value);
/** `maxlength`: most characters. */
export const maxlength = (value: NumberValue): Node =>
  textAttribute("maxlength", ' maxlength="', value);
/** `method`: method of a form. */
export const method = (value: TextValue): Node => textAttribute("method", ' method="', value);
/** `min`: smallest value. */
export const min = (value: NumberValue): Node => textAttribute("min", ' min="', value);
/** `minlength`: fewest characters. */
export const minlength = (value: NumberValue): Node =>
  textAttribute("minlength", ' minlength="', value);
/** `optimum`: best value of a gauge. */
export const optimum = (value: NumberValue): Node => textAttribute("optimum", ' optimum="', value);
/** `pattern`: regular expression that a value must match. */
export const pattern = (value: TextValue): Node => textAttribute("pattern", ' pattern="', value);
/** `placeholder`: hint in an empty control. */
export const placeholder = (value: TextValue): Node =>
  textAttribute("placeholder", ' placeholder="', value);
/** `rows`: height of a textarea in lines. */
export const rows = (value: NumberValue): Node => textAttribute("rows", ' rows="', value);
/** `size`: width of a control in characters. */
export const size = (value: NumberValue): Node => textAttribute("size", ' size="', value);
/** `step`: step of a value. */
export const step = (value: NumberValue): Node => textAttribute("step", ' step="', value);
/** `value`: value of a control or a list item. */
export const value = (value: TextValue): Node => textAttribute("value", ' value="', value);
/** `wrap`: how a textarea's lines are submitted. */
export const wrap = (value: TextValue): Node => textAttribute("wrap", ' wrap="', value);

export { for_ as for };

/** `allowfullscreen`: lets a frame fill the screen. */
export const allowfullscreen: BooleanAttribute = /* @__PURE__ */ booleanAttribute(
  "allowfullscreen",
);
/** `alpha`: lets a picked colour be transparent. */
export const alpha: BooleanAttribute = /* @__PURE__ */ booleanAttribute("alpha");
/** `async`: runs a script when it has arrived. */
export const async: BooleanAttribute = /* @__PURE__ */ booleanAttribute("async");
/** `autofocus`: focuses the element when the page is shown. */
export const autofocus: BooleanAttribute = /* @__PURE__ */ booleanAttribute("autofocus");
/** `autoplay`: starts playing by itself. */
export const autoplay: BooleanAttribute = /* @__PURE__ */ booleanAttribute("autoplay");
/** `checked`: ticks a checkbox or radio button. */
export const checked: BooleanAttribute = /* @__PURE__ */ booleanAttribute("checked");
/** `controls`: shows a player's controls. */
export const controls: BooleanAttribute = /* @__PURE__ */ booleanAttribute("controls");
/** `default`: chooses a text track by default. */
export const default_: BooleanAttribute = /* @__PURE__ */ booleanAttribute("default");
/** `defer`: runs a script after the document. */
export const defer: BooleanAttribute = /* @__PURE__ */ booleanAttribute("defer");
/** `disabled`: switches a control off. */
export const disabled: BooleanAttribute = /* @__PURE__ */ booleanAttribute("disabled");
/** `formnovalidate`: skips validation, for this button. */
export const formnovalidate: BooleanAttribute = /* @__PURE__ */ booleanAttribute("formnovalidate");
/** `headingreset`: starts heading levels anew. */
export const headingreset: BooleanAttribute = /* @__PURE__ */ booleanAttribute("headingreset");
/** `inert`: makes an element unreachable. */
export const inert: BooleanAttribute = /* @__PURE__ */ booleanAttribute("inert");
/** `ismap`: sends the place of a click. */
export const ismap: BooleanAttribute = /* @__PURE__ */ booleanAttribute("ismap");
/** `itemscope`: starts a microdata item. */
export const itemscope: BooleanAttribute = /* @__PURE__ */ booleanAttribute("itemscope");
/** `loop`: plays again and again. */
export const loop: BooleanAttribute = /* @__PURE__ */ booleanAttribute("loop");
/** `multiple`: allows several values. */
export const multiple: BooleanAttribute = /* @__PURE__ */ booleanAttribute("multiple");
/** `muted`: plays without sound. */
export const muted: BooleanAttribute = /* @__PURE__ */ booleanAttribute("muted");
/** `nomodule`: keeps a script from browsers with modules. */
export const nomodule: BooleanAttribute = /* @__PURE__ */ booleanAttribute("nomodule");
/** `novalidate`: skips a form's validation. */
export const novalidate: BooleanAttribute = /* @__PURE__ */ booleanAttribute("novalidate");
/** `open`: shows a dialog's or details' content. */
export const open: BooleanAttribute = /* @__PURE__ */ booleanAttribute("open");
/** `playsinline`: plays a film in its place. */
export const playsinline: BooleanAttribute = /* @__PURE__ */ booleanAttribute("playsinline");
/** `readonly`: forbids changes of a control. */
export const readonly: BooleanAttribute = /* @__PURE__ */ booleanAttribute("readonly");
/** `required`: demands a value. */
export const required: BooleanAttribute = /* @__PURE__ */ booleanAttribute("required");
/** `reversed`: numbers a list downwards. */
export const reversed: BooleanAttribute = /* @__PURE__ */ booleanAttribute("reversed");
/** `selected`: chooses an option. */
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
