/** The options of `ui.form` for a schema, with names that the compiler checks. */

import type { Child, Node } from "../../html/mod.ts";
import type { Bound, FieldErrors, FileRules } from "../../mod.ts";
import type { Choice, ChoiceGroup } from "../controls.ts";
import type { FieldTexts } from "./field_texts.ts";
import type { AffixOptions } from "./section.ts";

/** A value without fields, as of any field but a struct. */
export type LeafValue =
  | Date
  | readonly unknown[]
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined;

/** The names of a schema's fields as paths of its value: `"title" | "venue" | "venue.city"`. */
export type FieldPath<T> = {
  [Key in keyof T & string]:
    | Key
    | ([NonNullable<T[Key]>] extends [LeafValue] ? never
      : `${Key}.${FieldPath<NonNullable<T[Key]>>}`);
}[keyof T & string];

/** The names of all fields, also of those in a list of structs: `"lines.what"`. */
export type AnyPath<T, File extends string> =
  | FieldPath<T>
  | NoInfer<File>
  | {
    [Key in keyof T & string]: NonNullable<T[Key]> extends readonly (infer Item)[]
      ? [Item] extends [LeafValue] ? never : `${Key}.${FieldPath<Item>}`
      : never;
  }[keyof T & string];

/** Values for some fields of a schema; a date or a number may be a string: `2026-05-01`, `7.50`. */
export type FieldValues<T> = {
  readonly [Key in keyof T]?:
    | T[Key]
    | (NonNullable<T[Key]> extends Date | number | bigint ? string : never)
    | ([NonNullable<T[Key]>] extends [LeafValue] ? never : FieldValues<NonNullable<T[Key]>>)
    | null
    | undefined;
};

/** A file field: the rules of `c.file`, and whether several files may be chosen. */
export interface FormFile extends FileRules {
  /** Whether several files may be chosen; read them by `c.formData()`. @default false */
  readonly multiple?: boolean;
}

/** The possible controls of a field. */
export type ControlType =
  | "cards"
  | "checkbox"
  | "color"
  | "combobox"
  | "date"
  | "datetime-local"
  | "dropzone"
  | "email"
  | "hidden"
  | "number"
  | "password"
  | "radio"
  | "search"
  | "select"
  | "switch"
  | "tel"
  | "text"
  | "textarea"
  | "url";

/**
 * Changes to the control that follows from a field's type and rules. A single-line input may have a prefix, such as
 * "€", or a suffix, such as "kg".
 */
export interface ControlOptions extends AffixOptions {
  /** The control. @default by the type, the rules and the name of the field */
  readonly type?: ControlType;
  /** Choices, or labels for the values of `oneof`. @default the values of `oneof` */
  readonly choices?: readonly (Choice | ChoiceGroup | string)[];
  /**
   * The URL that responds to `?q=…` with HTML `option` elements, for a `combobox` with more choices than
   * the page contains.
   *
   * @default only the choices of the page
   */
  readonly source?: string | URL;
  /** Whether the rows of a list have buttons that move them up and down. @default false */
  readonly movable?: boolean;
  /** Whether to show a character count, up to the text's `max`. @default false */
  readonly count?: boolean;
  /** More attributes of the control, such as `h.autocomplete("email")`; they override. @default none */
  readonly attributes?: Child;
  /** Renders the field differently, given these options. @default the standard field */
  readonly render?: (field: FormField) => Child;
}

/** A field as `ui.form` would render it, passed to a custom render function. */
export interface FormField {
  /** The id of the control, which the label and the error summary reference. */
  readonly id: string;
  /** The name in the submitted form. */
  readonly name: string;
  /** The label. */
  readonly label: string;
  /** The text to show; `""` for a password and a file. */
  readonly value: string;
  /** The message of the last submission. @default none */
  readonly error: string | undefined;
  /** The whole field: label, control, help and error. */
  readonly node: Node;
}

/** Options of `ui.form`. Every name is checked against the schema. */
export interface FormOptions<T, File extends string = never> {
  /** Values of the fields: a record, or the result of `tryBind`. @default none */
  readonly values?: FieldValues<T> | Bound<T> | undefined;
  /** The messages of a submission. @default those of `values`, if `tryBind` returned it */
  readonly errors?: FieldErrors | undefined;
  /** Labels of the fields and of the values of `oneof`; up to four required ones are cards. @default none */
  readonly texts?: FieldTexts<T, File>;
  /**
   * Labels of the fields: a record, or a function such as `(name) => c.t(messages, name)`.
   *
   * @default those of `texts`, or the name in words: `firstName` is "First name"
   */
  readonly labels?:
    | { readonly [Path in AnyPath<T, File>]?: string }
    | ((name: AnyPath<T, File>) => string | undefined);
  /** Help texts of the fields. @default none */
  readonly help?: { readonly [Path in AnyPath<T, File>]?: Child };
  /** Fields that are rendered differently. @default {} */
  readonly fields?: { readonly [Path in AnyPath<T, File>]?: ControlOptions };
  /** Upload fields by name, with the rules that `c.file` or `c.tryBind` checks. @default {} */
  readonly files?: { readonly [Name in File]: FormFile };
  /** The fields to render. @default all, in the order of the schema, then the files */
  readonly only?: readonly (FieldPath<T> | NoInfer<File>)[];
  /** Fields to leave out. @default [] */
  readonly except?: readonly (FieldPath<T> | NoInfer<File>)[];
  /**
   * Arranges the fields, for groups, columns and nodes between them. `field("title", "summary")` returns
   * these fields, and nothing for excluded ones. Fields that it does not name follow after it.
   *
   * @default the fields stacked
   */
  readonly layout?: (
    field: (...names: readonly (FieldPath<T> | NoInfer<File>)[]) => Node,
  ) => Child;
  /** The URL that handles the form, such as `c.action("borrow")`. @default the page's own */
  readonly action?: string | URL;
  /** The method; `get` is for filters that `bindQuery` reads. @default "post" */
  readonly method?: "get" | "post";
  /** The text of the button, nodes in place of the buttons, or `false` for none. @default the label `save` */
  readonly submit?: Child;
  /** Whether all errors are listed above the fields. @default true */
  readonly summary?: boolean;
  /** Precedes every id, for pages with several forms. @default the ids are the names */
  readonly idPrefix?: string;
}
