/**
 * The texts of `generate resource` in English.
 *
 * @module
 */

/** Why the fields are refused. `field` is the text on the command line. */
export type FieldFault =
  | { readonly kind: "none" }
  | { readonly kind: "many"; readonly max: number }
  | { readonly kind: "syntax" | "name" | "reserved" | "twice" | "choices"; readonly field: string }
  | {
    readonly kind: "type";
    readonly field: string;
    readonly type: string;
    readonly nearest: string | undefined;
  }
  | {
    readonly kind: "rule";
    readonly field: string;
    readonly rule: string;
    readonly nearest: string | undefined;
    readonly allowed: readonly string[];
  }
  | {
    readonly kind: "param";
    readonly field: string;
    readonly rule: string;
    readonly example: string;
  };

export const resourceEn = {
  argument: "a plural and its fields, such as events title:text,required seats:int,min=1",
  name: {
    syntax: (name: string): string =>
      `Cannot generate the resource "${name}": write a name of small letters, digits, "-" and "_", such ` +
      "as book-loans.",
    reserved: (name: string): string =>
      `Cannot generate the resource "${name}": the system, SQLite or fw uses this name. Choose another one.`,
    singular: (name: string): string =>
      `Cannot generate the resource "${name}": write the plural, such as ${name}s, or name one of them ` +
      `by --singular, as in \`fw generate resource people --singular person\`.`,
  },
  field: (fault: FieldFault, types: readonly string[]): string => {
    const all = `Types: ${types.join(", ")}.`;
    switch (fault.kind) {
      case "none":
        return `A resource needs fields, such as title:text,required. ${all}`;
      case "many":
        return `A resource may have ${fault.max} fields here; write further ones by hand.`;
      case "syntax":
        return `Cannot read the field "${fault.field}": write name:type, such as ${fault.field}:text. ${all}`;
      case "name":
        return `Cannot use the field name "${fault.field}": start with a small letter, go on with letters, ` +
          "digits and single _, such as first_name.";
      case "reserved":
        return `Cannot use the field name "${fault.field}": rows, forms or all objects have it already. ` +
          `Choose another one, such as ${fault.field}_value.`;
      case "twice":
        return `The field "${fault.field}" occurs twice; columns differ in more than capitals. Rename one.`;
      case "choices":
        return `The field "${fault.field}" has no values: write oneof=a|b|c after enum.`;
      case "type":
        return `The field "${fault.field}" has the unknown type "${fault.type}".` +
          `${fault.nearest === undefined ? "" : ` Did you mean "${fault.nearest}"?`} ${all}`;
      case "rule":
        return `The field "${fault.field}" cannot have the rule "${fault.rule}".` +
          `${fault.nearest === undefined ? "" : ` Did you mean "${fault.nearest}"?`} ` +
          `Rules of its type: ${fault.allowed.join(", ")}, each once.`;
      case "param":
        return `The rule "${fault.rule}" of the field "${fault.field}" is not complete or not right: write, ` +
          `for example, ${fault.example}.`;
    }
  },
  contradiction:
    "No value passes all rules of the fields: look for a min above its max, or an email or " +
    "url with few characters.",
  folder: (folder: string): string =>
    `${folder} exists already; nothing was written. Choose another name, or remove the folder.`,
  route: (file: string, url: string): string =>
    `${file} already handles ${url}; nothing was written. Choose another name.`,
  foreign: (file: string): string =>
    `${file} is not the one that \`generate\` writes, so nothing was written. Bring it into the form of ` +
    "docs/database.md, or move it away.",
  table: (file: string, table: string): string =>
    `${file} makes a table "${table}" already; nothing was written. Choose another name.`,
  link: (code: string): string => `Link the list from your layout: ${code}`,
};
