/**
 * SVG's common attributes, one function each; `attr` writes the others. `stroke-width` is
 * `strokeWidth`; an attribute whose name an element has ends in `Attr`.
 */

import { type NumberValue, textAttribute } from "../attribute.ts";
import type { Node } from "../node.ts";

/** `attributeName`: attribute that is animated. */
export const attributeName = (value: NumberValue): Node =>
  textAttribute("attributename", ' attributeName="', value);

/** `begin`: when an animation begins. */
export const begin = (value: NumberValue): Node => textAttribute("begin", ' begin="', value);

/** `clip-path`: clipping path. */
export const clipPathAttr = (value: NumberValue): Node =>
  textAttribute("clip-path", ' clip-path="', value);

/** `clip-rule`: inside of a clipping path. */
export const clipRule = (value: NumberValue): Node =>
  textAttribute("clip-rule", ' clip-rule="', value);

/** `cx`: centre, across. */
export const cx = (value: NumberValue): Node => textAttribute("cx", ' cx="', value);

/** `cy`: centre, down. */
export const cy = (value: NumberValue): Node => textAttribute("cy", ' cy="', value);

/** `d`: path data. */
export const d = (value: NumberValue): Node => textAttribute("d", ' d="', value);

/** `dominant-baseline`: baseline of a text. */
export const dominantBaseline = (value: NumberValue): Node =>
  textAttribute("dominant-baseline", ' dominant-baseline="', value);

/** `dur`: length of an animation. */
export const dur = (value: NumberValue): Node => textAttribute("dur", ' dur="', value);

/** `dx`: shift, across. */
export const dx = (value: NumberValue): Node => textAttribute("dx", ' dx="', value);

/** `dy`: shift, down. */
export const dy = (value: NumberValue): Node => textAttribute("dy", ' dy="', value);

/** `fill`: colour of the inside. */
export const fill = (value: NumberValue): Node => textAttribute("fill", ' fill="', value);

/** `fill-opacity`: opacity of the inside. */
export const fillOpacity = (value: NumberValue): Node =>
  textAttribute("fill-opacity", ' fill-opacity="', value);

/** `fill-rule`: inside of a shape. */
export const fillRule = (value: NumberValue): Node =>
  textAttribute("fill-rule", ' fill-rule="', value);

/** `filter`: filter effect. */
export const filterAttr = (value: NumberValue): Node => textAttribute("filter", ' filter="', value);

/** `font-family`: font of a text. */
export const fontFamily = (value: NumberValue): Node =>
  textAttribute("font-family", ' font-family="', value);

/** `font-size`: font size of a text. */
export const fontSize = (value: NumberValue): Node =>
  textAttribute("font-size", ' font-size="', value);

/** `font-weight`: font weight of a text. */
export const fontWeight = (value: NumberValue): Node =>
  textAttribute("font-weight", ' font-weight="', value);

/** `fx`: focal point of a gradient, across. */
export const fx = (value: NumberValue): Node => textAttribute("fx", ' fx="', value);

/** `fy`: focal point of a gradient, down. */
export const fy = (value: NumberValue): Node => textAttribute("fy", ' fy="', value);

/** `gradientTransform`: transformation of a gradient. */
export const gradientTransform = (value: NumberValue): Node =>
  textAttribute("gradienttransform", ' gradientTransform="', value);

/** `gradientUnits`: coordinates of a gradient. */
export const gradientUnits = (value: NumberValue): Node =>
  textAttribute("gradientunits", ' gradientUnits="', value);

/** `marker-end`: mark at a line's end. */
export const markerEnd = (value: NumberValue): Node =>
  textAttribute("marker-end", ' marker-end="', value);

/** `marker-mid`: mark at a line's corners. */
export const markerMid = (value: NumberValue): Node =>
  textAttribute("marker-mid", ' marker-mid="', value);

/** `marker-start`: mark at a line's start. */
export const markerStart = (value: NumberValue): Node =>
  textAttribute("marker-start", ' marker-start="', value);

/** `mask`: mask. */
export const maskAttr = (value: NumberValue): Node => textAttribute("mask", ' mask="', value);

/** `offset`: place of a gradient's stop. */
export const offset = (value: NumberValue): Node => textAttribute("offset", ' offset="', value);

/** `opacity`: opacity of the element. */
export const opacity = (value: NumberValue): Node => textAttribute("opacity", ' opacity="', value);

/** `orient`: direction of a marker. */
export const orient = (value: NumberValue): Node => textAttribute("orient", ' orient="', value);

/** `pathLength`: length of a path in own units. */
export const pathLength = (value: NumberValue): Node =>
  textAttribute("pathlength", ' pathLength="', value);

