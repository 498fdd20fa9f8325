import { describeEn } from "./en/describe.ts";
import { generateEn } from "./en/generate.ts";
import { helpEn } from "./en/help.ts";
import { problemsEn } from "./en/problems.ts";
import { productionEn } from "./en/production.ts";
import { runEn } from "./en/run.ts";
import { withUsages } from "./usages.ts";

export const en = {
  ...describeEn,
  ...generateEn,
  ...productionEn,
  ...runEn,
  help: withUsages(helpEn),
  problems: problemsEn,
  printed: {
    // Every subject of generate has it.
    dryRun: "--dry-run            print what would be written and changed, and write nothing",
    usage: "Usage",
    flags: "Flags",
    example: "Example",
    examples: "Examples",
    severity: { critical: "critical", error: "error", warning: "warning", info: "info" },
    fix: "Fix",
    also: "also {place}",
    more: "and {count} more {count:place|places}",
  },

  unknownCommand: 'Unknown command "{name}".[[ Did you mean "{nearest?}"?]]',
  unknownFlag: "Unknown flag {flag}.[[ Did you mean {nearest?}?]]",
  flagNeedsValue: "{flag} needs a value.",
  flagTakesNoValue: "{flag} takes no value: pass it without one, or omit it.",
  missingArgument: '"fw {command}" needs an argument: {argument}.',
  extraArgument: 'Unexpected argument "{text}".',
  seeHelp: "See `{command}`.",
  refused:
    "The system refused this: {detail}\nChoose another folder, free disk space, or change the permissions.",
  tooDeep:
    "Cannot read the project: its code is nested too deeply, or thousands of modules in a row export " +
    "from each other. Fix: import from the module that declares the name.",
  crashed: "The command failed because of a bug in fw: {detail}",
  stopped: "Stopped.",
  noProject: `Neither {cwd} nor a folder above it contains a deno.json and an app/ folder.
Change to the project's folder, or start a project with \`fw new <name>\`.`,
  library: `Cannot run "{command}" here: {file} has "exports", so this application is a library
    that a host mounts. Run "{command}" in the host instead, or remove "exports".`,
  problemCount: "{count} {count:problem|problems}; nothing was written.",
  stale: `{file} is missing or out of date
    Fix: Run \`deno task {task}\` and commit the file.`,

  genWritten: "Wrote {file} ({routes} {routes:route|routes}).",
  routesHeaders: ["METHODS", "PATTERN", "SOURCE"],
  routesNoCsrf: "no CSRF check",
  routesSiteCsrf: "no token, cross-site refused",
  routesNone: "The app has no routes yet: create app/page.ts.",

  files: {
    made: "Wrote {file}.",
    updated: "Updated {file}.",
    fresh: "{file} is up to date.",
    kept: "{file} belongs to the application and was not changed.",
    changed: "Changed {file}.",
  },

  uiOutside: "Cannot write to {folder}: it is a link out of the project. Replace it with a folder.",
  uiEdited: `Warning: {file} was edited and was not changed. Move the edits to a stylesheet or a
    script of your own, then run \`deno task ui --force\`.`,
  uiBrandSyntax: '"{color}" is not a colour: use six digits, as in --brand "#2563eb".',
  uiBrandTheme:
    "Cannot set the colour in {file}: it has no :root and .dark blocks with oklch() colours.",
  uiNext: `Next: add ui.head(c) to the head of app/layout.ts, ui.body() and ui.flashes(c) to the
    body,
with \`import * as ui from "@fw/fw/ui";\`. The colours are in public/ui.theme.css.
The
    starter's public/style.css has lower precedence than the kit and may stay.`,

  newBadName: `Cannot use "{name}" as a project name: use lower-case letters, digits, "-", "_" and
    ".", starting with a letter or digit.`,
  newBadEngine: 'Cannot use --db "{name}": use sqlite or postgres.',
  newNotEmpty:
    `Cannot write to {folder}: the folder is not empty. Choose another name, or empty it.`,
  newNotFolder: "Cannot create the folder {path}: a file has that name.",
  newMade: "Created {folder}:",
  newNext: "Next:",
  newOpen: "then open http://localhost:3000 and edit app/page.ts.",
  newServer: `Set FW_DB, here or in .env, and FW_TEST_DB, here only, for the tests:
    postgres://user:password@127.0.0.1:5432/name`,

  agents: {
    badLanguage: 'Cannot write AGENTS.md in "{language}": use --lang en or --lang pt.',
    edited: `Warning: {file} was edited and was not changed. Move the edits to CLAUDE.md, or to a
      file of your own that it names, then run \`deno task agents --force\`.`,
  },
  check: {
    left: `{count} texts of the catalogs are still to be translated, the first here
      Fix: Translate the texts that end in "// translate", and remove the marks.`,
    unusedMessage: `No source uses the message "{key}"
        Fix: Remove "{key}" from every language of this catalog, or use it.`,
    fixes: {
      E_FORMAT: "Run `deno fmt`, or `deno task check --fix`.",
      E_LINT: "Correct the line; `deno task check --fix` corrects what the linter can.",
      E_TYPES: "Correct the type here.",
    },
    fixTest: "Correct the code or the test; `deno task test {file}` runs this file alone.",
    links: {
      noRoute: `{path} leads to no route and no file[[; the nearest route is {nearest?}]]
        Fix: Correct the link, or write the page: \`deno task generate page {path}\`.`,
      noAction: `{pattern} has no action "{action}"
        Fix: [[Replace "{action}" with "{nearest?}", or ]]add "{action}" to the Actions of {pattern}.`,
      noMethod: `{path} has no handler for {method}
        Fix: Export {exported} from {file}, or send the form elsewhere.`,
      onPage: "{element} on {page} (received by {test}): {detail}",
      scriptOnly: `{element} on {page} (received by {test}) does nothing without a script
        Fix: Make it a link with an href, or a button in a form with an action.`,
    },
    pagesNote: "{pages} {pages:page|pages}",
    pagesUnseen: "no test received a page",
    noFile: "no {file}",
    testsLoud: {
      message: "The tests printed more than 32 MiB and were ended.",
      fix: "Print less in the tests, or find the loop that prints.",
    },
    stopped: "Not run after this: {skipped}.",
  },
  generateWhat: `Cannot generate "{what}": use one of {subjects}.[[ Did you mean "{nearest?}"?]]`,
  generateBadUrl: 'Cannot generate "{url}": {reason}',
  generateUrl: {
    slash: 'start the path with "/", as in {segment}.',
    syntax: `"{segment}" is not a valid segment: use a literal, {{name}}, or a final {{name...}}.`,
    folder: `"{segment}" cannot be a part of a URL here: use letters, digits and "-._~@+,=", but do
      not start with "_" or "." (except .well-known), end with "_" or "-", or use testdata. A
      parameter is {{name}}.`,
    device: '"{segment}" is the name of a device on Windows, where no folder can have it.',
    repeated: "the parameter {segment} occurs twice; rename one of them.",
    "catch-all": "{segment} matches the rest of the URL, so nothing can follow it.",
  },
  generateBadMethod: 'Cannot write a handler for "{method}": this file allows {allowed}.',
  generateRefused: {
    exists: "{file} already exists and was not changed. Edit it, or delete it first.",
    twin:
      `Cannot write {file}: an existing name differs only in case, which macOS and Windows ignore.
      Choose another name.`,
    outside: `Cannot write {file}: a link in its path leads out of the project. Remove it.`,
    changed: "{file} changed while the command ran, so nothing was written. Run it again.",
    uncommitted: `Cannot overwrite {file}: its content is not committed. Commit it, or move it.`,
  },
  generateWould: {
    write: "Would write {file}.",
    change: "Would change {file}.",
    remove: "Would remove {file}.",
  },
  generateNothingWritten: "Nothing was written (--dry-run).",
  generateConflict: "{file} already handles {url}; nothing was written. Add the handler there.",
  generateNoRoute: `No route handles {url}, so there is nothing to test. Create one with \`deno
    task generate page\` or \`deno task generate route\`.`,
  generateFlagMisfit: '{flag} has no effect with "generate {what}".',
  generateName:
    'Cannot generate the {what} "{name}": use lower-case words and digits, such as {example}.',
  generateIslandHint: `Place it in a page: c.island("{url}", {{ start: 1 }},
    h.button(h.type("button"), "1")).`,
  generateServeHint: `Processes share the stores of provideStores in Setup: docs/scaling.md. Run
    \`docker compose -f deploy/compose.yaml up --build\`, or \`deno serve --parallel\`.`,
  generateAuthWhat: `Pass --passwords, --passkeys or --provider <name> ({names}).`,
  generateAuthProvider: `Cannot generate a sign-in with the provider "{name}": choose one of
    {names}.[[ Did you mean "{nearest?}"?]]`,
  generateKit: "The pages use the component kit. Put it into your layout: {code}",
  navEntry: "Add this entry to app/nav.ts: {code}",
  navLink: "Link {path} from your layout: {code}",
  generateAuthVars: "Production needs these variables: {names}.",
  generateAuthMailHost:
    "Add the host of your mail service to --allow-net of the start task; lib/mail.ts sends the mail.",
  generateAuthNext: {
    accounts:
      "Next: run `deno task dev` and open /signup; development shows the mail at /_fw/dev/mail.",
    provider: "Next: set these variables in .env, run `deno task dev` and open /login.",
  },
  generateRole: "Give an account the role: `deno run -A scripts/set_role.ts <email> {role}`.",
  generateAuthProviderHost: `Add the hosts of the identity provider to --allow-net of the start
    task. A public client of an OpenID provider leaves FW_OIDC_CLIENT_SECRET unset.`,
  generateEdited: `{file} belongs to the application and was not changed. Add these lines where
    they belong:
{lines}`,
  generateAuthTable: `{file} already creates the table "{table}", which the accounts need; nothing
    was written. Rename that table, or write the sign-in by hand: docs/auth.md.`,
  generateAuthBeside: {
    already: "This sign-in already exists; nothing was written.",
    foreign: "lib/accounts.ts was not written by this version of `generate auth`, so nothing was " +
      "written. For passkeys follow docs/passkeys.md and run `deno task ui --passkeys`; for a provider " +
      "beside accounts follow docs/openid_connect.md#several-providers-and-passwords.",
    none: "--users needs a sign-in: pass --passwords, --passkeys or --provider too.",
    login: "app/login/route.ts sends all users to the provider; nothing was written. " +
      "Delete app/login/ and run the command again.",
    provider:
      "lib/auth.ts has a provider without accounts; nothing was written. Delete lib/auth.ts, " +
      "lib/account_messages.ts, app/login/, app/auth/, app/logout/ and app/account/, and run the command again, with --provider.",
    second: "lib/auth.ts has another provider. Add the second one by hand: " +
      "docs/openid_connect.md#several-providers-and-passwords.",
  },
  generateTestSample: `The test requests {url}: replace it with a URL that has data.`,
  generateTestHint: "Run it with `deno task test {file}`.",
  generatePublic: `{url} is open to everyone. For signed-in users only, write {file} with
    \`import {{ {guard} }} from "@/lib/{guard}.ts";\` and \`export const Middleware = {guard}.require;\`.`,
} as const;
