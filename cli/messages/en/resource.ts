/**
 * The texts of `generate resource` in English.
 *
 * @module
 */

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
      `by --singular, as in \`deno task generate resource people --singular person\`.`,
  },
  field: {
    none: (types: string): string =>
      `A resource needs fields, such as title:text,required. Types: ${types}.`,
    uploads: (fields: string): string =>
      `Cannot generate the resource from ${fields}: add a field that is neither an image nor a file, such ` +
      "as title:text,required.",
    many: (max: string): string =>
      `A resource may have ${max} fields here; write further ones by hand.`,
    syntax: (field: string, types: string): string =>
      `Cannot read the field "${field}": write name:type, such as ${field}:text. Types: ${types}.`,
    name: (field: string): string =>
      `Cannot use the field name "${field}": start with a small letter, go on with letters, digits and ` +
      "single _, such as first_name.",
    reserved: (field: string): string =>
      `Cannot use the field name "${field}": rows, forms or all objects have it already. Choose another ` +
      `one, such as ${field}_value.`,
    twice: (field: string): string =>
      `The column "${field}" occurs twice: columns differ in more than capitals. Rename a field.`,
    choices: (field: string): string =>
      `The field "${field}" has no values: write oneof=a|b|c after enum.`,
    type: (field: string, type: string, types: string): string =>
      `The field "${field}" has the unknown type "${type}". Types: ${types}.`,
    rule: (field: string, rule: string, allowed: string): string =>
      `The field "${field}" cannot have the rule "${rule}". Rules of its type: ${allowed}, each once.`,
    param: (field: string, rule: string, example: string): string =>
      `The rule "${rule}" of the field "${field}" is not complete or not right: write, for example, ` +
      `${example}.`,
    nearest: (name: string): string => `Did you mean "${name}"?`,
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
  untranslated: (file: string, words: string): string =>
    `Translate your own words in ${file}: ${words}.`,
  generic: (file: string, keys: string): string =>
    `The Portuguese texts in ${file} call a row "registo". Write your own word there: ${keys}.`,
};
