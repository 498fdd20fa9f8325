/**
 * SVG's common elements, one function each; the others are made by `el`. `text` is a helper and `pattern`
 * an attribute, so `el("text", …)` creates those elements. Then SVG's common attributes; `attr` writes
 * the others. `stroke-width` is `strokeWidth`; an attribute named like an element ends in `Attr`.
 */

import { textAttribute } from "./attribute.ts";
import { tag } from "./build.ts";
import type { NumberAttribute } from "./names.ts";
import type { Child, Node } from "./node.ts";

/** `svg`: an SVG drawing. */
export const svg: (...children: Child[]) => Node = /* @__PURE__ */ tag("svg");
/** `circle`: a circle. */
export const circle: (...children: Child[]) => Node = /* @__PURE__ */ tag("circle");
/** `clipPath`: a clipping path. */
export const clipPath: (...children: Child[]) => Node = /* @__PURE__ */ tag("clipPath");
/** `defs`: definitions for later use. */
export const defs: (...children: Child[]) => Node = /* @__PURE__ */ tag("defs");
/** `desc`: a description for assistive technology. */
export const desc: (...children: Child[]) => Node = /* @__PURE__ */ tag("desc");
/** `ellipse`: an ellipse. */
export const ellipse: (...children: Child[]) => Node = /* @__PURE__ */ tag("ellipse");
/** `foreignObject`: HTML inside a drawing. */
export const foreignObject: (...children: Child[]) => Node = /* @__PURE__ */ tag("foreignObject");
/** `g`: a group of shapes. */
export const g: (...children: Child[]) => Node = /* @__PURE__ */ tag("g");
/** `image`: an image in a drawing. */
export const image: (...children: Child[]) => Node = /* @__PURE__ */ tag("image");
/** `line`: a straight line. */
export const line: (...children: Child[]) => Node = /* @__PURE__ */ tag("line");
/** `linearGradient`: a gradient along a line. */
export const linearGradient: (...children: Child[]) => Node = /* @__PURE__ */ tag("linearGradient");
/** `marker`: a mark on a line's ends or corners. */
export const marker: (...children: Child[]) => Node = /* @__PURE__ */ tag("marker");
/** `mask`: a mask. */
export const mask: (...children: Child[]) => Node = /* @__PURE__ */ tag("mask");
/** `path`: a shape of lines and curves. */
export const path: (...children: Child[]) => Node = /* @__PURE__ */ tag("path");
/** `polygon`: a closed shape of straight lines. */
export const polygon: (...children: Child[]) => Node = /* @__PURE__ */ tag("polygon");
/** `polyline`: connected straight lines. */
export const polyline: (...children: Child[]) => Node = /* @__PURE__ */ tag("polyline");
/** `radialGradient`: a gradient around a point. */
export const radialGradient: (...children: Child[]) => Node = /* @__PURE__ */ tag("radialGradient");
/** `rect`: a rectangle. */
export const rect: (...children: Child[]) => Node = /* @__PURE__ */ tag("rect");
/** `stop`: a stop of a gradient. */
export const stop: (...children: Child[]) => Node = /* @__PURE__ */ tag("stop");
/** `symbol`: a drawing that `use` shows elsewhere. */
export const symbol: (...children: Child[]) => Node = /* @__PURE__ */ tag("symbol");
/** `textPath`: text along a path. */
export const textPath: (...children: Child[]) => Node = /* @__PURE__ */ tag("textPath");
/** `tspan`: a part of a text. */
export const tspan: (...children: Child[]) => Node = /* @__PURE__ */ tag("tspan");
/** `use`: a copy of another element. */
export const use: (...children: Child[]) => Node = /* @__PURE__ */ tag("use");

