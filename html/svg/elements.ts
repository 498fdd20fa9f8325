/**
 * SVG's common elements, one function each; the others are made by `el`. `text` and `pattern` are
 * taken by a helper and an attribute: `el("text", …)` makes those.
 */

import { element } from "../build.ts";
import type { Child, Node } from "../node.ts";

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
