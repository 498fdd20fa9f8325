/** Props of JSX: the attributes of SVG elements. */

import type * as svg from "../svg.ts";
import type { GlobalProps, NumberProp, PropsFrom, TextProp, UrlProp, Words } from "./props.ts";

/** The functions of SVG's attributes that are written as they are called. */
export type SvgNames =
  | Words<"attributeName begin cx cy d dur dx dy fill fx fy gradientTransform gradientUnits">
  | Words<"offset opacity orient pathLength patternUnits points preserveAspectRatio r refX refY">
  | Words<"repeatCount rotate rx ry stroke transform viewBox x x1 x2 xmlns y y1 y2">;

/** The attributes of SVG elements. */
export interface SvgProps extends GlobalProps, PropsFrom<Pick<typeof svg, SvgNames>> {
  /** Step of an animation. */
  by?: UrlProp;
  /** Clipping path. */
  "clip-path"?: NumberProp;
  /** Inside of a clipping path. */
  "clip-rule"?: NumberProp;
  /** Baseline of a text. */
  "dominant-baseline"?: NumberProp;
  /** Opacity of the inside. */
  "fill-opacity"?: NumberProp;
  /** Inside of a shape. */
  "fill-rule"?: NumberProp;
  /** Filter effect. */
  filter?: NumberProp;
  /** Font of a text. */
  "font-family"?: NumberProp;
  /** Font size of a text. */
  "font-size"?: NumberProp;
  /** Font weight of a text. */
  "font-weight"?: NumberProp;
  /** First value of an animation. */
  from?: UrlProp;
  /** Height. */
  height?: NumberProp;
  /** Target of a reference. */
  href?: UrlProp;
  /** Mark at a line's end. */
  "marker-end"?: NumberProp;
  /** Mark at a line's corners. */
  "marker-mid"?: NumberProp;
  /** Mark at a line's start. */
  "marker-start"?: NumberProp;
  /** Mask. */
  mask?: NumberProp;
  /** Colour of a gradient's stop. */
  "stop-color"?: NumberProp;
  /** Opacity of a gradient's stop. */
  "stop-opacity"?: NumberProp;
  /** Dashes of the outline. */
  "stroke-dasharray"?: NumberProp;
  /** Start of the dashes. */
  "stroke-dashoffset"?: NumberProp;
  /** Ends of the outline. */
  "stroke-linecap"?: NumberProp;
  /** Corners of the outline. */
  "stroke-linejoin"?: NumberProp;
  /** Limit of pointed corners. */
  "stroke-miterlimit"?: NumberProp;
  /** Opacity of the outline. */
  "stroke-opacity"?: NumberProp;
  /** Width of the outline. */
  "stroke-width"?: NumberProp;
  /** Alignment of a text. */
  "text-anchor"?: NumberProp;
  /** Last value of an animation. */
  to?: UrlProp;
  /** Kind of a transformation or filter. */
  type?: TextProp;
  /** Values of an animation. */
  values?: TextProp;
  /** Scaling of an outline. */
  "vector-effect"?: NumberProp;
  /** Width. */
  width?: NumberProp;
  /** Target of a reference, old form. */
  "xlink:href"?: UrlProp;
  /** No attribute: the name is `class`. */
  className?: never;
  /** No attribute: the name is `for`. */
  htmlFor?: never;
  /** Attributes of filters and others that are seldom used. */
  [name: string]: unknown;
}