/** `patternUnits`: coordinates of a pattern. */
export const patternUnits = (value: NumberValue): Node =>
  textAttribute("patternunits", ' patternUnits="', value);

/** `points`: corners of a polygon or polyline. */
export const points = (value: NumberValue): Node => textAttribute("points", ' points="', value);

/** `preserveAspectRatio`: how a drawing fits its box. */
export const preserveAspectRatio = (value: NumberValue): Node =>
  textAttribute("preserveaspectratio", ' preserveAspectRatio="', value);

/** `r`: radius. */
export const r = (value: NumberValue): Node => textAttribute("r", ' r="', value);

/** `refX`: reference point of a marker, across. */
export const refX = (value: NumberValue): Node => textAttribute("refx", ' refX="', value);

/** `refY`: reference point of a marker, down. */
export const refY = (value: NumberValue): Node => textAttribute("refy", ' refY="', value);

/** `repeatCount`: how often an animation runs. */
export const repeatCount = (value: NumberValue): Node =>
  textAttribute("repeatcount", ' repeatCount="', value);

/** `rotate`: rotation of letters or along a path. */
export const rotate = (value: NumberValue): Node => textAttribute("rotate", ' rotate="', value);

/** `rx`: radius, across. */
export const rx = (value: NumberValue): Node => textAttribute("rx", ' rx="', value);

/** `ry`: radius, down. */
export const ry = (value: NumberValue): Node => textAttribute("ry", ' ry="', value);

/** `stop-color`: colour of a gradient's stop. */
export const stopColor = (value: NumberValue): Node =>
  textAttribute("stop-color", ' stop-color="', value);

/** `stop-opacity`: opacity of a gradient's stop. */
export const stopOpacity = (value: NumberValue): Node =>
  textAttribute("stop-opacity", ' stop-opacity="', value);

/** `stroke`: colour of the outline. */
export const stroke = (value: NumberValue): Node => textAttribute("stroke", ' stroke="', value);

/** `stroke-dasharray`: dashes of the outline. */
export const strokeDasharray = (value: NumberValue): Node =>
  textAttribute("stroke-dasharray", ' stroke-dasharray="', value);

/** `stroke-dashoffset`: start of the dashes. */
export const strokeDashoffset = (value: NumberValue): Node =>
  textAttribute("stroke-dashoffset", ' stroke-dashoffset="', value);

/** `stroke-linecap`: ends of the outline. */
export const strokeLinecap = (value: NumberValue): Node =>
  textAttribute("stroke-linecap", ' stroke-linecap="', value);

/** `stroke-linejoin`: corners of the outline. */
export const strokeLinejoin = (value: NumberValue): Node =>
  textAttribute("stroke-linejoin", ' stroke-linejoin="', value);

/** `stroke-miterlimit`: limit of pointed corners. */
export const strokeMiterlimit = (value: NumberValue): Node =>
  textAttribute("stroke-miterlimit", ' stroke-miterlimit="', value);

/** `stroke-opacity`: opacity of the outline. */
export const strokeOpacity = (value: NumberValue): Node =>
  textAttribute("stroke-opacity", ' stroke-opacity="', value);

/** `stroke-width`: width of the outline. */
export const strokeWidth = (value: NumberValue): Node =>
  textAttribute("stroke-width", ' stroke-width="', value);

/** `text-anchor`: alignment of a text. */
export const textAnchor = (value: NumberValue): Node =>
  textAttribute("text-anchor", ' text-anchor="', value);

/** `transform`: transformation. */
export const transform = (value: NumberValue): Node =>
  textAttribute("transform", ' transform="', value);

/** `vector-effect`: how an outline scales. */
export const vectorEffect = (value: NumberValue): Node =>
  textAttribute("vector-effect", ' vector-effect="', value);

/** `viewBox`: coordinates of a drawing. */
export const viewBox = (value: NumberValue): Node => textAttribute("viewbox", ' viewBox="', value);

/** `x`: position, across. */
export const x = (value: NumberValue): Node => textAttribute("x", ' x="', value);

/** `x1`: start of a line, across. */
export const x1 = (value: NumberValue): Node => textAttribute("x1", ' x1="', value);

/** `x2`: end of a line, across. */
export const x2 = (value: NumberValue): Node => textAttribute("x2", ' x2="', value);

/** `xmlns`: namespace of a drawing that stands alone. */
export const xmlns = (value: NumberValue): Node => textAttribute("xmlns", ' xmlns="', value);

/** `y`: position, down. */
export const y = (value: NumberValue): Node => textAttribute("y", ' y="', value);

/** `y1`: start of a line, down. */
export const y1 = (value: NumberValue): Node => textAttribute("y1", ' y1="', value);

/** `y2`: end of a line, down. */
export const y2 = (value: NumberValue): Node => textAttribute("y2", ' y2="', value);
