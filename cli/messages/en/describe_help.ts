export const describeHelpEn = {
  openapi: `Usage: fw openapi [-o <file or ->] [--against <file or git ref>] [--check] [--json]

Writes the OpenAPI 3.1 document of every route.ts, from its types, its schemas and its doc comments.
The app is not run: Config and Setup are not called. Every error is printed as
file:line:column CODE: message, with a fix.

Flags:
  -o, --output <file>     where the document goes; - prints it (default openapi.json)
  --against <file or ref> write nothing; list what changed since an older document, a file or the one
                          of a git commit, and fail if clients of it break
  --check                 write nothing; fail if the file differs from the code, and say where
  --json                  print {"ok", "problems", "file", "changed", "operations"}

Lines in the doc comment of a handler:
  openapi:response <status> [type]              a response; without a type, a problem document
  openapi:body <type>                           the request body
  openapi:query <name> <type> [description]     a query parameter; name! is required
  openapi:tag <name>                            a tag instead of the last fixed path segment
  openapi:omit                                  leaves the operation out of the document
A type is a name in the file's scope, a word such as string, integer or date-time, a literal, any of
these with [] or |, or a media type.

Example:
  fw openapi --check
  fw openapi --against main
`,
  routes: `Usage: fw routes [--json]

Lists the routes with their methods, pattern and source file.

Flags:
  --json     print {"ok", "problems", "routes"}, each route with "methods", "pattern", "params",
             "kind": "page"|"api", "source", "layouts", "middleware";
             "kindSource": the file whose Kind applies, if there is one;
             "csrf": false if the file turns the CSRF check off, "site" if writes check no token
             and only refuse cross-site requests that carry cookies

Example:
  fw routes --json
`,
  ctx: `Usage: fw ctx [--json]

Prints the map of the project: its routes with files, methods, actions, guards and tests, what each
operation reads and answers, the types involved, what Setup provides, settings, variables and islands.
No code of the application runs. The order depends on the sources alone.

Flags:
  --json     print the map as docs/ctx.schema.json describes it, with layouts and middleware of each route

Example:
  fw ctx
`,
  policy: `Usage: fw policy [--check] [--json]

Writes policy.txt: one line for each method of each route and each action, with its kind, CSRF check,
CORS origins, body limit, rate limit, deadlines, cache, guards and middleware. Commit the file, so that
a review shows every change. Prints what changed, and whether it became weaker or stronger. The lines
come from the code alone; variables of the environment are not part of them.

Flags:
  --check    write nothing, and fail if the code differs from policy.txt
  --json     print {"ok", "problems", "changes"}

Example:
  fw policy --check
`,
  docs: `Usage: fw docs <words> [--json]

Searches the guides and the exported surface of the version of fw that the project uses, offline, and
prints the sections that fit best, with title, place and excerpt.

Flags:
  --json     print {"ok", "problems", "results"}, each result with its whole text

Example:
  fw docs upload limit
`,
  agents: `Usage: fw agents [--force] [--lang pt]

Writes AGENTS.md, which tells coding agents how to work in this project: its tasks, its middleware,
the packages that it uses, the conventions. A copy that nobody edited is replaced, an edited one is
kept. Writes CLAUDE.md too, if there is none.

Flags:
  --force        replace an edited AGENTS.md
  --lang <lang>  en or pt (default en)

Example:
  fw agents
`,
  incident: `Usage: fw incident [<request_id>] [--from <folder>] [--json]

Writes a test that sends a request again which was answered with a 5xx, beside the file of its route.
The test fails until the fault is fixed. Without an id, it lists the requests that were kept, the
newest first. The application keeps them where config.observability.incidents (FW_INCIDENTS) names a
folder; cookies, authorization, tokens and fields that look secret are never kept.

Flags:
  --from <folder>     read another folder, such as one copied from a server
                      (default: that of the settings, then .fw/incidents)
  --json              with the list, print {"ok", "problems", "folder", "incidents"}

Examples:
  fw incident
  fw incident 4a1f0c2b9d3e-00007k
`,
  mcp: `Usage: fw mcp

Serves coding agents over the Model Context Protocol, on standard input and output. Its tools return
evidence: project, routes, policy, docs, log, check, render, test, generate. They run the project's own code
with the permissions of its test task, and write nothing outside the project. An agent starts it; see
.mcp.json.

Example:
  fw mcp
`,
};
