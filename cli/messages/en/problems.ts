export const problemsEn = {
  noApp: `{root} has no app/ folder
    Fix: Create app/page.ts, or start a project with \`fw new <name>\`.`,
  parse: `syntax error: {detail}
    Fix: Correct the syntax here.`,
  pageAndRoute: `{page} and {route} have the same URL
    Fix: Keep one of them, or move the other to another folder.`,
  pageInRoute: `{file} is a route, but also exports Page
    Fix: Move Page to a page.ts in another folder, or export GET instead.`,
  twoFiles: `{first} and {second} are the same convention file
    Fix: Keep one of them.`,
  noFunction: `{file} exports no {expected}[[, but exports {near?}]]
    Fix: Export a function named {expected}, or rename the file.`,
  badIslandName: `"{file}" is not a valid island name
    Fix: Use letters, digits, "-", "_" and "."; start with a letter or digit. Start the name of a
    helper with "_".`,
  twoIslands: `{first} and {second} are bundled to the same file
    Fix: Rename one of them; start the name of a helper with "_".`,
  noIslandFunction: `{file} has no default export to mount[[, but exports {near?}]]
    Fix: Write \`export default [[{near?}\`, or \`export default ]]function (el, props) {{ … }}\`, or start
    the name of a helper with "_".`,
  notFunction: `{name} in {file} is not a function
    Fix: Write \`export function {name}(…) {{ … }}\`.`,
  noMethod: `{file} exports [[{near?}, but ]]no method
    Fix: Export at least one of these functions: {methods}.`,
  noKind: `{file} exports no Kind
    Fix: Write \`export const Kind = "api";\` or \`"page"\`, or delete the file.`,
  badActions: `Actions is not an object of functions[[: look at {name?}]]
    Fix: Write \`export const Actions = {{ borrow, giveBack }};\` with a function for each name.`,
  badAction: `an action cannot be called "{name}"
    Fix: Use letters, digits and "_", with a letter first: the name is part of the URL.`,
  badCsrf: `invalid CSRF[[: {value?}]]
    Fix: Delete it: a page always checks the token, and a route does with
    \`export const Kind = "page";\`. Only \`export const CSRF = false;\` turns the check off.`,
  badKind: `invalid Kind: {value}
    Fix: Write \`export const Kind = "api";\` or \`export const Kind = "page";\`.`,
  problemsOfPages: `Problems has no effect under Kind = "page"
    Fix: Delete Kind, or write \`export const Kind = "api";\`; pages use error.ts.`,
  duplicateKind: `the Kind of this folder is already declared in {other}
    Fix: Keep one declaration, preferably in kind.ts.`,
  brokenExport: `{from} has no export {name}[[, but exports {near?}]]
    Fix: Export {name} there, or correct the name here.`,
  missingModule: `the file {from} does not exist
    Fix: Correct the path, which needs the file extension.`,
  exportAll: `the exports of {file} are hidden behind \`export *\`
    Fix: Name the exports: \`export {names} from "…"\`.`,
  misplaced: `{file} has an effect only directly in app/
    Fix: Move it to app/{file}, or rename it if it is a helper.`,
  badFileName: `{file} is not a convention file; did you mean {wanted}?
    Fix: Rename it to {wanted}, or to something else if it is a helper.`,
  islandLink: `this link leads out of the project
    Fix: Replace it with a copy of its target.`,
  outsideLink: `links are not followed in app/
    Fix: Copy its target into app/, or re-export its contents.`,
  ambiguousSegment: `{folder} and {other} are parameters at the same position in the URL
    Fix: Merge the two folders, or give them the same name if they are in different groups, or put
    a literal folder before one of them.`,
  catchallNotLeaf: `this route is below the catch-all {folder}, which matches the rest of the URL
    Fix: Move it out of that folder, or make the folder a parameter (one final _).`,
  badParameter: `folder {folder}: "{name}" is not a valid parameter name
    Fix: Start with a letter, followed by letters, digits or underscores, such as slug_ or path__.`,
  dynamicGroup: `folder {folder} is both a parameter and a group
    Fix: Name it "{name}_" (a parameter) or "{name}-" (a group).`,
  emptyGroup: `folder {folder} is a group without a name
    Fix: Add a name before the "-", such as "admin-".`,
  badCharacter: `folder {folder} contains {character}, which is not allowed
    Fix: Rename the folder. slug_ is a parameter, path__ a catch-all, shop- a group.`,
  repeatedParameter: `{pattern} contains the parameter {name} twice
    Fix: Rename one of the two folders.`,
  duplicateRoute: `{pattern} is already the URL of {other}
    Fix: Rename one of the folders; a group (final -) adds nothing to the URL.`,
  unusedMiddleware: `{name} never runs: no route in this folder or below serves {method}
    Fix: Remove it, or add a {method} handler.`,
  hiddenRoute: `this file is not served, because {folder} is a hidden folder
    Fix: Remove the dot from the folder's name. Only .well-known is served.`,
  unroutable: `{name} cannot be exported
    Fix: Remove it: the handler of GET handles HEAD too, and no route gets TRACE or CONNECT.`,
  exportCase: `{name} has no effect: its name differs from {wanted}
    Fix: Rename it to {wanted}, or to something else if it is a helper.`,
  methodOnPage: `a page cannot export {name}
    Fix: Remove it, or export it from a route.ts in another folder; Page handles GET.`,
  misplacedExport: `{name} has no effect in {file}
    Fix: Export it from {home} in the folder where it should apply.`,
  fileLimit: `the limit of the file "{field}" exceeds the body limit of {pattern}
    Fix: Call c.allowBody(maxBytes) in a middleware of the route, or lower maxSizeBytes.`,
  nestedDocument: `this layout is inside another one, which already writes <html>
    Fix: Return only the elements around the page, such as h.div(…) or h.fragment(…).`,
  wrongElements: `the functions of the elements are not exported by @fw/fw
    Fix: Import them from "@fw/fw/h".`,
  corsOnPage: `a page cannot export CORS
    Fix: Move the handlers for other sites to a route.ts that exports CORS.`,
} as const;
