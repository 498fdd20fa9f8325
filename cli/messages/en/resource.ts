export const resourceEn = {
  name: {
    syntax: `Cannot generate the resource "{name}": write a name of small letters, digits, "-" and
      "_", such as book-loans.`,
    reserved: `Cannot generate the resource "{name}": the system, SQLite or fw uses this name.
      Choose another one.`,
    singular: `Cannot generate the resource "{name}": write the plural, such as {name}s, or name
      one of them by --singular, as in \`deno task generate resource people --singular person\`.`,
  },
  field: {
    uploads: `Cannot generate the resource from {fields}: add a field that is neither an image nor
      a file, such as title:text,required.`,
    many: "A resource may have {max} fields here; write further ones by hand.",
    syntax: `Cannot read the field "{field}": write name:type, such as {field}:text. Types:
      {types}.`,
    name: `Cannot use the field name "{field}": start with a small letter, go on with letters,
      digits and single _, such as first_name.`,
    reserved: `Cannot use the field name "{field}": rows, forms or all objects have it already.
      Choose another one, such as {field}_value.`,
    twice: `The column "{field}" occurs twice: columns differ in more than capitals. Rename a
      field.`,
    choices: 'The field "{field}" has no values: write oneof=a/b/c after enum.',
    type: 'The field "{field}" has the unknown type "{type}". Types: {types}.',
    rule: `The field "{field}" cannot have the rule "{rule}". Rules of its type: {allowed}, each
      once.`,
    param: (field: string, rule: string, example: string): string =>
      `The rule "${rule}" of the field "${field}" is not complete or not right: write, for example, ` +
      `${example}.`,
    nearest: 'Did you mean "{name}"?',
  },
  seed: "Cannot seed {count} rows: write a whole number from 1 to {most}, such as --seed 50.",
  nothing: 'There is no migration that makes the table "{table}" and nothing to undo.',
  removed: "Removed {file}.",
  kept: "Kept {file}, which was changed or has a later migration behind it: remove it by hand.",
  seeded: "Add the example rows: {command}",
  contradiction:
    "No value passes all rules of the fields: look for a min above its max, or an email or " +
    "url with few characters.",
  guard: `The application has a sign-in: say --guard for signed-in users alone, or --public for
    everybody.`,
  noSignIn: "--guard needs a sign-in: run `deno task generate auth` first.",
  folder: `{folder} exists already; nothing was written. Choose another name, or remove the
    folder.`,
  route: "{file} already handles {url}; nothing was written. Choose another name.",
  foreign: `{file} is not the one that \`generate\` writes, so nothing was written. Bring it into
    the form of docs/database.md, or move it away.`,
  table: '{file} makes a table "{table}" already; nothing was written. Choose another name.',
  reference:
    `Cannot refer to "{table}": no migration makes that table with a text column. Generate that
    resource first.`,
  link: "Link the list from your layout: {code}",
  untranslated: "Translate your own words in {file}: {words}.",
  generic: 'The Portuguese texts in {file} call a row "registo". Write your own word there.',
} as const;
