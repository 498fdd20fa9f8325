/** The types of JSX: the elements and the props of each. */

import type { Child, Node } from "../node.ts";
import type { OpenProps, PropsOf, SvgProps, VoidPropsOf, Words } from "./props.ts";

/** HTML's elements that have attributes of their own. */
export type HtmlElements = {
  a: PropsOf<Words<"download href hreflang ping referrerpolicy rel target type">>;
  area: VoidPropsOf<Words<"alt coords download href ping referrerpolicy rel shape target">>;
  audio: PropsOf<Words<"autoplay controls crossorigin loop muted preload src loading">>;
  base: VoidPropsOf<"href" | "target">;
  blockquote: PropsOf<"cite">;
  button: PropsOf<
    | Words<"command commandfor disabled form formaction formenctype formmethod">
    | Words<"formnovalidate formtarget name popovertarget popovertargetaction type value">
  >;
  canvas: PropsOf<"height" | "width">;
  col: VoidPropsOf<"span">;
  colgroup: PropsOf<"span">;
  data: PropsOf<"value">;
  del: PropsOf<"cite" | "datetime">;
  details: PropsOf<"name" | "open">;
  dialog: PropsOf<"closedby" | "open">;
  embed: VoidPropsOf<"height" | "src" | "type" | "width">;
  fieldset: PropsOf<"disabled" | "form" | "name">;
  form: PropsOf<
    Words<"accept-charset action autocomplete enctype method name novalidate rel target">
  >;
  iframe: PropsOf<
    | Words<"allow allowfullscreen height loading name referrerpolicy sandbox src srcdoc">
    | Words<"width">
  >;
  img: VoidPropsOf<
    | Words<"alt crossorigin decoding fetchpriority height ismap loading referrerpolicy sizes">
    | Words<"src srcset usemap width">
  >;
  input: VoidPropsOf<
    | Words<"accept alpha alt autocomplete checked colorspace dirname disabled form">
    | Words<"formaction formenctype formmethod formnovalidate formtarget height list max">
    | Words<"maxlength min minlength multiple name pattern placeholder popovertarget">
    | Words<"popovertargetaction readonly required size src step type value width">
  >;
  ins: PropsOf<"cite" | "datetime">;
  label: PropsOf<"for">;
  li: PropsOf<"value">;
  link: VoidPropsOf<
    | Words<"as blocking color crossorigin disabled fetchpriority href hreflang imagesizes">
    | Words<"imagesrcset integrity media referrerpolicy rel sizes type">
  >;
  map: PropsOf<"name">;
  meta: VoidPropsOf<"charset" | "content" | "http-equiv" | "media" | "name" | "property">;
  meter: PropsOf<"high" | "low" | "max" | "min" | "optimum" | "value">;
  object: PropsOf<"data" | "form" | "height" | "name" | "type" | "width">;
  ol: PropsOf<"reversed" | "start" | "type">;
  optgroup: PropsOf<"disabled" | "label">;
  option: PropsOf<"disabled" | "label" | "selected" | "value">;
  output: PropsOf<"for" | "form" | "name">;
  progress: PropsOf<"max" | "value">;
  q: PropsOf<"cite">;
  script: PropsOf<
    | Words<"async blocking crossorigin defer fetchpriority integrity nomodule referrerpolicy">
    | Words<"src type">
  >;
  select: PropsOf<"autocomplete" | "disabled" | "form" | "multiple" | "name" | "required" | "size">;
  slot: PropsOf<"name">;
  source: VoidPropsOf<"height" | "media" | "sizes" | "src" | "srcset" | "type" | "width">;
  style: PropsOf<"blocking" | "media">;
  td: PropsOf<"colspan" | "headers" | "rowspan">;
  template: PropsOf<
    | Words<"shadowrootclonable shadowrootcustomelementregistry shadowrootdelegatesfocus">
    | Words<"shadowrootmode shadowrootserializable shadowrootslotassignment">
  >;
  textarea: PropsOf<
    | Words<"autocomplete cols dirname disabled form maxlength minlength name placeholder">
    | Words<"readonly required rows wrap">
  >;
  th: PropsOf<"abbr" | "colspan" | "headers" | "rowspan" | "scope">;
  time: PropsOf<"datetime">;
  track: VoidPropsOf<"default" | "kind" | "label" | "src" | "srclang">;
  video: PropsOf<
    | Words<"autoplay controls crossorigin height loading loop muted playsinline poster">
    | Words<"preload src width">
  >;
};

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

/** Custom elements: any name with a hyphen. */
export interface CustomElements {
  /** Any attribute is allowed. */
  [custom: `${string}-${string}`]: OpenProps;
}

/** The names that the compiler looks up. */
export declare namespace JSX {
  /** The type of a JSX expression. */
  type Element = Node;
  /** The types that may be used as a tag. */
  type ElementType = keyof IntrinsicElements | ((props: never) => Child);
  /** The prop that receives the content between the tags. */
  interface ElementChildrenAttribute {
    /** Only the member's name matters, not its type. */
    children: unknown;
  }
  /** The props of every component besides its own. */
  interface IntrinsicAttributes {
    /** Ignored. */
    key?: string | number | bigint | null | undefined;
  }
  /** The elements, with their attributes. */
  interface IntrinsicElements
    extends
      HtmlElements,
      PlainElements,
      PlainVoidElements,
      SvgElements,
      MathElements,
      CustomElements {}
}
