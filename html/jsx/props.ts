/** Props of JSX: the kinds of values, and the attributes of HTML and SVG by their real names. */

import type * as attributes from "../attributes.ts";
import type { Child, Node } from "../node.ts";
import type * as svg from "../svg.ts";
import type { AttributeValue, ClassValue } from "../attribute.ts";

/** A value that omits an attribute. */
export type Absent = false | null | undefined;

/** Attributes made by functions of `h` and `ui`. */
export type AttributeNodes = Node | Absent | readonly AttributeNodes[];

/** An attribute whose value is text. */
export type TextProp = string | number | URL | Node | Absent;

/** An attribute whose value is mostly a number. */
export type NumberProp = number | string | Absent;

/** An attribute whose value is a URL; one that would run code becomes `about:invalid`. */
export type UrlProp = string | URL | Node | Absent;

/** An attribute that is present or absent. */
export type BooleanProp = boolean | null | undefined;

/** An attribute whose usual keywords an editor suggests; other text is allowed. */
export type WordProp<T extends string> = T | (string & Record<never, never>) | Absent;

/** A component: a function from props to a child. */
export type Component<P = Readonly<Record<string, unknown>>> = (props: P) => Child;

/** The words of a text: `Words<"a b">` is `"a" | "b"`. */
export type Words<Text extends string, Found = never> = Text extends `${infer Word} ${infer Rest}`
  ? Words<Rest, Found | Word>
  : Found | Text;

/** The functions of `h` that write attributes of HTML. */
export type Attributes = typeof attributes;

/**
 * The props that correspond to functions of `h`: their names, their descriptions, and the types of
 * their values. If the usual values are keywords, an editor suggests them.
 */
export type PropsFrom<Functions> = {
  [K in keyof Functions]?: K extends keyof UsualWords ? WordProp<UsualWords[K]>
    : PropFrom<Functions[K]>;
};

/** The type of the prop that corresponds to a function of `h`. */
export type PropFrom<F> = F extends (value: infer Value) => Node
  ? unknown extends Value ? BooleanProp
  : Value | (URL extends Value ? Node : undefined)
  : never;

/** The usual keywords of attributes, which are described at their functions. */
export type UsualWords = {
  readonly closedby: "any" | "closerequest" | "none";
  readonly crossorigin: "anonymous" | "use-credentials";
  readonly decoding: "sync" | "async" | "auto";
  readonly dir: "ltr" | "rtl" | "auto";
  readonly enterkeyhint: Words<"enter done go next previous search send">;
  readonly fetchpriority: "high" | "low" | "auto";
  readonly inputmode: Words<"none text decimal numeric tel search email url">;
  readonly loading: "lazy" | "eager";
  readonly method: "get" | "post" | "dialog";
  readonly popovertargetaction: "toggle" | "show" | "hide";
  readonly preload: "none" | "metadata" | "auto";
  readonly scope: "row" | "col" | "rowgroup" | "colgroup";
  readonly shadowrootmode: "open" | "closed";
  readonly target: "_self" | "_blank" | "_parent" | "_top";
  readonly translate: "yes" | "no";
  readonly wrap: "soft" | "hard";
};

/** The functions of the attributes that every HTML element accepts. */
export type GlobalNames =
  | Words<"accesskey autocapitalize autocorrect autofocus contenteditable dir draggable">
  | Words<"enterkeyhint exportparts headingoffset headingreset hidden id inert inputmode is">
  | Words<"itemid itemprop itemref itemscope itemtype lang nonce part popover role spellcheck">
  | Words<"tabindex translate writingsuggestions">;

/** The attributes of every HTML element. */
export interface GlobalProps extends PropsFrom<Pick<Attributes, GlobalNames>> {
  /** Attributes made by functions, such as `ui.swap("list")`. Do not repeat a prop, or its class. */
  attrs?: AttributeNodes;
  /** The content. */
  children?: Child;
  /** Class names; empty and ignored values are skipped. */
  class?: ClassValue;
  /** Ignored; it satisfies tools that require keys in lists. */
  key?: string | number | bigint | null | undefined;
  /** Slot of the shadow tree that receives the element. */
  slot?: TextProp;
  /** CSS of the element; escaped, but CSS from data can still restyle the page. */
  style?: TextProp;
  /** Advisory text. */
  title?: TextProp;
  /** Custom data. */
  [data: `data-${string}`]: AttributeValue;
  /** States and properties for assistive technology. */
  [aria: `aria-${string}`]: AttributeValue;
  /** Event handlers: code made by `raw` only. */
  [handler: `on${string}`]: Node | Absent;
}

