export const openApiEn = {
  undeclared: `the handler of {operation} in {file} sends a value of the type {type} in the response
    {response}[[, at "{path?}"]]
    Fix: Declare its type: annotate the function or variable that the value comes from. For any
    JSON at all, declare a recursive type such as JsonValue.`,
  directiveType: `the doc comment of {operation} in {file} names the type {type}, which is not
    declared there
    Fix: Import or declare the type in this file, or correct its name.`,
  directive: `"{written}" is no directive
    Fix: Write it like \`{example}\`, or remove the line.`,
  status: `the handler of {operation} in {file} sends a response whose status is not known before
    it runs
    Fix: Write the status as a number, or give the variable a literal type such as 200 | 201.`,
  unread: `the rules of the schema {name} in {file} cannot be read, only its types[[: {detail?}]]
    Fix: Move the schema to a module that does nothing else, and export it as a constant.`,
  noResponse: `the responses of {operation} in {file} cannot be read from the code
    Fix: Add a line \`openapi:response 200 <type>\` to the doc comment of the handler; see docs/api.md.`,
  imports: `the imports of the project cannot be read
    Fix: Run \`deno check\` and correct what it reports.`,
  tooDeep: `the code is nested too deeply to read its types
    Fix: Split the expression, or give its parts types of their own.`,
  stale: `{file} differs from the code: {places}
    Fix: Run \`deno task openapi\` and commit the file.`,
  missing: `{file} does not exist
    Fix: Run \`deno task openapi\` and commit the file.`,
  driftKinds: { added: "added", removed: "removed", changed: "changed" },
  moreDrift: "and {count} more",
  written: "Wrote {file} (operations: {operations}).",
  fresh: "{file} is up to date.",
} as const;