/** `clip-path`: clipping path. */
export const clipPathAttr: NumberAttribute = /* @__PURE__ */ textAttribute("clip-path");
/** `clip-rule`: rule that decides what is inside a clipping path. */
export const clipRule: NumberAttribute = /* @__PURE__ */ textAttribute("clip-rule");
/** `cx`: horizontal centre. */
export const cx: NumberAttribute = /* @__PURE__ */ textAttribute("cx");
/** `cy`: vertical centre. */
export const cy: NumberAttribute = /* @__PURE__ */ textAttribute("cy");
/** `d`: path data. */
export const d: NumberAttribute = /* @__PURE__ */ textAttribute("d");
/** `dominant-baseline`: baseline of a text. */
export const dominantBaseline: NumberAttribute = /* @__PURE__ */ textAttribute("dominant-baseline");
/** `dx`: horizontal shift. */
export const dx: NumberAttribute = /* @__PURE__ */ textAttribute("dx");
/** `dy`: vertical shift. */
export const dy: NumberAttribute = /* @__PURE__ */ textAttribute("dy");
/** `fill`: colour of the inside. */
export const fill: NumberAttribute = /* @__PURE__ */ textAttribute("fill");
/** `fill-opacity`: opacity of the inside. */
export const fillOpacity: NumberAttribute = /* @__PURE__ */ textAttribute("fill-opacity");
/** `fill-rule`: rule that decides what is inside a shape. */
export const fillRule: NumberAttribute = /* @__PURE__ */ textAttribute("fill-rule");
/** `filter`: filter effect. */
export const filterAttr: NumberAttribute = /* @__PURE__ */ textAttribute("filter");
/** `font-family`: font of a text. */
export const fontFamily: NumberAttribute = /* @__PURE__ */ textAttribute("font-family");
/** `font-size`: font size of a text. */
export const fontSize: NumberAttribute = /* @__PURE__ */ textAttribute("font-size");
/** `font-weight`: font weight of a text. */
export const fontWeight: NumberAttribute = /* @__PURE__ */ textAttribute("font-weight");
/** `gradientTransform`: transformation of a gradient. */
export const gradientTransform: NumberAttribute = /* @__PURE__ */ textAttribute(
  "gradientTransform",
);
/** `gradientUnits`: coordinates of a gradient. */
export const gradientUnits: NumberAttribute = /* @__PURE__ */ textAttribute("gradientUnits");
/** `marker-end`: mark at a line's end. */
export const markerEnd: NumberAttribute = /* @__PURE__ */ textAttribute("marker-end");
/** `marker-mid`: mark at a line's corners. */
export const markerMid: NumberAttribute = /* @__PURE__ */ textAttribute("marker-mid");
/** `marker-start`: mark at a line's start. */
export const markerStart: NumberAttribute = /* @__PURE__ */ textAttribute("marker-start");
/** `mask`: mask. */
export const maskAttr: NumberAttribute = /* @__PURE__ */ textAttribute("mask");
/** `offset`: place of a gradient's stop. */
export const offset: NumberAttribute = /* @__PURE__ */ textAttribute("offset");
/** `opacity`: opacity of the element. */
export const opacity: NumberAttribute = /* @__PURE__ */ textAttribute("opacity");
/** `orient`: direction of a marker. */
export const orient: NumberAttribute = /* @__PURE__ */ textAttribute("orient");
/** `points`: corners of a polygon or polyline. */
export const points: NumberAttribute = /* @__PURE__ */ textAttribute("points");
/** `preserveAspectRatio`: how a drawing fits its box. */
export const preserveAspectRatio: NumberAttribute = /* @__PURE__ */ textAttribute(
  "preserveAspectRatio",
);
/** `r`: radius. */
export const r: NumberAttribute = /* @__PURE__ */ textAttribute("r");
/** `refX`: horizontal reference point of a marker. */
export const refX: NumberAttribute = /* @__PURE__ */ textAttribute("refX");
/** `refY`: vertical reference point of a marker. */
export const refY: NumberAttribute = /* @__PURE__ */ textAttribute("refY");
/** `rx`: horizontal radius. */
export const rx: NumberAttribute = /* @__PURE__ */ textAttribute("rx");
/** `ry`: vertical radius. */
export const ry: NumberAttribute = /* @__PURE__ */ textAttribute("ry");
/** `stop-color`: colour of a gradient's stop. */
export const stopColor: NumberAttribute = /* @__PURE__ */ textAttribute("stop-color");
/** `stop-opacity`: opacity of a gradient's stop. */
export const stopOpacity: NumberAttribute = /* @__PURE__ */ textAttribute("stop-opacity");
/** `stroke`: colour of the outline. */
export const stroke: NumberAttribute = /* @__PURE__ */ textAttribute("stroke");
/** `stroke-dasharray`: dashes of the outline. */
export const strokeDasharray: NumberAttribute = /* @__PURE__ */ textAttribute("stroke-dasharray");
/** `stroke-dashoffset`: start of the dashes. */
export const strokeDashoffset: NumberAttribute = /* @__PURE__ */ textAttribute("stroke-dashoffset");
/** `stroke-linecap`: ends of the outline. */
export const strokeLinecap: NumberAttribute = /* @__PURE__ */ textAttribute("stroke-linecap");
/** `stroke-linejoin`: corners of the outline. */
export const strokeLinejoin: NumberAttribute = /* @__PURE__ */ textAttribute("stroke-linejoin");
/** `stroke-miterlimit`: limit of pointed corners. */
export const strokeMiterlimit: NumberAttribute = /* @__PURE__ */ textAttribute("stroke-miterlimit");
/** `stroke-opacity`: opacity of the outline. */
export const strokeOpacity: NumberAttribute = /* @__PURE__ */ textAttribute("stroke-opacity");
/** `stroke-width`: width of the outline. */
export const strokeWidth: NumberAttribute = /* @__PURE__ */ textAttribute("stroke-width");
/** `text-anchor`: alignment of a text. */
export const textAnchor: NumberAttribute = /* @__PURE__ */ textAttribute("text-anchor");
/** `transform`: transformation. */
export const transform: NumberAttribute = /* @__PURE__ */ textAttribute("transform");
/** `vector-effect`: how an outline scales. */
export const vectorEffect: NumberAttribute = /* @__PURE__ */ textAttribute("vector-effect");
/** `viewBox`: coordinates of a drawing. */
export const viewBox: NumberAttribute = /* @__PURE__ */ textAttribute("viewBox");
/** `x`: horizontal position. */
export const x: NumberAttribute = /* @__PURE__ */ textAttribute("x");
/** `x1`: horizontal start of a line. */
export const x1: NumberAttribute = /* @__PURE__ */ textAttribute("x1");
/** `x2`: horizontal end of a line. */
export const x2: NumberAttribute = /* @__PURE__ */ textAttribute("x2");
/** `xmlns`: namespace of a standalone drawing. */
export const xmlns: NumberAttribute = /* @__PURE__ */ textAttribute("xmlns");
/** `y`: vertical position. */
export const y: NumberAttribute = /* @__PURE__ */ textAttribute("y");
/** `y1`: vertical start of a line. */
export const y1: NumberAttribute = /* @__PURE__ */ textAttribute("y1");
/** `y2`: vertical end of a line. */
export const y2: NumberAttribute = /* @__PURE__ */ textAttribute("y2");