/** The functions whose names differ from the attribute's name. */
export type RenamedNames = `${string}Attr` | "acceptCharset" | "default_" | "httpEquiv";

/** The attributes of particular HTML elements, by name. */
export interface ElementProps extends PropsFrom<Omit<Attributes, GlobalNames | RenamedNames>> {
  /** An inner document: the HTML of the given child. */
  srcdoc?: Child;
  /** Short form of a header cell. */
  abbr?: TextProp;
  /** Character encodings of a form. */
  "accept-charset"?: TextProp;
  /** Source of a quotation or an edit. */
  cite?: UrlProp;
  /** URL of an embedded object. */
  data?: UrlProp;
  /** Chooses a text track by default. */
  default?: BooleanProp;
  /** Id of the form that a control belongs to. */
  form?: TextProp;
  /** Name of a property in RDFa, such as `og:title`. */
  property?: TextProp;
  /** Pragma of a meta element. */
  "http-equiv"?: TextProp;
  /** Caption of a track, an option or a group. */
  label?: TextProp;
  /** Columns that a col or colgroup spans. */
  span?: NumberProp;
}

/** The props of an element: the given attributes and the global ones. */
export type PropsOf<K extends keyof ElementProps = never> = GlobalProps & Pick<ElementProps, K>;

/** The props of a void element: no children. */
export type VoidPropsOf<K extends keyof ElementProps = never> =
  & Omit<GlobalProps, "children">
  & { children?: never }
  & Pick<ElementProps, K>;

/** The props of a custom or MathML element: any attribute. */
export interface OpenProps {
  /** The content. */
  children?: Child;
  /** No attribute: the name is `class`. */
  className?: never;
  /** No attribute: the name is `for`. */
  htmlFor?: never;
  /** Any attribute. */
  [name: string]: AttributeValue | ClassValue;
}

/** The functions whose names equal the name of an SVG attribute. */
export type SvgNames =
  | Words<"cx cy d dx dy fill gradientTransform gradientUnits offset opacity orient points">
  | Words<"preserveAspectRatio r refX refY rx ry stroke transform viewBox x x1 x2 xmlns y y1 y2">;

/** The attributes of SVG whose names have a hyphen; `h` writes them with a capital letter. */
export type HyphenNames =
  | Words<"clip-path clip-rule dominant-baseline fill-opacity fill-rule font-family font-size">
  | Words<"font-weight marker-end marker-mid marker-start stop-color stop-opacity text-anchor">
  | Words<"stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit">
  | Words<"stroke-opacity stroke-width vector-effect">;

/** The attributes of SVG elements. */
export interface SvgProps
  extends
    GlobalProps,
    PropsFrom<Pick<typeof svg, SvgNames>>,
    Partial<Record<HyphenNames, NumberProp>> {
  /** Step of an animation. */
  by?: UrlProp;
  /** Filter effect. */
  filter?: NumberProp;
  /** First value of an animation. */
  from?: UrlProp;
  /** Height. */
  height?: NumberProp;
  /** Target of a reference. */
  href?: UrlProp;
  /** Mask. */
  mask?: NumberProp;
  /** Last value of an animation. */
  to?: UrlProp;
  /** Kind of a transformation or filter. */
  type?: TextProp;
  /** Values of an animation. */
  values?: TextProp;
  /** Width. */
  width?: NumberProp;
  /** Target of a reference, old form. */
  "xlink:href"?: UrlProp;
  /** No attribute: the name is `class`. */
  className?: never;
  /** No attribute: the name is `for`. */
  htmlFor?: never;
  /** Attributes of filters and other rare attributes. */
  [name: string]: unknown;
}
