/** HTML's boolean attributes: present, or absent when their optional condition does not hold. */

import { type BooleanAttribute, booleanAttribute } from "./attribute.ts";

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
