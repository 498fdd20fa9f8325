/**
 * The generation errors in English.
 *
 * @module
 */
import type { ProblemText } from "../problem.ts";

export const problemsEn = {
  noApp: (root: string): ProblemText => ({
    message: `${root} has no app/ folder`,
    fix: "Make app/page.ts, or start a project with `fw new <name>`.",
  }),
  parse: (detail: string): ProblemText => ({
    message: `the file does not parse: ${detail}`,
    fix: "Correct the syntax at this place.",
  }),
  pageAndRoute: (page: string, route: string): ProblemText => ({
    message: `${page} and ${route} answer the same URL`,
    fix: `Keep one of them; move the other to a folder of its own.`,
  }),
  pageInRoute: (file: string): ProblemText => ({
    message: `${file} is a route and exports Page as well`,
    fix: "Move Page to a page.ts in a folder of its own, or export GET instead.",
  }),
  twoFiles: (first: string, second: string): ProblemText => ({
    message: `${first} and ${second} stand for the same convention`,
    fix: "Keep one of the two.",
  }),
  noFunction: (file: string, expected: string, near: string | undefined): ProblemText => ({
    message: near === undefined
      ? `${file} exports no ${expected}`
      : near === "default"
      ? `${file} exports no ${expected}, but has a default export`
      : `${file} exports no ${expected}, but ${near}`,
    fix: near === undefined
      ? `Export a function named ${expected}, or rename the file.`
      : near === "default"
      ? `Export it by name: \`export function ${expected}\` instead of \`export default\`.`
      : `Rename it to ${expected}, or write \`export { ${near} as ${expected} }\`.`,
  }),
  badIslandName: (file: string): ProblemText => ({
    message: `"${file}" is no name of an island`,
    fix: 'Use letters, digits, "-", "_" and ".", with a letter or digit first; a helper starts ' +
      'with "_".',
  }),
  twoIslands: (first: string, second: string): ProblemText => ({
    message: `${first} and ${second} are bundled to the same file`,
    fix: 'Rename one of the two; a helper starts with "_".',
  }),
  noIslandFunction: (file: string, near: string | undefined): ProblemText => ({
    message: near === undefined
      ? `${file} has no default export, so that nothing can be mounted`
      : `${file} has no default export, but ${near}`,
    fix: near === undefined
      ? 'Write `export default function (el, props) { … }`; a helper starts with "_".'
      : `Write \`export default ${near}\`, or start the name of a helper with "_".`,
  }),
  noMethod: (file: string, methods: string, near: string | undefined): ProblemText => ({
    message: near === undefined
      ? `${file} exports no method`
      : `${file} exports no method, but ${near}`,
    fix: near === "Page"
      ? "Rename the file to page.ts."
      : `Export at least one function of the names ${methods}.`,
  }),
  noKind: (file: string): ProblemText => ({
    message: `${file} exports no Kind`,
    fix: "Write `export const Kind = KindAPI;` or `KindPage`, or delete the file.",
  }),
  badKind: (value: string): ProblemText => ({
    message: `Kind is ${value}`,
    fix: 'Write `export const Kind = KindAPI;` ("api") or `KindPage` ("page").',
  }),
  duplicateKind: (other: string): ProblemText => ({
    message: `this folder's Kind is already declared in ${other}`,
    fix: "Keep one declaration, best in kind.ts.",
  }),
  brokenExport: (name: string, from: string, near: string | undefined): ProblemText => ({
    message: near === undefined
      ? `${from} has no export ${name}`
      : `${from} has no export ${name}, but ${near}`,
    fix: `Export ${name} there, or correct the name here.`,
  }),
  missingModule: (from: string): ProblemText => ({
    message: `there is no file ${from}`,
    fix: "Correct the path of this export; it needs the file's extension.",
  }),
  exportAll: (file: string, expected: string): ProblemText => ({
    message: `${file} hides its exports behind \`export *\``,
    fix: `Name what the convention takes: \`export { ${expected} } from "…"\`.`,
  }),
  misplaced: (file: string): ProblemText => ({
    message: `${file} counts only directly in app/`,
    fix: `Move it to app/${file}, or rename it where it is only a helper.`,
  }),
  badFileName: (file: string, wanted: string): ProblemText => ({
    message: `${file} is no convention file, but close to ${wanted}`,
    fix: `Rename it to ${wanted}, or to something else where it is only a helper.`,
  }),
  caseClash: (first: string, second: string): ProblemText => ({
    message: `${first} and ${second} differ only in capitals`,
    fix: "Rename one: on many systems they are the same file.",
  }),
  outsideLink: (target: string): ProblemText => ({
    message: `this link leads out of the app, to ${target}`,
    fix: "Copy the folder into app/, or re-export what it holds: links are not followed outside.",
  }),
  ambiguousSegment: (folder: string, other: string): ProblemText => ({
    message: `${folder} and ${other} are both a parameter at the same place of the URL`,
    fix: "Merge the two into one folder (in different groups: give both the same name), or put a " +
      "literal folder before one of them.",
  }),
  catchallNotLeaf: (folder: string): ProblemText => ({
    message: `this route lies below the catch-all ${folder}, which takes the rest of the URL`,
    fix: "Move it out of the catch-all folder, or make that folder a parameter (one final _).",
  }),
  badParameter: (folder: string, name: string): ProblemText => ({
    message: `folder ${folder}: "${name}" is no parameter name`,
    fix: "Use a letter, then letters, digits or inner underscores, such as slug_ or path__.",
  }),
  dynamicGroup: (folder: string, name: string): ProblemText => ({
    message: `folder ${folder} is a parameter and a group at once`,
    fix: `Name it "${name}_" (a parameter) or "${name}-" (a group).`,
  }),
  emptyGroup: (folder: string): ProblemText => ({
    message: `folder ${folder} is a group without a name`,
    fix: 'Put a name before the "-", such as "admin-".',
  }),
  badCharacter: (
    folder: string,
    character: string,
    wanted: string | undefined,
  ): ProblemText => ({
    message: `folder ${folder} holds ${character}, which no folder of the app may hold`,
    fix: wanted === undefined ? "Rename the folder." : `Rename it, for example to "${wanted}".`,
  }),
  foreignStyle: (folder: string, wanted: string): ProblemText => ({
    message: `folder ${folder} is in the style of another framework`,
    fix: `Here it is named "${wanted}".`,
  }),
  repeatedParameter: (name: string, pattern: string): ProblemText => ({
    message: `${pattern} has the parameter ${name} twice`,
    fix: "Rename one of the two folders.",
  }),
  duplicateRoute: (pattern: string, other: string): ProblemText => ({
    message: `${pattern} is already the URL of ${other}`,
    fix: "Rename one of the folders; a group (final -) adds nothing to the URL.",
  }),
  unusedMiddleware: (name: string, method: string): ProblemText => ({
    message: `${name} never runs: no route in this folder or below serves ${method}`,
    fix: `Remove it, or add a ${method} handler.`,
  }),
  hiddenRoute: (folder: string): ProblemText => ({
    message: `this file is no route, since it lies in the hidden folder ${folder}`,
    fix: "Rename that folder without its dot; .well-known alone is served.",
  }),
  unroutable: (name: string): ProblemText => ({
    message: `no file can export ${name}`,
    fix: name === "HEAD" || name === "MiddlewareHEAD"
      ? "Remove it: HEAD is answered by what answers GET."
      : "Remove it: the server never passes this method to a route.",
  }),
  methodOnPage: (name: string): ProblemText => ({
    message: `a page exports ${name}, which it cannot answer`,
    fix: name === "GET"
      ? "Name it Page, or name the file route.ts."
      : "Remove it, or answer it in a route.ts of another folder.",
  }),
  template: (description: string, fix: string): ProblemText => ({
    message: `the template cannot be used: ${description}`,
    fix: `${fix[0]?.toUpperCase()}${fix.slice(1)}.`,
  }),
  templateMember: (name: string, type: string, near: string | undefined): ProblemText => ({
    message: `${type} has no member ${name}`,
    fix: near === undefined ? "Correct the name, or add it to the data." : `Write .${near}.`,
  }),
  corsOnPage: (): ProblemText => ({
    message: "a page exports CORS",
    fix: "Move what other sites may call to a route.ts, with its CORS beside it.",
  }),
};
