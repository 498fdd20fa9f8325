export const helpEn = {
  main: `fw: a web framework whose folder tree is the route table.

Usage: fw <command> [flags]

Commands:
  new        create a project
  dev        serve the project and reload the browser after each save
  gen        write fw_gen.ts from the app/ folder
  generate   write a page, route, test, island, job, mail, resource, migration, auth, language or serve
  routes     list the routes
  build      build an executable of the application
  export     write the pages as a static site
  check      check everything before a commit, up to the first failure
  audit      find what should not go into production
  incident   write a failing test of a request that was answered with a 5xx
  migrate    apply the migrations of the database
  jobs       list the jobs, and retry or drop those that failed
  ui         write the files of the component kit
  openapi    write the OpenAPI document of the API routes
  ctx        print the map of the project
  policy     write down who may call what, and compare it with the code
  docs       search the guides and the API reference
  agents     write AGENTS.md for coding agents
  mcp        serve coding agents over the Model Context Protocol

Flags:
  -h, --help     print this text, or the help of a command
  --version      print the version

Exit codes: 0 success, 1 failure or problems found, 2 wrong command line.
FW_LANG=pt selects Portuguese. NO_COLOR turns colours off.

Example:
  fw new my-app
`,
  new: `Usage: fw new <name> [--kit] [--agents]

Creates a project in a new folder. The name may be a path; "." uses this folder if it is empty.

Flags:
  --kit        a layout with the component kit, and its files in public/
  --agents     also write AGENTS.md and CLAUDE.md

Examples:
  fw new my-app
  fw new my-app --kit
`,
  dev: `Usage: fw dev [--addr <addr>]

Serves the project, restarts it after each save and reloads the browser. A stylesheet is swapped
without a reload, and an island is bundled without a restart. An error is shown in the browser until
it is fixed.

Flags:
  --addr <addr>     where to listen: 3000 or localhost:3000 for this machine,
                    :3000 for the whole network, 192.0.2.7:3000 for one address
                    (default: the variables ADDR or PORT, then 3000)

FW_DEV_RELOAD=off removes the reload script from pages. A .env file beside deno.json is read at each
start. Ctrl-C stops the server with exit code 0.

Example:
  fw dev --addr 8080
`,
  gen: `Usage: fw gen [--check] [--json]

Reads the app/ folder and writes fw_gen.ts, without running the app. Every error is printed as
file:line:column CODE: message, with a fix. Each source in islands/ is bundled to public/islands/.

Flags:
  --check     write nothing; fail if fw_gen.ts or a bundle is out of date
  --json      print {"ok", "problems", "file", "changed", "routes", "bundles"}

Example:
  fw gen --check
`,
  generate: `Usage: fw generate page|route|test <url> [flags]
       fw generate island <name>
       fw generate job <name>
       fw generate jobs
       fw generate mail <name>
       fw generate migration <name>
       fw generate resource <names> <field>:<type>[,<rule>…] … [--api] [--singular <name>]
       fw generate auth [--passwords] [--passkeys] [--provider <name>]
       fw generate language <tag>
       fw generate serve

Writes the convention file for a URL, then fw_gen.ts. Nothing is overwritten without --force.
Each has its own help, as in fw generate page --help.
In a URL, {name} is a parameter, {name...} at the end matches the rest, and name- is a group.

Flags:
  --methods <list>     the methods of a route (default GET), or those of a page besides Page
  --bind               add a schema with which handlers read the body (POST, PUT or PATCH)
  --form               write a page with a form, its schema and its POST handler
  --tsx                write the page in JSX
  --tmpl               a page that shows a template beside it
  --passwords          accounts with passwords, in SQLite: sign-in, sign-up and reset by mail, test
  --passkeys           the same with passkeys; after --passwords it adds them
  --provider <name>    sign-in at oidc, entra, keycloak, cognito or clerk; beside passwords too
  --api                a JSON API beside the pages of a resource, with a test
  --csv                an export of the list of a resource as CSV, and an import with errors by line
  --singular <name>    the name of one row, where it cannot be guessed from the plural
  --seed <count>       also seeds/<names>.ts, which adds that many example rows
  --force              replace a page, route, test or island, if the last commit has its content
  --dry-run            print what would be written and changed, and write nothing

A resource is a list with search and pages, a detail page, a form to add and change, a page to delete,
a store on SQLite with a migration, and a test; with the component kit where the layout has it.
Types: text, long, email, url, enum, int, int64, float, number, bool, date, datetime, and for uploads
image and file, with the rules required, optional and max=2mb.
Rules: required, optional, min=n, max=n, len=n, email, url, oneof=a|b|c, eqfield=other (quote the |).

Examples:
  fw generate page /blog/{slug}
  fw generate page /contact --form
  fw generate route /api/events --methods GET,POST --bind
  fw generate page /members-/account
  fw generate test /contact
  fw generate island counter
  fw generate job send_digest
  fw generate mail welcome
  fw generate resource events title:text,required seats:int,min=1 starts:date
  fw generate migration add_place_to_events
  fw generate auth --provider keycloak
  fw generate language pt-PT
`,
  jobs: `Usage: fw jobs [list|retry|drop] [<id> …] [--all] [--json]

Lists the jobs: how many wait, run and have failed for good (dead), and the newest 100 of each. Boots
the application with the permissions of its start task, and runs no job.

  list           the default
  retry <id> …   lets dead jobs run again
  drop <id> …    deletes jobs that do not run

Flags:
  --all          retry or drop all dead jobs of the list
  --json         print {"ok", "problems", "counts", "jobs", "changed"}

Examples:
  fw jobs
  fw jobs retry 17
  fw jobs drop --all
`,
  migrate: `Usage: fw migrate [--status] [--db <file>] [--json]

Applies the migrations in migrations/ that the SQLite database does not have, in order and in one
transaction. The database is the file that FW_DB names, or data/app.sqlite. The application does the
same when it starts.

Flags:
  --status       list the migrations: applied, pending, changed since, missing in the project, newer;
                 exit code 1 when one was changed or is missing
  --db <file>    another database
  --json         print {"ok", "problems", "database", "applied"}; with --status "migrations" instead of
                 "applied", each with "name", "state" and "appliedAt"

Examples:
  fw migrate
  fw migrate --status
`,
  ui: `Usage: fw ui [--passkeys] [--force]

Writes or updates public/ui.css, public/ui.js, its parts (ui.swap.js, ui.live.js, ui.parts.js) and their source
maps, the files of the component kit. An edited file is not changed, with a warning. public/ui.theme.css, which contains the
colours, is written only if it does not exist, and belongs to the application.

Flags:
  --brand     put a colour, such as "#2563eb", into public/ui.theme.css, light and dark, readable
  --passkeys  also write public/passkeys.js, the script of passkeyForm; later runs update it
  --force     also replace edited files, but never ui.theme.css

Example:
  fw ui
`,
  export: `Usage: fw export [--out <folder>] [--base-url <url>] [flags]

Writes the pages as files that any host can serve: pages without parameters, pages with parameters
for each entry of their Paths, routes whose path has an extension, and the static files. A second
export writes only changed files and removes obsolete ones. Reports every broken link as an error.

The application runs with the permissions of the start task in deno.json, and FW_ENV=prod.

Flags:
  -o, --out <folder>       the output folder (default: dist/site)
  --base-url <url>         the address of the site, for absolute URLs and sitemap.xml
  --base-path <path>       the URL prefix (default: the path of --base-url, then FW_BASE_PATH)
  --exclude <path>         omit a path and everything below it; may be repeated
  --elsewhere <path>       do not check links to a path that another server handles; may be repeated
  --layout folder|file     write /about as about/index.html (default) or about.html
  --concurrency <number>   the number of pages rendered at once (default: 8)
  --force                  write to a folder with other files, none of which is removed
  --json                   print {"ok", "problems", "report"}

Examples:
  fw export --base-url https://example.com
  fw export -o public_html --exclude /admin
`,
  build: `Usage: fw build [--target <system>] [--output <file>] [flags]

Builds an executable of the application, with public/ embedded. First, the islands are bundled, and
the generated file, the assets and islands that the code names, and the types are checked. An error
stops the build. Then the executable is started in an empty folder on a free port, and must respond
to a health check and a request for a static file before it is written.

The executable runs the file of the start task in deno.json, with the permissions of that task: change
them there. A relative path in a permission, such as .fw/spool, is relative to the folder in which the
executable is started.

Flags:
  --target <system>     build for another system, without starting the executable:
                        x86_64-unknown-linux-gnu, aarch64-unknown-linux-gnu,
                        x86_64-apple-darwin, aarch64-apple-darwin,
                        x86_64-pc-windows-msvc, aarch64-pc-windows-msvc
  -o, --output <file>   the output file (default: the project's name in dist/)
  --include <path>      embed another file or folder; may be repeated
  --skip-smoke          do not start the executable
  --json                print {"ok", "problems", "output", "target", …}

The executable tells what it is and starts no server with
--fw version|routes|policy|openapi.

DENORT_BIN is the path of the base executable (denort), if Deno cannot download it.

Examples:
  fw build
  fw build --target aarch64-unknown-linux-gnu -o out/shop-arm64
`,
  check: `Usage: fw check [--changed] [--fix] [--json]

Checks everything that must hold before a commit, and stops at the first step that fails:
  gen      fw_gen.ts is up to date, and islands are bundled
  fmt      every file is formatted
  lint     the linter finds nothing
  types    the types are right, those of links, islands and tests included
  assets   static files and islands that the code names exist
  messages every message of a catalog is used, in every language of the application (warnings)
  test     the tests pass
  pages    every link and form of the pages that the tests received works without a script
  audit    nothing is critical in production; FW_SECRET is assumed, which fw audit requires
  openapi  the code is what openapi.json says, if the project has the file
  policy   the code is what policy.txt says, if the project has the file
Each problem has a file, a line and a fix.

Flags:
  --changed  look only at what differs from the last commit: format and lint of these files, and the
             tests that import them; types, audit and policy are checked as a whole
  --fix      write fw_gen.ts, openapi.json, format, correct what the linter
             can, and write policy.txt unless a change makes it weaker
  --json     print {"ok", "problems", "steps", "skipped"}

Example:
  fw check --fix
`,
  audit: `Usage: fw audit [--json]

Finds what should not go into production: weak keys and tokens, public metrics, unlimited hosts,
routes without a CSRF check, wide permissions, differing versions, a stale generated file, lint and
type errors, and packages with known vulnerabilities. No code of the app runs: the settings are read
from the environment, the start task in deno.json and the text of Config in app/setup.ts. Run it with
production variables to check the production configuration.

Each problem is critical, a warning or a note, and has a fix. The exit code is 1 if one is critical.

Flags:
  --json     print {"ok", "problems", "counts", "passed"}, each problem with "code", "severity",
             "place", "message", "fix"; "place" and "fix" are optional

Example:
  fw audit --json
`,
};
