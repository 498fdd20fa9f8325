/**
 * SVG's common elements, one function each; the others are made by `el`. `text` and `pattern` are
 * taken by a helper and an attribute: `el("text", …)` makes those. Then its common attributes; `attr`
 * writes the others. `stroke-width` is `strokeWidth`; an attribute whose name an element has ends in `Attr`.
 */

import { type NumberValue, textAttribute } from "./attribute.ts";
import { element } from "./build.ts";
import type { Child, Node } from "./node.ts";

/** `svg`: an SVG drawing. */
export const svg = (...children: Child[]): Node => element("<svg", "</svg>", children);
/** `animate`: animates an attribute. */
export const animate = (...children: Child[]): Node => element("<animate", "</animate>", children);
/** `animateMotion`: moves an element along a path. */
export const animateMotion = (...children: Child[]): Node =>
  element("<animateMotion", "</animateMotion>", children);
/** `animateTransform`: animates a transformation. */
export const animateTransform = (...children: Child[]): Node =>
  element("<animateTransform", "</animateTransform>", children);
/** `circle`: a circle. */
export const circle = (...children: Child[]): Node => element("<circle", "</circle>", children);
/** `clipPath`: a clipping path. */
export const clipPath = (...children: Child[]): Node =>
  element("<clipPath", "</clipPath>", children);
/** `defs`: definitions for later use. */
export const defs = (...children: Child[]): Node => element("<defs", "</defs>", children);
/** `desc`: a description for assistive technology. */
export const desc = (...children: Child[]): Node => element("<desc", "</desc>", children);
/** `ellipse`: an ellipse. */
export const ellipse = (...children: Child[]): Node => element("<ellipse", "</ellipse>", children);
/** `feBlend`: blends two images. */
export const feBlend = (...children: Child[]): Node => element("<feBlend", "</feBlend>", children);
/** `feColorMatrix`: changes colours by a matrix. */
export const feColorMatrix = (...children: Child[]): Node =>
  element("<feColorMatrix", "</feColorMatrix>", children);
/** `feComposite`: composes two images. */
export const feComposite = (...children: Child[]): Node =>
  element("<feComposite", "</feComposite>", children);
/** `feDropShadow`: a drop shadow. */
export const feDropShadow = (...children: Child[]): Node =>
  element("<feDropShadow", "</feDropShadow>", children);
/** `feFlood`: fills an area with a colour. */
export const feFlood = (...children: Child[]): Node => element("<feFlood", "</feFlood>", children);
/** `feGaussianBlur`: blurs an image. */
export const feGaussianBlur = (...children: Child[]): Node =>
  element("<feGaussianBlur", "</feGaussianBlur>", children);
/** `feMerge`: layers several images. */
export const feMerge = (...children: Child[]): Node => element("<feMerge", "</feMerge>", children);
/** `feMergeNode`: one layer of a merge. */
export const feMergeNode = (...children: Child[]): Node =>
  element("<feMergeNode", "</feMergeNode>", children);
/** `feOffset`: moves an image. */
export const feOffset = (...children: Child[]): Node =>
  element("<feOffset", "</feOffset>", children);
/** `feTurbulence`: makes noise. */
export const feTurbulence = (...children: Child[]): Node =>
  element("<feTurbulence", "</feTurbulence>", children);
/** `filter`: a filter effect. */
export const filter = (...children: Child[]): Node => element("<filter", "</filter>", children);
/** `foreignObject`: HTML inside a drawing. */
export const foreignObject = (...children: Child[]): Node =>
  element("<foreignObject", "</foreignObject>", children);
/** `g`: a group of shapes. */
export const g = (...children: Child[]): Node => element("<g", "</g>", children);
/** `image`: an image in a drawing. */
export const image = (...children: Child[]): Node => element("<image", "</image>", children);
/** `line`: a straight line. */
export const line = (...children: Child[]): Node => element("<line", "</line>", children);
/** `linearGradient`: a gradient along a line. */
export const linearGradient = (...children: Child[]): Node =>
  element("<linearGradient", "</linearGradient>", children);
/** `marker`: a mark on a line's ends or corners. */
export const marker = (...children: Child[]): Node => element("<marker", "</marker>", children);
/** `mask`: a mask. */
export const mask = (...children: Child[]): Node => element("<mask", "</mask>", children);
/** `metadata`: metadata of a drawing. */
export const metadata = (...children: Child[]): Node =>
  element("<metadata", "</metadata>", children);
/** `mpath`: the path of an animation. */
export const mpath = (...children: Child[]): Node => element("<mpath", "</mpath>", children);
/** `path`: a shape of lines and curves. */
export const path = (...children: Child[]): Node => element("<path", "</path>", children);
/** `polygon`: a closed shape of straight lines. */
export const polygon = (...children: Child[]): Node => element("<polygon", "</polygon>", children);
/** `polyline`: connected straight lines. */
export const polyline = (...children: Child[]): Node =>
  element("<polyline", "</polyline>", children);
/** `radialGradient`: a gradient around a point. */
export const radialGradient = (...children: Child[]): Node =>
  element("<radialGradient", "</radialGradient>", children);
/** `rect`: a rectangle. */
export const rect = (...children: Child[]): Node => element("<rect", "</rect>", children);
/** `set`: sets an attribute for a time. */
export const set = (...children: Child[]): Node => element("<set", "</set>", children);
/** `stop`: a stop of a gradient. */
export const stop = (...children: Child[]): Node => element("<stop", "</stop>", children);
/** `switch`: the first child that can be shown. */
const switch_ = (...children: Child[]): Node => element("<switch", "</switch>", children);
/** `symbol`: a drawing to be used elsewhere. */
export const symbol = (...children: Child[]): Node => element("<symbol", "</symbol>", children);
/** `textPath`: text along a path. */
export const textPath = (...children: Child[]): Node =>
  element("<textPath", "</textPath>", children);
/** `tspan`: a part of a text. */
export const tspan = (...children: Child[]): Node => element("<tspan", "</tspan>", children);
/** `use`: another element, shown here. */
export const use = (...children: Child[]): Node => element("<use", "</use>", children);
/** `view`: a view of a drawing. */
export const view = (...children: Child[]): Node => element("<view", "</view>", children);

export { switch_ as switch };

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
