/** Props of JSX: the attributes that HTML gives to particular elements, by their real names. */

import type { Child } from "../node.ts";
import type {
  BooleanProp,
  GlobalProps,
  NumberProp,
  SwitchProp,
  TextProp,
  UrlProp,
  WordProp,
} from "./props.ts";
import type { AttributeValue, ClassValue } from "../value.ts";

/** The attributes of particular HTML elements, by name. */
export interface ElementProps {
  /** An inner document: a child, whose HTML it becomes. */
  srcdoc?: Child;
  /** Short form of a header cell. */
  abbr?: TextProp;
  /** File types that an upload control takes. */
  accept?: TextProp;
  /** Character encodings of a form. */
  "accept-charset"?: TextProp;
  /** URL to which a form is sent. */
  action?: UrlProp;
  /** Permissions of a nested document. */
  allow?: TextProp;
  /** Allows a frame to go full screen. */
  allowfullscreen?: BooleanProp;
  /** Allows a transparent colour. */
  alpha?: BooleanProp;
  /** Text in place of an image. */
  alt?: TextProp;
  /** Destination of a preload link. */
  as?: TextProp;
  /** Runs a script when it has arrived. */
  async?: BooleanProp;
  /** Kind of value that a browser may fill in. */
  autocomplete?: TextProp;
  /** Starts playing by itself. */
  autoplay?: BooleanProp;
  /** Operations that wait for the resource. */
  blocking?: TextProp;
  /** Character encoding of the document. */
  charset?: TextProp;
  /** Ticks a checkbox or radio button. */
  checked?: BooleanProp;
  /** Source of a quotation or an edit. */
  cite?: UrlProp;
  /** Actions that close a dialog. */
  closedby?: WordProp<"any" | "closerequest" | "none">;
  /** Colour of an icon. */
  color?: TextProp;
  /** Colour space of a picked colour. */
  colorspace?: TextProp;
  /** Width of a textarea in characters. */
  cols?: NumberProp;
  /** Columns that a cell spans. */
  colspan?: NumberProp;
  /** Command of a button for its target. */
  command?: TextProp;
  /** Id of the element that a button commands. */
  commandfor?: TextProp;
  /** Value of a meta element. */
  content?: TextProp;
  /** Shows a player's controls. */
  controls?: BooleanProp;
  /** Shape of an image map's area. */
  coords?: TextProp;
  /** Credentials mode of a resource. */
  crossorigin?: WordProp<"anonymous" | "use-credentials">;
  /** URL of an embedded object. */
  data?: UrlProp;
  /** Date or time for machines. */
  datetime?: TextProp;
  /** Decoding mode of an image. */
  decoding?: WordProp<"sync" | "async" | "auto">;
  /** Chooses a text track by default. */
  default?: BooleanProp;
  /** Runs a script after the document. */
  defer?: BooleanProp;
  /** Name of the field that carries the direction. */
  dirname?: TextProp;
  /** Switches a control off. */
  disabled?: BooleanProp;
  /** Saves a link's target, under the given name if any. */
  download?: SwitchProp;
  /** Encoding of a form's body. */
  enctype?: TextProp;
  /** Priority of a fetch. */
  fetchpriority?: WordProp<"high" | "low" | "auto">;
  /** Id of the labelled control. */
  for?: TextProp;
  /** Id of the form that a control belongs to. */
  form?: TextProp;
  /** URL to which the form is sent, for this button. */
  formaction?: UrlProp;
  /** Encoding of the form's body, for this button. */
  formenctype?: TextProp;
  /** Method of the form, for this button. */
  formmethod?: TextProp;
  /** Skips validation, for this button. */
  formnovalidate?: BooleanProp;
  /** Target of the form, for this button. */
  formtarget?: TextProp;
  /** Header cells of a cell. */
  headers?: TextProp;
  /** Height in pixels. */
  height?: NumberProp;
  /** Lower end of a gauge's high range. */
  high?: NumberProp;
  /** URL of a link. */
  href?: UrlProp;
  /** Language of the linked page. */
  hreflang?: TextProp;
  /** Pragma of a meta element. */
  "http-equiv"?: TextProp;
  /** Image sizes of a preload link. */
  imagesizes?: TextProp;
  /** Image candidates of a preload link; images run no script, so it is not checked as a URL. */
  imagesrcset?: TextProp;
  /** Hash of a resource. */
  integrity?: TextProp;
  /** Sends the place of a click. */
  ismap?: BooleanProp;
  /** Kind of text track. */
  kind?: TextProp;
  /** Caption of a track, an option or a group. */
  label?: TextProp;
  /** Id of a control's suggestions. */
  list?: TextProp;
  /** When an image or a frame is loaded. */
  loading?: WordProp<"lazy" | "eager">;
  /** Plays again and again. */
  loop?: BooleanProp;
  /** Upper end of a gauge's low range. */
  low?: NumberProp;
  /** Largest value. */
  max?: NumberProp;
  /** Most characters. */
  maxlength?: NumberProp;
  /** Media to which a resource applies. */
  media?: TextProp;
  /** Method of a form. */
  method?: WordProp<"get" | "post" | "dialog">;
  /** Smallest value. */
  min?: NumberProp;
  /** Fewest characters. */
  minlength?: NumberProp;
  /** Allows several values. */
  multiple?: BooleanProp;
  /** Plays without sound. */
  muted?: BooleanProp;
  /** Name of a control, a form or a frame. */
  name?: TextProp;
  /** Keeps a script from browsers with modules. */
  nomodule?: BooleanProp;
  /** Skips a form's validation. */
  novalidate?: BooleanProp;
  /** Shows a dialog's or details' content. */
  open?: BooleanProp;
  /** Best value of a gauge. */
  optimum?: NumberProp;
  /** Regular expression that a value must match. */
  pattern?: TextProp;
  /** URLs notified when a link is followed. */
  ping?: UrlProp;
  /** Hint in an empty control. */
  placeholder?: TextProp;
  /** Plays a film in its place. */
  playsinline?: BooleanProp;
  /** Id of the popover that a button controls. */
  popovertarget?: TextProp;
  /** Action of a button on its popover. */
  popovertargetaction?: WordProp<"toggle" | "show" | "hide">;
  /** Image shown before a film. */
  poster?: UrlProp;
  /** Part of a media file that is loaded early. */
  preload?: WordProp<"none" | "metadata" | "auto">;
  /** Forbids changes of a control. */
  readonly?: BooleanProp;
  /** Referrer sent with a request. */
  referrerpolicy?: TextProp;
  /** Relation of the linked resource. */
  rel?: TextProp;
  /** Demands a value. */
  required?: BooleanProp;
  /** Numbers a list downwards. */
  reversed?: BooleanProp;
  /** Height of a textarea in lines. */
  rows?: NumberProp;
  /** Rows that a cell spans. */
  rowspan?: NumberProp;
  /** Restrictions of a nested document. */
  sandbox?: TextProp;
  /** Cells to which a header cell applies. */
  scope?: WordProp<"row" | "col" | "rowgroup" | "colgroup">;
  /** Chooses an option. */
  selected?: BooleanProp;
  /** Makes a declarative shadow root clonable. */
  shadowrootclonable?: BooleanProp;
  /** Uses a custom element registry for a declarative shadow root. */
  shadowrootcustomelementregistry?: BooleanProp;
  /** Passes focus into a declarative shadow root. */
  shadowrootdelegatesfocus?: BooleanProp;
  /** Opens a declarative shadow root. */
  shadowrootmode?: WordProp<"open" | "closed">;
  /** Makes a declarative shadow root serializable. */
  shadowrootserializable?: BooleanProp;
  /** Slot assignment of a declarative shadow root. */
  shadowrootslotassignment?: TextProp;
  /** Shape of an image map's area. */
  shape?: TextProp;
  /** Width of a control in characters. */
  size?: NumberProp;
  /** Image sizes or icon sizes. */
  sizes?: TextProp;
  /** Columns that a col or colgroup spans. */
  span?: NumberProp;
  /** URL of a resource. */
  src?: UrlProp;
  /** Language of a text track. */
  srclang?: TextProp;
  /** Image candidates; images run no script, so it is not checked as a URL. */
  srcset?: TextProp;
  /** First number of a list. */
  start?: NumberProp;
  /** Step of a value. */
  step?: NumberProp;
  /** Frame in which a link opens. */
  target?: WordProp<"_self" | "_blank" | "_parent" | "_top">;
  /** Type of a control, a script or a linked resource. */
  type?: TextProp;
  /** Image map of an image. */
  usemap?: TextProp;
  /** Value of a control or a list item. */
  value?: TextProp;
  /** Width in pixels. */
  width?: NumberProp;
  /** Line wrapping of a submitted textarea. */
  wrap?: WordProp<"soft" | "hard">;
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
