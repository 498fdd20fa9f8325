/** The types of JSX: the elements and the props of each. */

import type { Child, Node } from "../node.ts";
import type { OpenProps, PropsOf, SvgProps, VoidPropsOf, Words } from "./props.ts";

/** HTML's elements that have attributes of their own. */
export interface HtmlElements {
  /** The `a` element. */
  a: PropsOf<Words<"download href hreflang ping referrerpolicy rel target type">>;
  /** The `area` element. */
  area: VoidPropsOf<Words<"alt coords download href ping referrerpolicy rel shape target">>;
  /** The `audio` element. */
  audio: PropsOf<Words<"autoplay controls crossorigin loop muted preload src loading">>;
  /** The `base` element. */
  base: VoidPropsOf<"href" | "target">;
  /** The `blockquote` element. */
  blockquote: PropsOf<"cite">;
  /** The `button` element. */
  button: PropsOf<
    | Words<"command commandfor disabled form formaction formenctype formmethod">
    | Words<"formnovalidate formtarget name popovertarget popovertargetaction type value">
  >;
  /** The `canvas` element. */
  canvas: PropsOf<"height" | "width">;
  /** The `col` element. */
  col: VoidPropsOf<"span">;
  /** The `colgroup` element. */
  colgroup: PropsOf<"span">;
  /** The `data` element. */
  data: PropsOf<"value">;
  /** The `del` element. */
  del: PropsOf<"cite" | "datetime">;
  /** The `details` element. */
  details: PropsOf<"name" | "open">;
  /** The `dialog` element. */
  dialog: PropsOf<"closedby" | "open">;
  /** The `embed` element. */
  embed: VoidPropsOf<"height" | "src" | "type" | "width">;
  /** The `fieldset` element. */
  fieldset: PropsOf<"disabled" | "form" | "name">;
  /** The `form` element. */
  form: PropsOf<
    Words<"accept-charset action autocomplete enctype method name novalidate rel target">
  >;
  /** The `iframe` element. */
  iframe: PropsOf<
    | Words<"allow allowfullscreen height loading name referrerpolicy sandbox src srcdoc">
    | Words<"width">
  >;
  /** The `img` element. */
  img: VoidPropsOf<
    | Words<"alt crossorigin decoding fetchpriority height ismap loading referrerpolicy sizes">
    | Words<"src srcset usemap width">
  >;
  /** The `input` element. */
  input: VoidPropsOf<
    | Words<"accept alpha alt autocomplete checked colorspace dirname disabled form">
    | Words<"formaction formenctype formmethod formnovalidate formtarget height list max">
    | Words<"maxlength min minlength multiple name pattern placeholder popovertarget">
    | Words<"popovertargetaction readonly required size src step type value width">
  >;
  /** The `ins` element. */
  ins: PropsOf<"cite" | "datetime">;
  /** The `label` element. */
  label: PropsOf<"for">;
  /** The `li` element. */
  li: PropsOf<"value">;
  /** The `link` element. */
  link: VoidPropsOf<
    | Words<"as blocking color crossorigin disabled fetchpriority href hreflang imagesizes">
    | Words<"imagesrcset integrity media referrerpolicy rel sizes type">
  >;
  /** The `map` element. */
  map: PropsOf<"name">;
  /** The `meta` element. */
  meta: VoidPropsOf<"charset" | "content" | "http-equiv" | "media" | "name">;
  /** The `meter` element. */
  meter: PropsOf<"high" | "low" | "max" | "min" | "optimum" | "value">;
  /** The `object` element. */
  object: PropsOf<"data" | "form" | "height" | "name" | "type" | "width">;
  /** The `ol` element. */
  ol: PropsOf<"reversed" | "start" | "type">;
  /** The `optgroup` element. */
  optgroup: PropsOf<"disabled" | "label">;
  /** The `option` element. */
  option: PropsOf<"disabled" | "label" | "selected" | "value">;
  /** The `output` element. */
  output: PropsOf<"for" | "form" | "name">;
  /** The `progress` element. */
  progress: PropsOf<"max" | "value">;
  /** The `q` element. */
  q: PropsOf<"cite">;
  /** The `script` element. */
  script: PropsOf<
    | Words<"async blocking crossorigin defer fetchpriority integrity nomodule referrerpolicy">
    | Words<"src type">
  >;
  /** The `select` element. */
  select: PropsOf<"autocomplete" | "disabled" | "form" | "multiple" | "name" | "required" | "size">;
  /** The `slot` element. */
  slot: PropsOf<"name">;
  /** The `source` element. */
  source: VoidPropsOf<"height" | "media" | "sizes" | "src" | "srcset" | "type" | "width">;
  /** The `style` element. */
  style: PropsOf<"blocking" | "media">;
  /** The `td` element. */
  td: PropsOf<"colspan" | "headers" | "rowspan">;
  /** The `template` element. */
  template: PropsOf<
    | Words<"shadowrootclonable shadowrootcustomelementregistry shadowrootdelegatesfocus">
    | Words<"shadowrootmode shadowrootserializable shadowrootslotassignment">
  >;
  /** The `textarea` element. */
  textarea: PropsOf<
    | Words<"autocomplete cols dirname disabled form maxlength minlength name placeholder">
    | Words<"readonly required rows wrap">
  >;
  /** The `th` element. */
  th: PropsOf<"abbr" | "colspan" | "headers" | "rowspan" | "scope">;
  /** The `time` element. */
  time: PropsOf<"datetime">;
  /** The `track` element. */
  track: VoidPropsOf<"default" | "kind" | "label" | "src" | "srclang">;
  /** The `video` element. */
  video: PropsOf<
    | Words<"autoplay controls crossorigin height loading loop muted playsinline poster">
    | Words<"preload src width">
  >;
}

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
  /** The types that may stand as a tag. */
  type ElementType = keyof IntrinsicElements | ((props: never) => Child);
  /** The prop that receives what stands between the tags. */
  interface ElementChildrenAttribute {
    /** The name matters, the type does not. */
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
