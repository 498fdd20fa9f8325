import type { ProblemText } from "../../problem.ts";

/** What `check` says about catalogs of messages. */
export const catalogTextsEn = {
  missing: (key: string, tag: string, other: string, text: string): ProblemText => ({
    message: `"${tag}" lacks the message "${key}"`,
    fix: `Add ${key} to "${tag}"; in "${other}" it is ${text}.`,
  }),
  parameters: (key: string, tag: string, other: string): string =>
    `The message "${key}" has other parameters in "${tag}" than in "${other}"`,
  addParameters: (names: string): string => `Add ${names} to the text.`,
  removeParameters: (names: string, other: string): string =>
    `Remove ${names} from the text, or add it in "${other}".`,
  lackingForms: (key: string, tag: string, forms: string): ProblemText => ({
    message: `The message "${key}" lacks plural forms that "${tag}" needs: ${forms}`,
    fix: `Add ${forms} to the forms of "${key}".`,
  }),
  surplusForms: (key: string, tag: string, forms: string): ProblemText => ({
    message: `The message "${key}" has plural forms that "${tag}" never uses: ${forms}`,
    fix: `Remove ${forms} from the forms of "${key}".`,
  }),
  unused: (key: string): ProblemText => ({
    message: `No source uses the message "${key}"`,
    fix: `Remove "${key}" from every language of this catalog, or use it.`,
  }),
  noLanguage: (tag: string, first: string): ProblemText => ({
    message: `The application speaks "${tag}", but this catalog does not: it answers in "${first}"`,
    fix: `Add "${tag}" to the catalog, or remove it from config.languages.`,
  }),
};

/** What to do about an error of the compiler. */
export const typeTextsEn = {
  replace: (name: string, nearest: string): string => `Replace "${name}" with "${nearest}".`,
  property: (name: string, type: string): string =>
    `Use a property that ${type} has, or declare "${name}" in that type.`,
  surplus: (name: string, type: string): string =>
    `Remove the property "${name}", or declare it in ${type}.`,
  addProperties: (names: string): string => `Add what is missing to the object: ${names}.`,
  argument: (given: string, wanted: string): string =>
    `Pass a value of the type ${wanted} here instead of ${given}.`,
  assign: (given: string, wanted: string): string =>
    `Write a value of the type ${wanted} here instead of ${given}, or change the declared type.`,
  importName: (statement: string): string => `Add \`${statement}\` at the top of the file.`,
  declare: (name: string): string => `Declare "${name}", or import it from the module that has it.`,
  noExport: (name: string, module: string): string =>
    `Export "${name}" from ${module}, or import a name that it exports.`,
  noModule: (module: string): string =>
    `Correct the path ${module}, create the file, or add the package to the imports of deno.json.`,
  unusedImport: (name: string): string => `Remove "${name}" from the import.`,
  unused: (name: string): string => `Remove "${name}", or use it.`,
  typeImport: (name: string): string => `Write \`type ${name}\` in the import.`,
  count: (wanted: string, given: string): string =>
    `Pass ${wanted} ${wanted === "1" ? "argument" : "arguments"} instead of ${given}.`,
  noMessage: (key: string): string =>
    `Write the key of a message that the catalog has, or add "${key}" to its languages.`,
  parameters: (subject: string, names: string): string =>
    `Pass the parameters of "${subject}" as one more argument: { ${names} }.`,
  absent: (name: string): string =>
    `Handle the case that ${name} is absent first: \`if (${name} === undefined) …\`, or \`?.\`.`,
  annotate: (name: string, type: string): string => `Write its type: \`${name}: ${type}\`.`,
  pattern: (given: string): string =>
    `Write the pattern of a route, such as one of \`deno task routes\`, instead of ${given}.`,
};
