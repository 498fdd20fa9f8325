/** The types of JSX: the elements without attributes of their own, and those of SVG and MathML. */

import type { OpenProps, PropsOf, VoidPropsOf } from "./element_props.ts";
import type { Words } from "./props.ts";
import type { SvgProps } from "./svg_props.ts";

/** HTML's elements that accept only the global attributes. */
export type PlainElements = Record<
  | Words<"abbr address article aside b bdi bdo body caption cite code datalist dd dfn div dl">
  | Words<"dt em figcaption figure footer h1 h2 h3 h4 h5 h6 head header hgroup html i kbd">
  | Words<"legend main mark menu nav noscript p picture pre rp rt ruby s samp search section">
  | Words<"selectedcontent small span strong sub summary sup table tbody tfoot thead title tr u">
  | Words<"ul var">,
  PropsOf
>;

/** HTML's void elements that accept only the global attributes. */
export type PlainVoidElements = Record<"br" | "hr" | "wbr", VoidPropsOf>;

/** SVG's common elements. */
export type SvgElements = Record<
  | Words<"svg animate animateMotion animateTransform circle clipPath defs desc ellipse feBlend">
  | Words<"feColorMatrix feComposite feDropShadow feFlood feGaussianBlur feMerge feMergeNode">
  | Words<"feOffset feTurbulence filter foreignObject g image line linearGradient marker mask">
  | Words<"metadata mpath path pattern polygon polyline radialGradient rect set stop switch">
  | Words<"symbol text textPath tspan use view">,
  SvgProps
>;

/** MathML's elements. */
export type MathElements = Record<
  | Words<"math mfrac mi mn mo mover mpadded mphantom mroot mrow ms mspace msqrt mstyle msub">
  | Words<"msubsup msup mtable mtd mtext mtr munder munderover semantics annotation">,
  OpenProps
>;
