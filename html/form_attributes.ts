/** The attributes with a value that forms, their controls, meters and progress bars have. */

import {
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
