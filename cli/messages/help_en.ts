/**
 * The help texts in English.
 *
 * @module
 */

export const helpEn = {
  main: `fw: a web framework whose folder tree is the route table.

Usage: fw <command> [flags]

Commands:
  new        start a project
  dev        serve the project and reload the browser on each save
  gen        write fw_gen.ts from the app/ folder
  generate   write the files of a page, a route, a test or a sign-in
  routes     list the routes
  build      make one executable of the application
  export     write the pages as a static site
  audit      look for what should not go into production
  ui         write the files of the component kit

Flags:
  -h, --help     this text, or a command's own
  --version      the version

Exit codes: 0 done, 1 failed or found problems, 2 wrong command line.
FW_LANG=pt selects Portuguese. NO_COLOR makes the output plain.

Example:
  fw new my-app
`,
  new: `Usage: fw new <name> [--agents]

Starts a project in a new folder. The name may be a path; "." takes this folder, when it is empty.

Flags:
  --agents     also write AGENTS.md and CLAUDE.md

Example:
  fw new my-app
`,
  dev: `Usage: fw dev [--addr <addr>]

Serves the project, restarts it after each save and reloads the browser. A style sheet is swapped
without a reload, an island is bundled without a restart; an error is shown in the browser until it
is fixed.

Flags:
  --addr <addr>     where to listen: 3000 or localhost:3000 for this machine,
                    :3000 for the whole network, 192.0.2.7:3000 for one address
                    (default: the variables ADDR or PORT, then 3000)

FW_DEV_RELOAD=off leaves the reload script out of pages. A .env file beside deno.json is read at
each start. Ctrl-C ends the server with exit code 0.

Example:
  fw dev --addr 8080
`,
  gen: `Usage: fw gen [--check] [--json]

Reads the app/ folder and writes fw_gen.ts. No code of the app runs. Every error is listed as
file:line:column CODE: message, with its fix. Each source in islands/ is bundled to public/islands/.

Flags:
  --check     write nothing; fail when fw_gen.ts or a bundle is out of date
  --json      print {"ok", "problems", "file", "changed", "routes", "bundles"}

Example:
  fw gen --check
`,
  generate: `Usage: fw generate page|route|test <url> [flags]
       fw generate auth --passwords|--passkeys|--provider <name>

Writes the folder and the file that the convention asks for, then fw_gen.ts. Nothing is overwritten.
In a URL, {name} is a parameter and {name...}, at the end, takes the rest.

Flags:
  --methods <list>     the methods of a route (default GET), or those of a page beside Page
  --bind               a schema, and handlers that read the body by it (with POST, PUT or PATCH)
  --form               a page with a form, its schema and its POST handler
  --tsx                a page in JSX
  --tmpl               a page that shows a template beside it
  --passwords          accounts with passwords, in SQLite: sign-in, sign-up, account, sign-out, test
  --passkeys           the same with passkeys beside the passwords
  --provider <name>    sign-in at oidc, entra, keycloak, cognito or clerk

Examples:
  fw generate page /blog/{slug}
  fw generate page /contact --form
  fw generate route /api/events --methods GET,POST --bind
  fw generate test /contact
  fw generate auth --provider keycloak
`,
  routes: `Usage: fw routes [--json]

Lists the routes: their methods, their pattern and the file that declares them.

Flags:
  --json     print {"ok", "problems", "routes"}, each route with "methods", "pattern", "params",
             "kind": "page"|"api", "source", "layouts", "middleware";
             "kindSource": the file whose Kind applies, where one does;
             "csrf": false where a file turns the check off

Example:
  fw routes --json
`,
  ui: `Usage: fw ui [--chat] [--passkeys] [--force]

Writes or updates public/ui.css and public/ui.js, the files of the component kit. A file that was
edited is left as it is, with a warning. public/ui.theme.css, with the colours, is written only where
there is none, and then is yours.

Flags:
  --chat      write public/ui.chat.js too, the script of ui.chat; later runs update it by themselves
  --passkeys  write public/passkeys.js too, the script of passkeyForm; later runs update it
  --force     replace edited files as well; never ui.theme.css

Example:
  fw ui
`,
  export: `Usage: fw export [--out <folder>] [--base-url <url>] [flags]

Writes the pages as files that any host serves: every page without parameters, the others for what
the Paths of their file gives, routes whose path has an extension, and the static files. A second
export writes what has changed and removes what is gone. Fails with every broken link of the site.

The application runs with the permissions of the start task in deno.json, and FW_ENV=prod.

Flags:
  -o, --out <folder>       where the site is written (default: dist/site)
  --base-url <url>         where it will be served, for absolute URLs and sitemap.xml
  --base-path <path>       the URL prefix (default: the path of --base-url, then FW_BASE_PATH)
  --exclude <path>         leave out a path and all below it; may be repeated
  --elsewhere <path>       something else answers it: links to it are not checked; may be repeated
  --layout folder|file     whether /about is about/index.html (default) or about.html
  --concurrency <number>   how many pages are rendered at once (default: 8)
  --force                  write among files that no export wrote; none of them is removed
  --json                   print {"ok", "problems", "report"}

Examples:
  fw export --base-url https://example.com
  fw export -o public_html --exclude /admin
`,
  build: `Usage: fw build [--target <system>] [--output <file>] [flags]

Makes one executable of the application, with public/ inside. First the islands are bundled, and the
generated file, the assets and islands that the code names and the types are checked; nothing is
built while one of them is wrong. At the
end the executable is started in an empty folder on a free port and asked for its health and for a
static file; only then is it written.

Its permissions are those of the start task in deno.json, so that both run the same: widen them
there. The file that the start task runs is what is built. A relative path in a permission, such as
.fw/spool, counts from the folder in which the executable is started.

Flags:
  --target <system>     build for another system, which is not started here:
                        x86_64-unknown-linux-gnu, aarch64-unknown-linux-gnu,
                        x86_64-apple-darwin, aarch64-apple-darwin,
                        x86_64-pc-windows-msvc, aarch64-pc-windows-msvc
  -o, --output <file>   where it is written (default: dist/ and the project's name)
  --include <path>      a file or folder that belongs inside besides public/; may be repeated
  --skip-smoke          do not start it
  --json                print {"ok", "problems", "output", "target", …}

DENORT_BIN names the base executable (denort) where Deno cannot download it.

Examples:
  fw build
  fw build --target aarch64-unknown-linux-gnu -o out/shop-arm64
`,
  audit: `Usage: fw audit [--json]

Looks for what should not go into production: keys and tokens, metrics and hosts that are open,
routes without a CSRF check, permissions, versions, the generated file, lint, types, and packages
with known vulnerabilities. No code of the app runs: settings are read from the environment, from
the start task in deno.json and from the text of Config in app/setup.ts. Run it with the variables of
production to see what production will have.

Each finding is critical, a warning or a note, and says what to do. The exit code is 1 when one is
critical.

Flags:
  --json     print {"ok", "problems", "counts", "passed"}, each problem with "code", "severity",
             "place", "message", "fix"; "place" and "fix" are optional

Example:
  fw audit --json
`,
};
