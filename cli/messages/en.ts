/**
 * The English texts of the command line.
 *
 * @module
 */
import { auditEn } from "./audit_en.ts";
import { buildEn } from "./build_en.ts";
import { devEn } from "./dev_en.ts";
import { exportEn } from "./export_en.ts";
import { helpEn } from "./help_en.ts";
import { islandsEn } from "./islands_en.ts";
import { problemsEn } from "./problems_en.ts";
import type { ProblemText } from "../problem.ts";

export const en = {
  audit: auditEn,
  build: buildEn,
  dev: devEn,
  export: exportEn,
  help: helpEn,
  islands: islandsEn,
  problems: problemsEn,
  printed: {
    severity: { critical: "critical", error: "error", warning: "warning", info: "info" },
    fix: "Fix",
    also: (place: string): string => `also ${place}`,
    more: (count: number): string => `and ${count} more ${count === 1 ? "place" : "places"}`,
  },

  unknownCommand: (name: string, nearest: string | undefined): string =>
    nearest === undefined
      ? `There is no command "${name}".`
      : `There is no command "${name}". Did you mean "${nearest}"?`,
  unknownFlag: (flag: string, nearest: string | undefined): string =>
    nearest === undefined
      ? `There is no flag ${flag}.`
      : `There is no flag ${flag}. Did you mean ${nearest}?`,
  flagNeedsValue: (flag: string): string => `${flag} needs a value.`,
  missingArgument: (command: string, argument: string): string =>
    `"fw ${command}" needs an argument: ${argument}.`,
  extraArgument: (text: string): string => `"${text}" is one argument too many.`,
  seeHelp: (command: string): string => `See \`${command}\`.`,
  refused: (detail: string): string =>
    `The system refuses that: ${detail}\n` +
    "Choose another folder, make room, or get the right to do that there.",
  crashed: (detail: string): string => `The command line failed; this is a defect of fw: ${detail}`,
  noProject: (cwd: string): string =>
    `Neither ${cwd} nor a folder above it holds a deno.json beside an app/ folder.\n` +
    "Go to the project's folder, or start one with `fw new <name>`.",
  library: (command: string, file: string): string =>
    `Cannot run "${command}" here: ${file} has "exports", so this application is a library that a ` +
    `host mounts. Use the host's "${command}" instead, or remove "exports".`,
  problemCount: (count: number): string =>
    `${count} ${count === 1 ? "problem" : "problems"}; fw_gen.ts was not written.`,

  genWritten: (file: string, routes: number): string =>
    `Wrote ${file} (${routes} ${routes === 1 ? "route" : "routes"}).`,
  genFresh: (file: string): string => `${file} is up to date.`,
  genStale: (file: string): ProblemText => ({
    message: `${file} is out of date`,
    fix: "Run `deno task gen` and commit the file.",
  }),

  routesHeaders: ["METHODS", "PATTERN", "SOURCE"],
  routesNoCsrf: "no CSRF check",
  routesNone: "The app has no routes yet: make app/page.ts.",

  uiMade: (file: string): string => `Wrote ${file}.`,
  uiUpdated: (file: string): string => `Updated ${file}.`,
  uiFresh: (file: string): string => `${file} is up to date.`,
  uiKept: (file: string): string => `${file} is yours and was left as it is.`,
  uiOutside: (folder: string): string =>
    `Cannot write to ${folder}: it is a link that leads out of the project. Put a folder in its place.`,
  uiEdited: (file: string): string =>
    `Warning: ${file} was edited and was left as it is. Move the changes to a stylesheet or a script ` +
    "of your own, then run `fw ui --force`.",
  uiNext: "Next: put ui.head(c) into the head of app/layout.ts, ui.body() and ui.flashes(c) into " +
    'the body,\nwith `import * as ui from "@fw/fw/ui";`. The colours are in public/ui.theme.css.\n' +
    "The starter's public/style.css stands below the kit and may stay; take away what you do not use. " +
    "In a style.css\nwithout layers, bare rules such as `button {…}` and variables such as --accent win " +
    "over the kit: take them away.",

  newArgument: "the name of the project",
  newBadName: (name: string): string =>
    `Cannot use "${name}" as a project name: take small letters, digits, "-", "_" or ".", ` +
    "with a letter or digit first.",
  newNotEmpty: (folder: string): string =>
    `Cannot write to ${folder}: it is not empty. Choose another name, or empty the folder first.`,
  newNotFolder: (path: string): string =>
    `Cannot make the folder ${path}: there is a file of that name.`,
  newMade: (folder: string): string => `Made ${folder}:`,
  newNext: "Next:",
  newOpen: "then open http://localhost:3000 and edit app/page.ts.",

  generateWhat: (what: string, nearest: string | undefined): string =>
    `Cannot generate "${what}": say page, route, test or auth.` +
    (nearest === undefined ? "" : ` Did you mean "${nearest}"?`),
  generateBadUrl: (url: string, reason: string): string =>
    `Cannot make a folder of "${url}": ${reason}`,
  generateUrlArgument: "a URL, such as /blog/{slug}",
  generateUrl: {
    slash: (_segment: string): string => 'a URL starts with "/", such as /blog/{slug}.',
    syntax: (segment: string): string =>
      `"${segment}" is no segment; write a literal, {name}, or {name...} at the end.`,
    character: (segment: string): string =>
      `"${segment}" holds a character that no folder of the app may hold.`,
    sign: (segment: string): string =>
      `"${segment}" holds a character that is not written into code; ` +
      'use letters, digits and "-._~@+,=".',
    parameter: (segment: string): string =>
      `a final "_" makes the folder "${segment}" a parameter; leave it out, or write {name}.`,
    group: (segment: string): string =>
      `a final "-" makes the folder "${segment}" a group, which adds nothing to the URL; ` +
      "leave it out.",
    ignored: (segment: string): string =>
      `the folder "${segment}" makes no route: "testdata" and names that start with "_" are ` +
      "passed over; choose another name.",
    hidden: (segment: string): string =>
      `the folder "${segment}" makes no route: of those that start with "." only .well-known is ` +
      "served; choose another name.",
    repeated: (segment: string): string =>
      `the parameter ${segment} is there twice; give one of them another name.`,
    "catch-all": (segment: string): string =>
      `${segment} takes the rest of the URL, so nothing can follow it.`,
  },
  generateBadMethod: (method: string, allowed: string): string =>
    `Cannot write a handler for "${method}": this file takes ${allowed}.`,
  generateOutside: (file: string): string =>
    `Cannot write ${file}: a link in its path leads out of the project. Remove the link, or choose ` +
    "another URL.",
  generateExists: (file: string): string =>
    `${file} is already there and was left as it is. Edit it, or delete it first.`,
  generateConflict: (file: string, url: string): string =>
    `${file} already answers ${url}; nothing was written. Add the handler there.`,
  generateNoRoute: (url: string): string =>
    `No route answers ${url}, so there is nothing to test. ` +
    "Make it first with `fw generate page` or `fw generate route`.",
  generateFlagMisfit: (flag: string, what: string): string =>
    `${flag} does not go with "generate ${what}".`,
  generateMade: (file: string): string => `Wrote ${file}.`,
  generateChanged: (file: string): string => `Changed ${file}.`,
  generateAuthWhat: (names: string): string =>
    `Cannot generate a sign-in: say --passwords, --passkeys or --provider <name> (${names}).`,
  generateAuthProvider: (
    name: string,
    options: { readonly names: string; readonly nearest: string | undefined },
  ): string =>
    `Cannot generate a sign-in with the provider "${name}": choose one of ${options.names}.` +
    (options.nearest === undefined ? "" : ` Did you mean "${options.nearest}"?`),
  generateAuthLink:
    'Link the account from your layout: h.a(h.href(c.href("/account")), "Account").',
  generateAuthData:
    "The accounts are in data/app.sqlite: add data to --allow-read and --allow-write of the " +
    "start task, and data/ to .gitignore.",
  generateAuthVars:
    "Set the variables that lib/auth.ts reads, and add the provider's host to --allow-net of " +
    "the start task.",
  generateTestSample: (url: string): string =>
    `It asks for ${url}: put an address there for which the application has something.`,
  generateTestHint: (file: string): string => `Run it with \`deno task test ${file}\`.`,
};
