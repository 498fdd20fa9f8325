/** Props of JSX: the attributes that HTML gives to particular elements, by their real names. */

import type { Child } from "../node.ts";
import type {
  Attributes,
  BooleanProp,
  GlobalNames,
  GlobalProps,
  NumberProp,
  PropsFrom,
  TextProp,
  UrlProp,
} from "./props.ts";
import type { AttributeValue, ClassValue } from "../value.ts";

/** The functions of attributes that are not written as they are called. */
export type RenamedNames = `${string}Attr` | "acceptCharset" | "default_" | "httpEquiv";

/** The attributes of particular HTML elements, by name. */
export interface ElementProps extends PropsFrom<Omit<Attributes, GlobalNames | RenamedNames>> {
  /** An inner document: a child, whose HTML it becomes. */
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
  /** Pragma of a meta element. */
  "http-equiv"?: TextProp;
  /** Caption of a track, an option or a group. */
  label?: TextProp;
  /** Columns that a col or colgroup spans. */
  span?: NumberProp;
}

/** The props of an element that has the given attributes besides the global ones. */
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
