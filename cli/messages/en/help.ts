export const helpEn = {
  main: `fw: a web framework whose folder tree is the route table.

Usage: fw <command> [flags]

Commands:
{commands}

Flags:
  -h, --help     print this text, or the help of a command
  --version      print the version

Exit codes: 0 success, 1 failure or problems found, 2 wrong command line.
FW_LANG=pt selects Portuguese. NO_COLOR turns colours off.

Example:
  fw new my-app
`,
  new: `Creates a project in a new folder. The name may be a path; "." uses this folder if it is
empty.
--kit        a layout with the component kit, and its files in public/
--db <engine>  also write the code that opens a database: sqlite or postgres
--agents     also write AGENTS.md and CLAUDE.md`,
  dev:
    `Serves the project, restarts it after each save and reloads the browser. An error is shown there
until it is fixed.
--addr <addr>     where to listen: 3000 for this machine, :3000 for the whole network
                  (default: the variables ADDR or PORT, then 3000)
FW_DEV_RELOAD=off removes the reload script from pages. A .env file beside deno.json is read at each
start.`,
  gen: `Reads the app/ folder and writes fw_gen.ts, without running the app. Each source in islands/
is bundled to public/islands/.
--check     write nothing; fail if fw_gen.ts or a bundle is out of date
--json      print {"ok", "problems", "file", "changed", "routes", "bundles"}`,
  generate: `Writes files of the application, then fw_gen.ts. Nothing is overwritten. In a URL,
{name} is a parameter, {name...} at the end matches the rest, and name- is a group. Each has its own
help, as in fw generate page --help:

  page|route|test <url>
  island|job|mail|migration <name>
  resource <names> <field>:<type>[,<rule>…] …
  auth|jobs|serve
  database postgres
  language <tag>`,
  jobs:
    `Lists the jobs, enqueues one now, and retries or drops some. Prints how many are waiting, running
and dead (failed for the last time), and the newest 100 of each. The command itself runs no job.

  list           the default
  retry <id> …   lets dead and delayed jobs run now
  drop <id> …    deletes jobs that are not running
  run <name> [<json>]
                 enqueues a job, with a value or that of its schedule
--all          retry or drop all dead jobs of the list`,
  migrate:
    `Applies the migrations of the database: those in migrations/ that it does not have, in one
transaction, and writes the schema to migrations/schema.sql. The database is what FW_DB names, or
data/app.sqlite. The application applies them too when it starts.
--status       list the migrations; exit code 1 when one was changed or is missing, or the schema is
               not that of schema.sql
--db <file>    another database: a file, or the address of a server`,
  ui: `Writes the files of the component kit, or updates them. An edited file is not changed, with a
warning. public/ui.theme.css, which contains the colours, belongs to the application.
--brand <color>  put a colour, such as "#2563eb", into public/ui.theme.css, readable in light and dark
--passkeys       also write public/passkeys.js, the script of passkeyForm; later runs update it
--force          also replace edited files, but never ui.theme.css`,
  export:
    `Writes the pages as files that any host can serve: pages without parameters or with those of
their Paths, routes whose path has an extension, and the static files. Every broken link is an error.
-o, --out <folder>       the output folder (default: dist/site)
--base-url <url>         the address of the site, for absolute URLs and sitemap.xml
--only <path> …          export only the pages of a path and everything below it; / is the start page
--exclude <path> …       omit a path and everything below it
--elsewhere <path> …     do not check links to a path that another server handles`,
  build: `Builds one executable of the application. It contains public/ and runs the file of the
start task in deno.json with the permissions of that task. Before it is written, it is started in an
empty folder and must respond to a health check and a request for a static file.
--target <system>     build for another system, such as aarch64-unknown-linux-gnu or
                      x86_64-pc-windows-msvc, without starting the executable
-o, --output <file>   the output file (default: the project's name in dist/)
--include <path> …    embed another file or folder
--skip-smoke          do not start the executable
With --fw version|routes|policy|openapi the executable describes itself and starts no server.
DENORT_BIN is the path of the base executable (denort), if Deno cannot download it.`,
  check: `Checks everything that must hold before a commit, and stops at the first step that fails:
gen, fmt, lint, types, assets, messages, test, pages, audit, openapi, policy. Each problem has a
file, a line and a fix.
--fix   write fw_gen.ts, openapi.json and the kit's files, format, and correct what the linter can
--json  print {"ok", "problems", "steps", "skipped"}`,
  audit: `Finds what should not go into production: weak keys, public metrics, routes without a
guard, wide permissions, packages with known vulnerabilities. No code of the app runs. Run it with
production variables. The exit code is 1 if a problem is critical.
--json     print {"ok", "problems", "counts", "passed"}`,
  openapi: `Writes the OpenAPI 3.1 document of every route.ts: from its types, its schemas and the
directives in its doc comments, which fw docs openapi directives shows.
-o, --output <file>     where the document goes; - prints it (default openapi.json)
--against <file or ref>  write nothing; list the changes since an older document (a file or
                        a git ref), and fail if they break its clients
--check                 write nothing; fail if the file differs from the code
--json                  print {"ok", "problems", "file", "changed", "operations"}`,
  routes: `Lists the routes with their methods, pattern and source file.
--json     print {"ok", "problems", "routes"}`,
  ctx:
    `Prints the map of the project: its routes with files, methods, actions, guards and tests, what
operations read and return, types, what Setup provides, settings, variables and islands.
--json     print the map as docs/ctx.schema.json describes it, with layouts and middleware of each route`,
  policy: `Writes down who may call what: policy.txt has one line for each method of each route and
each action. Commit the file, so that a review shows every change. Prints what changed.
--check    write nothing, and fail if the code differs from policy.txt`,
  docs: `Searches the guides and the API reference: those of the version of fw that the project
uses, offline. Prints the best matching sections, with title, place and excerpt.`,
  agents: `Writes AGENTS.md, which tells coding agents how to work in this project. CLAUDE.md is
written too if there is none. An edited file is kept.
--force        replace an edited AGENTS.md
--lang <lang>  en or pt (default en)`,
  incident:
    `Writes a failing test for a request that got a 5xx, beside the file of its route. Without an
id, it lists the requests that config.observability.incidents (FW_INCIDENTS) stored.
--from <folder>     read another folder, such as one copied from a server
                    (default: that of the settings, then .fw/incidents)`,
  mcp: `Serves coding agents over the Model Context Protocol, on standard input and output. The
tools run the project's own code with the permissions of its test task. See .mcp.json.`,
  "generate page": `Writes the page of a URL, then fw_gen.ts.
--methods <list>     the methods besides Page
--bind               add a schema with which handlers read the body
--form               a form with its schema, its POST handler and a test`,
  "generate route": `Writes the route of a URL, then fw_gen.ts.
--methods <list>     its methods (default GET)
--bind               add a schema with which handlers read the body, and a test`,
  "generate test": "Writes the test of a page or route that exists.",
  "generate island": "Writes islands/<name>.ts, code for the browser, then fw_gen.ts.",
  "generate job": `Writes jobs/<name>.ts, work outside of a request, with a test, and adds it to
jobs/mod.ts. The first one also brings work.ts, the task "work" (the jobs in a process without a
listener) and the call in Setup.`,
  "generate jobs": `Writes a page at /jobs for users with the role "admin": how many jobs are
waiting and running, and the dead ones, to retry or drop. It needs jobs and a sign-in.`,
  "generate mail": `Writes mails/<name>.ts, a mail from nodes, with a test and a preview, which
development shows at /_fw/dev/mail/<name>. The first one also brings lib/mail.ts and the call in
Setup.`,
  "generate migration":
    "Writes the next migration of the database; the first one also brings lib/database.ts.",
  "generate resource": `Writes a list with search and pagination, a detail page, a form to add and
change, a page to delete, a store with a migration for the engine of the application, and a test.
Types: text, long, email, url, oneof=a/b/c, int, int64, float, money=EUR, bool, date, day, datetime,
ref=customers (also /cascade, /null), and for uploads image, pdf and file, with the rules
required, optional and max=2mb. Rules: required, optional, unique, min=n, max=n.
--api                a JSON API beside the pages, with a test
--audit              the changes of a row on its page, with their authors, and deletions that can be undone
--csv                an export of the list as CSV, and an import with errors by line
--inside             no pages: rows in the form and on the page of the resource to which a field with /cascade
                     refers, such as the lines of an invoice
--guard[=<role>]     only signed-in users, or those with a role; needs a sign-in
--writers <role>     with --guard or --public: only users with the role add, change and delete, and see the buttons for it
--public             all clients, in an application with a sign-in
--singular <name>    the name of one row, if it cannot be guessed
--seed <count>       also seeds/<names>.ts, which adds that many example rows
--undo               with the same names, fields and flags: remove what it wrote, but no file that was
                     changed since; not with --inside`,
  "generate language": `Adds a language: to Config in app/setup.ts, with a route and a form to
switch, and to the catalogs. Texts that it cannot translate are in English and end in
"// translate". Run it before generate page, generate resource and generate auth: in an application with
several languages they write their texts into catalogs.`,
  "generate serve": `Writes the files that run the application in several processes: serve.ts for
deno serve --parallel, a Dockerfile, and deploy/ with a compose file, Caddy and nginx.`,
  "generate database": `Writes the code that opens a Postgres database. In an application on SQLite
it translates the migrations, changes the sources, and writes scripts/move_rows.ts, which copies the
rows. The last commit must contain the files that change.`,
  "generate auth": `Writes a sign-in with its pages, its store and a test.
--passwords          accounts with passwords
--passkeys           the same with passkeys; after --passwords it adds them
--provider <name>    oidc, entra, keycloak, cognito, clerk, github or discord; beside
                     passwords too
--users[=<role>]     pages at /users for users with the role (default admin): search accounts, give
                     roles, disable, sign out, delete and invite; also after the others`,
};
