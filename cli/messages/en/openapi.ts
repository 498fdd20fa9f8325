/**
 * The English texts about the document of an API.
 *
 * @module
 */
import type { ProblemText } from "../../problem.ts";

const docs = "docs/api.md";

export const openApiEn = {
  undeclared: (
    operation: string,
    file: string,
    response: string,
    path: string,
    type: string,
  ): ProblemText => ({
    message: `the handler of ${operation} in ${file} sends ` +
      `${path === "" ? "a value" : `"${path}"`} of the type ${type} in the response ${response}`,
    fix: "Declare its type: annotate the function or variable that the value comes from. For any " +
      "JSON at all, declare a recursive type such as JsonValue.",
  }),
  directiveType: (operation: string, file: string, type: string): ProblemText => ({
    message: `the doc comment of ${operation} in ${file} names the type ${type}, which is not ` +
      "declared there",
    fix: "Import or declare the type in this file, or correct its name.",
  }),
  directive: (written: string, example: string): ProblemText => ({
    message: `"${written}" is no directive`,
    fix: `Write it like \`${example}\`, or remove the line.`,
  }),
  status: (operation: string, file: string): ProblemText => ({
    message: `the handler of ${operation} in ${file} sends a response whose status is not known ` +
      "before it runs",
    fix: "Write the status as a number, or give the variable a literal type such as 200 | 201.",
  }),
  unread: (name: string, file: string, detail: string): ProblemText => ({
    message: `the rules of the schema ${name} in ${file} cannot be read, only its types` +
      (detail === "" ? "" : `: ${detail}`),
    fix: "Move the schema to a module that does nothing else, and export it as a constant.",
  }),
  noResponse: (operation: string, file: string): ProblemText => ({
    message: `the responses of ${operation} in ${file} cannot be read from the code`,
    fix: "Add a line `openapi:response 200 <type>` to the doc comment of the handler; see " +
      `${docs}.`,
  }),
  imports: (): ProblemText => ({
    message: "the imports of the project cannot be read",
    fix: "Run `deno check` and correct what it reports.",
  }),
  stale: (file: string, places: string): ProblemText => ({
    message: `${file} differs from the code: ${places}`,
    fix: "Run `deno task openapi` and commit the file.",
  }),
  missing: (file: string): ProblemText => ({
    message: `${file} does not exist`,
    fix: "Run `deno task openapi` and commit the file.",
  }),
  driftKinds: { added: "added", removed: "removed", changed: "changed" },
  moreDrift: (count: string): string => `and ${count} more`,
  written: (file: string, operations: string): string =>
    `Wrote ${file} (operations: ${operations}).`,
  fresh: (file: string): string => `${file} is up to date.`,
};
