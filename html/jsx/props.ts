/** Props of JSX: the kinds of values and the attributes that every element takes. */

import type { Child, Node } from "../node.ts";
import type { AttributeValue, ClassValue } from "../value.ts";

/** A value that omits an attribute. */
export type Absent = false | null | undefined;

/** An attribute whose value is text. */
export type TextProp = string | number | URL | Node | Absent;

/** An attribute whose value is mostly a number. */
export type NumberProp = number | string | Absent;

/** An attribute whose value is a URL; one that would run code becomes `about:invalid`. */
export type UrlProp = string | URL | Node | Absent;

/** An attribute that is present or absent. */
export type BooleanProp = boolean | null | undefined;

/** An attribute that takes `true` and `false` besides its words. */
export type SwitchProp = string | boolean | null | undefined;

/** An attribute whose usual words an editor offers; other text is allowed. */
export type WordProp<T extends string> = T | (string & Record<never, never>) | Absent;

/** A function component: props to a child. */
export type Component<P = Readonly<Record<string, unknown>>> = (props: P) => Child;

/** The attributes of every HTML element. */
export interface GlobalProps {
  /** The content. */
  children?: Child;
  /** Class names; empty and ignored values are skipped. */
  class?: ClassValue;
  /** Ignored: for tools that ask for keys in lists. */
  key?: string | number | bigint | null | undefined;
  /** Role for assistive technology. */
  role?: TextProp;
  /** Keyboard shortcut. */
  accesskey?: TextProp;
  /** Capitalisation of typed text. */
  autocapitalize?: TextProp;
  /** `on` or `off`: correction of typed text. */
  autocorrect?: SwitchProp;
  /** Focuses the element when the page is shown. */
  autofocus?: BooleanProp;
  /** Whether the content can be edited. */
  contenteditable?: SwitchProp;
  /** Text direction. */
  dir?: WordProp<"ltr" | "rtl" | "auto">;
  /** Whether the element can be dragged. */
  draggable?: SwitchProp;
  /** Label of the enter key. */
  enterkeyhint?: WordProp<"enter" | "done" | "go" | "next" | "previous" | "search" | "send">;
  /** Parts that a shadow host exports. */
  exportparts?: TextProp;
  /** Levels added to the headings inside. */
  headingoffset?: NumberProp;
  /** Starts heading levels anew. */
  headingreset?: BooleanProp;
  /** Hides the element; `until-found` lets a search show it. */
  hidden?: SwitchProp;
  /** Unique name in the document. */
  id?: TextProp;
  /** Makes an element inert: unfocusable and hidden from assistive technology. */
  inert?: BooleanProp;
  /** Kind of virtual keyboard. */
  inputmode?: WordProp<
    "none" | "text" | "decimal" | "numeric" | "tel" | "search" | "email" | "url"
  >;
  /** Custom element that extends a built-in one. */
  is?: TextProp;
  /** Global identifier of a microdata item. */
  itemid?: TextProp;
  /** Property of a microdata item. */
  itemprop?: TextProp;
  /** Elements with more properties of an item. */
  itemref?: TextProp;
  /** Starts a microdata item. */
  itemscope?: BooleanProp;
  /** Type of a microdata item. */
  itemtype?: TextProp;
  /** Language of the content. */
  lang?: TextProp;
  /** Cryptographic nonce for a policy. */
  nonce?: TextProp;
  /** Part names in a shadow tree. */
  part?: TextProp;
  /** Makes the element a popover: `auto`, `hint` or `manual`. */
  popover?: SwitchProp;
  /** Slot of a shadow tree that takes the element. */
  slot?: TextProp;
  /** Whether spelling is checked. */
  spellcheck?: SwitchProp;
  /** CSS of the element; escaped, but CSS from data can still restyle the page. */
  style?: TextProp;
  /** Position in the tab order. */
  tabindex?: NumberProp;
  /** Advisory text. */
  title?: TextProp;
  /** `yes` or `no`: whether the text is translated. */
  translate?: WordProp<"yes" | "no">;
  /** Whether the browser suggests text. */
  writingsuggestions?: SwitchProp;
  /** Data of your own. */
  [data: `data-${string}`]: AttributeValue;
  /** States and properties for assistive technology. */
  [aria: `aria-${string}`]: AttributeValue;
  /** Event handlers: code made by `raw` only. */
  [handler: `on${string}`]: Node | Absent;
}
