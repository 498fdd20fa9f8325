export const describeEn = {
  describe: {
    ctx: {
      intro: `fw {version}, {routes} {routes:route|routes}. Layouts and middleware of a folder apply
        to everything below it.`,
      routes: "Routes",
      layouts: "Layouts, with the number of routes",
      middleware: "Middleware, with the number of routes",
      types: "Types",
      provides: "Provided by Setup",
      settings: "Settings",
      variables: "Variables",
      islands: "Islands",
    },
    docs: {
      nothing: 'Nothing found for "{query}". Use fewer words, or English words.',
    },
    policy: {
      added: "new, with the guards {guards}",
      removed: "removed",
      fix:
        "Undo the change, or run `deno task policy`, commit policy.txt and tell the reviewer why.",
    },
  },
  diff: {
    kinds: {
      "added": "{place} is new",
      "added required": "{place} is new and required",
      "removed": "{place} was removed",
      "became required": "{place} became required",
      "became optional": "{place} became optional",
      "changed": "{place}: {name} changed from {from} to {to}",
      "not compared": "{place} is nested too deep to compare",
    },
    levels: { breaking: "breaking", compatible: "compatible", notice: "notice" },
    fix: {
      breaking:
        "Keep the older form beside the new one, or publish it under a new path or version.",
      notice: "Tell the authors of clients.",
    },
    none: "No difference from {against}.",
    summary: "Breaking: {breaking}. Notices: {notices}. Compatible: {compatible}.",
    unreadable:
      `Cannot compare with "{against}": it is not a document that \`fw openapi\` wrote, and git
      finds no {file} there. Name a file, or a git ref such as main or v1.2.0.`,
  },
  incident: {
    none: `No incident in {folder} has the request id "{requestId}". List them with \`deno task
      incident\`, or name the folder with --from.`,
    empty: `There are no incidents in {folder}. The application stores them in the folder of
      config.observability.incidents (FW_INCIDENTS); --from reads another folder.`,
  },
  openapi: {
    undeclared: `the handler of {operation} in {file} sends a value of the type {type} in the
      response {response}[[, at "{path?}"]]
      Fix: Declare its type: annotate the function or variable that the value comes from. For any
      JSON at all, declare a recursive type such as JsonValue.`,
    directiveType: `the doc comment of {operation} in {file} names an undeclared type {type}
      Fix: Import or declare the type in this file, or correct its name.`,
    directive: `"{written}" is not a valid directive
      Fix: Write it like \`{example}\`, with a name for a union or a literal type, or remove the line.`,
    status: `the handler of {operation} in {file} sends a status that the code does not show
      Fix: Write the status as a number, or give the variable a literal type such as 200 | 201.`,
    unread: `the rules of the schema {name} in {file} cannot be read, only its types[[: {detail?}]]
      Fix: Move the schema to a module that does nothing else, and export it as a constant.`,
    noResponse: `the responses of {operation} in {file} cannot be read from the code
      Fix: Add a line \`openapi:response 200 <type>\` to the doc comment of the handler; see docs/api.md.`,
    imports: `the imports of the project cannot be read
      Fix: Run \`deno check\` and correct what it reports.`,
    tooDeep: `the code is nested too deeply to read its types
      Fix: Split the expression, or give its parts named types.`,
    written: "Wrote {file} (operations: {operations}).",
  },
} as const;
