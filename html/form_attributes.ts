/**
 * Attributes with a value of forms, controls, meters and progress bars, then HTML's boolean
 * attributes, which are left out when their optional condition is false.
 */

import {
  type BooleanAttribute,
  booleanAttribute,
  type NumberAttribute,
  type TextAttribute,
  textAttribute,
  type UrlAttribute,
  urlAttribute,
} from "./attribute.ts";

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
