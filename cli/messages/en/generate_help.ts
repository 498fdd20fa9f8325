export const generateHelpEn = {
  "generate page": `<url> [flags]
Writes the page of a URL, then fw_gen.ts.
--methods <list>     the methods besides Page
--bind               add a schema with which handlers read the body
--form               a form with its schema, its POST handler and a test
--tsx                write it in JSX
--tmpl               show a template beside it
--force              replace a file that exists, if the last commit has its content
fw generate page /blog/{slug}`,
  "generate route": `<url> [flags]
Writes the route of a URL, then fw_gen.ts.
--methods <list>     its methods (default GET)
--bind               add a schema with which handlers read the body, and a test
--force              replace a file that exists, if the last commit has its content
fw generate route /api/events --methods GET,POST --bind`,
  "generate test": `<url> [flags]
Writes the test of a page or route that exists.
--force              replace a file that exists, if the last commit has its content
fw generate test /contact`,
  "generate island": `<name> [flags]
Writes islands/<name>.ts, code of the browser, then fw_gen.ts.
--force              replace a file that exists, if the last commit has its content
fw generate island counter`,
  "generate job": `<name> [flags]
Writes jobs/<name>.ts, work outside of a request, with a test, and adds it to jobs/mod.ts. The first
one also brings work.ts, the task "work" (the jobs in a process without a listener) and the call in
Setup.
fw generate job send_digest`,
  "generate jobs": `[flags]
Writes a page at /jobs for users with the role "admin": how many jobs wait and run, and those that
failed for good, to run again or to delete. It needs jobs and a sign-in.
fw generate jobs`,
  "generate mail": `<name> [flags]
Writes mails/<name>.ts, a mail from nodes, with a test and a preview, which development shows at
/_fw/dev/mail/<name>. The first one also brings lib/mail.ts and the call in Setup.
fw generate mail welcome`,
  "generate migration": `<name> [flags]
Writes the next migration of the database; the first one also brings lib/database.ts.
fw generate migration add_place_to_events`,
  "generate resource": `<names> <field>:<type>[,<rule>…] … [flags]
Writes a list with search and pages, a detail page, a form to add and change, a page to delete,
a store with a migration for the engine of the application, and a test.
Types: text, long, email, url, enum, oneof=a/b/c, int, int64, float, number, money=EUR, bool, date, day,
datetime, ref=customers (also /cascade, /null), and for uploads image and file, with the rules required,
optional and max=2mb.
Rules: required, optional, unique, min=n, max=n, len=n, email, url, oneof=a/b/c, eqfield=other.
--api                a JSON API beside the pages, with a test
--audit              changes with who made them on the page of a row, and deletions that can be taken back
--csv                an export of the list as CSV, and an import with errors by line
--guard              signed-in users alone: needs a sign-in
--public             everybody, in an application with a sign-in
--singular <name>    the name of one row, where it cannot be guessed
--seed <count>       also seeds/<names>.ts, which adds that many example rows
--undo               with the same names, fields and flags: remove what it wrote, but no file that was
                     changed since
fw generate resource events title:text,required seats:int,min=1`,
  "generate language": `<tag> [flags]
Adds a language: to Config in app/setup.ts, a route and a form to switch, and a catalog with the texts of
the layout and of the 404. Run it before generate page, generate resource and generate auth: in an
application with several languages they write their texts into catalogs, in English and Portuguese.
fw generate language pt-PT`,
  "generate serve": `[flags]
Writes what runs the application in several processes: serve.ts for deno serve --parallel, a Dockerfile,
and deploy/ with a compose file, Caddy and nginx.`,
  "generate database": `<engine> [flags]
Writes what opens a database of Postgres. In an application on SQLite it translates the migrations, changes
the sources, and writes scripts/move_rows.ts, which copies the rows. The last commit must have the files
that change.
fw generate database postgres`,
  "generate auth": `[flags]
Writes a sign-in with its pages, its store and a test.
--passwords          accounts with passwords
--passkeys           the same with passkeys; after --passwords it adds them
--provider <name>    oidc, entra, keycloak, cognito or clerk; beside passwords too
fw generate auth --provider keycloak`,
};
