/** Props of JSX: the attributes of SVG elements. */

import type { GlobalProps, NumberProp, TextProp, UrlProp } from "./props.ts";

/** The attributes of SVG elements. */
export interface SvgProps extends GlobalProps {
  /** Attribute that is animated. */
  attributeName?: NumberProp;
  /** When an animation begins. */
  begin?: NumberProp;
  /** Step of an animation. */
  by?: UrlProp;
  /** Clipping path. */
  "clip-path"?: NumberProp;
  /** Inside of a clipping path. */
  "clip-rule"?: NumberProp;
  /** Centre, across. */
  cx?: NumberProp;
  /** Centre, down. */
  cy?: NumberProp;
  /** Path data. */
  d?: NumberProp;
  /** Baseline of a text. */
  "dominant-baseline"?: NumberProp;
  /** Length of an animation. */
  dur?: NumberProp;
  /** Shift, across. */
  dx?: NumberProp;
  /** Shift, down. */
  dy?: NumberProp;
  /** Colour of the inside. */
  fill?: NumberProp;
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
  /** Focal point of a gradient, across. */
  fx?: NumberProp;
  /** Focal point of a gradient, down. */
  fy?: NumberProp;
  /** Transformation of a gradient. */
  gradientTransform?: NumberProp;
  /** Coordinates of a gradient. */
  gradientUnits?: NumberProp;
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
  /** Place of a gradient's stop. */
  offset?: NumberProp;
  /** Opacity of the element. */
  opacity?: NumberProp;
  /** Direction of a marker. */
  orient?: NumberProp;
  /** Length of a path in own units. */
  pathLength?: NumberProp;
  /** Coordinates of a pattern. */
  patternUnits?: NumberProp;
  /** Corners of a polygon or polyline. */
  points?: NumberProp;
  /** Alignment and scaling of a drawing in its box. */
  preserveAspectRatio?: NumberProp;
  /** Radius. */
  r?: NumberProp;
  /** Reference point of a marker, across. */
  refX?: NumberProp;
  /** Reference point of a marker, down. */
  refY?: NumberProp;
  /** Number of runs of an animation. */
  repeatCount?: NumberProp;
  /** Rotation of letters or along a path. */
  rotate?: NumberProp;
  /** Radius, across. */
  rx?: NumberProp;
  /** Radius, down. */
  ry?: NumberProp;
  /** Colour of a gradient's stop. */
  "stop-color"?: NumberProp;
  /** Opacity of a gradient's stop. */
  "stop-opacity"?: NumberProp;
  /** Colour of the outline. */
  stroke?: NumberProp;
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
  /** Transformation. */
  transform?: NumberProp;
  /** Kind of a transformation or filter. */
  type?: TextProp;
  /** Values of an animation. */
  values?: TextProp;
  /** Scaling of an outline. */
  "vector-effect"?: NumberProp;
  /** Coordinates of a drawing. */
  viewBox?: NumberProp;
  /** Width. */
  width?: NumberProp;
  /** Position, across. */
  x?: NumberProp;
  /** Start of a line, across. */
  x1?: NumberProp;
  /** End of a line, across. */
  x2?: NumberProp;
  /** Target of a reference, old form. */
  "xlink:href"?: UrlProp;
  /** Namespace of a drawing that stands alone. */
  xmlns?: NumberProp;
  /** Position, down. */
  y?: NumberProp;
  /** Start of a line, down. */
  y1?: NumberProp;
  /** End of a line, down. */
  y2?: NumberProp;
  /** No attribute: the name is `class`. */
  className?: never;
  /** No attribute: the name is `for`. */
  htmlFor?: never;
  /** Attributes of filters and others that are seldom used. */
  [name: string]: unknown;
}
