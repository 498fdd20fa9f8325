/** HTML's boolean attributes: present, or absent when their optional condition does not hold. */

import { type BooleanAttribute, booleanAttribute } from "./attribute.ts";

/** `allowfullscreen`: lets a frame fill the screen. */
export const allowfullscreen: BooleanAttribute = booleanAttribute("allowfullscreen");

/** `alpha`: lets a picked colour be transparent. */
export const alpha: BooleanAttribute = booleanAttribute("alpha");

/** `async`: runs a script when it has arrived. */
export const async: BooleanAttribute = booleanAttribute("async");

/** `autofocus`: focuses the element when the page is shown. */
export const autofocus: BooleanAttribute = booleanAttribute("autofocus");

/** `autoplay`: starts playing by itself. */
export const autoplay: BooleanAttribute = booleanAttribute("autoplay");

/** `checked`: ticks a checkbox or radio button. */
export const checked: BooleanAttribute = booleanAttribute("checked");

/** `controls`: shows a player's controls. */
export const controls: BooleanAttribute = booleanAttribute("controls");

/** `default`: chooses a text track by default. */
export const default_: BooleanAttribute = booleanAttribute("default");

/** `defer`: runs a script after the document. */
export const defer: BooleanAttribute = booleanAttribute("defer");

/** `disabled`: switches a control off. */
export const disabled: BooleanAttribute = booleanAttribute("disabled");

/** `formnovalidate`: skips validation, for this button. */
export const formnovalidate: BooleanAttribute = booleanAttribute("formnovalidate");

/** `headingreset`: starts heading levels anew. */
export const headingreset: BooleanAttribute = booleanAttribute("headingreset");

/** `inert`: makes an element unreachable. */
export const inert: BooleanAttribute = booleanAttribute("inert");

/** `ismap`: sends the place of a click. */
export const ismap: BooleanAttribute = booleanAttribute("ismap");

/** `itemscope`: starts a microdata item. */
export const itemscope: BooleanAttribute = booleanAttribute("itemscope");

/** `loop`: plays again and again. */
export const loop: BooleanAttribute = booleanAttribute("loop");

/** `multiple`: allows several values. */
export const multiple: BooleanAttribute = booleanAttribute("multiple");

/** `muted`: plays without sound. */
export const muted: BooleanAttribute = booleanAttribute("muted");

/** `nomodule`: keeps a script from browsers with modules. */
export const nomodule: BooleanAttribute = booleanAttribute("nomodule");

/** `novalidate`: skips a form's validation. */
export const novalidate: BooleanAttribute = booleanAttribute("novalidate");

/** `open`: shows a dialog's or details' content. */
export const open: BooleanAttribute = booleanAttribute("open");

/** `playsinline`: plays a film in its place. */
export const playsinline: BooleanAttribute = booleanAttribute("playsinline");

/** `readonly`: forbids changes of a control. */
export const readonly: BooleanAttribute = booleanAttribute("readonly");

/** `required`: demands a value. */
export const required: BooleanAttribute = booleanAttribute("required");

/** `reversed`: numbers a list downwards. */
export const reversed: BooleanAttribute = booleanAttribute("reversed");

/** `selected`: chooses an option. */
export const selected: BooleanAttribute = booleanAttribute("selected");

/** `shadowrootclonable`: lets a declarative shadow root be cloned. */
export const shadowrootclonable: BooleanAttribute = booleanAttribute("shadowrootclonable");

/** `shadowrootcustomelementregistry`: gives a declarative shadow root its own registry. */
export const shadowrootcustomelementregistry: BooleanAttribute = booleanAttribute(
  "shadowrootcustomelementregistry",
);

/** `shadowrootdelegatesfocus`: passes focus into a declarative shadow root. */
export const shadowrootdelegatesfocus: BooleanAttribute = booleanAttribute(
  "shadowrootdelegatesfocus",
);

/** `shadowrootserializable`: lets a declarative shadow root be serialised. */
export const shadowrootserializable: BooleanAttribute = booleanAttribute("shadowrootserializable");
