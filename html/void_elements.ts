/** HTML's void elements: attributes only, no content, no end tag. A child throws a `TypeError`. */

import { voidElement } from "./build.ts";
import type { Child, Node } from "./node.ts";

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
