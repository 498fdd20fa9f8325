/**
 * Every way in which an app folder can be wrong: what is in it, and what `gen` says.
 *
 * @module
 */
import { type Files, page, routeWith } from "../support.ts";

/** One wrong app folder. */
export interface Row {
  /** What is wrong. */
  readonly name: string;
  /** The app. */
  readonly files: Files;
  /** `file:line:column CODE` of every problem, in order. */
  readonly want: readonly string[];
  /** What the English message or fix must hold. */
  readonly says?: string;
}

/** One row for each way. */
export const rows: readonly Row[] = [
  {
    name: "no app folder",
    files: {},
    want: ["app:1:1 E_NO_APP"],
    says: "fw new <name>",
  },
  {
    name: "a page and a route in one folder",
    files: { "app/x/page.ts": page, "app/x/route.ts": routeWith("GET") },
    want: ["app/x/route.ts:1:1 E_PAGE_AND_ROUTE"],
  },
  {
    name: "Page exported by a route beside its methods",
    files: { "app/x/route.ts": routeWith("GET", "Page") },
    want: ["app/x/route.ts:2:17 E_PAGE_AND_ROUTE"],
  },
  {
    name: "page.ts and page.tsx in one folder",
    files: { "app/page.ts": page, "app/page.tsx": page },
    want: ["app/page.tsx:1:1 E_TWO_FILES"],
  },
  {
    name: "a page without Page",
    files: { "app/page.ts": "export const x = 1;\n" },
    want: ["app/page.ts:1:1 E_NO_PAGE_FUNC"],
    says: "Export a function named Page",
  },
  {
    name: "a page that exports page",
    files: { "app/page.ts": "\nexport function page() {}\n" },
    want: ["app/page.ts:2:17 E_NO_PAGE_FUNC"],
    says: "export { page as Page }",
  },
  {
    name: "a page with a longer name",
    files: { "app/page.tsx": "export const HomePage = () => <p />;\n" },
    want: ["app/page.tsx:1:14 E_NO_PAGE_FUNC"],
    says: "export { HomePage as Page }",
  },
  {
    name: "a page with a slip of the pen",
    files: { "app/page.ts": "export function Pgae() {}\n" },
    want: ["app/page.ts:1:17 E_NO_PAGE_FUNC"],
    says: "exports Pgae instead of Page",
  },
  {
    name: "a page with a default export",
    files: { "app/page.ts": "export default function Page() {}\n" },
    want: ["app/page.ts:1:1 E_NO_PAGE_FUNC"],
    says: "instead of `export default`",
  },
  {
    name: "a page whose Page is only a type",
    files: {
      "app/page.ts": "type Page = () => void;\nexport { Page };\nexport type { Page as A };\n",
    },
    want: ["app/page.ts:1:1 E_NO_PAGE_FUNC"],
  },
  {
    name: "a page that re-exports from a missing file",
    files: { "app/page.ts": 'export { Page } from "./view.ts";\n' },
    want: ["app/page.ts:1:10 E_NO_PAGE_FUNC"],
    says: "the file app/view.ts does not exist",
  },
  {
    name: "a page that re-exports what the other file lacks",
    files: {
      "app/page.ts": 'export { View as Page } from "./view.ts";\n',
      "app/view.ts": "export function view() {}\n",
    },
    want: ["app/page.ts:1:10 E_NO_PAGE_FUNC"],
    says: "app/view.ts has no export View, but exports view",
  },
  {
    name: "re-exports in a circle",
    files: {
      "app/page.ts": 'export { Page } from "./a.ts";\n',
      "app/a.ts": 'export { Page } from "./page.ts";\n',
    },
    want: ["app/page.ts:1:10 E_NO_PAGE_FUNC"],
  },
  {
    name: "a module as Page",
    files: { "app/page.ts": 'export * as Page from "./a.ts";\n', "app/a.ts": page },
    want: ["app/page.ts:1:1 E_NO_PAGE_FUNC"],
  },
  {
    name: "a route without a method",
    files: { "app/route.ts": "export function get() {}\n" },
    want: ["app/route.ts:1:17 E_NO_METHOD"],
    says: "exports get, but no method\nRename it to GET.",
  },
  {
    name: "a route with a value that is no method in any case of letters",
    files: { "app/route.ts": "export const options = { a: 1 };\n" },
    want: ["app/route.ts:1:14 E_NO_METHOD"],
    says: "Export at least one of these functions: GET, ",
  },
  {
    name: "methods that are not in capitals beside those that are",
    files: {
      "app/a/page.ts": `${page}export async function post() {}\nexport const Delete = () => 1;\n`,
      "app/b/route.ts": `${
        routeWith("POST")
      }export function Get() {}\nexport { Get as options };\n`,
    },
    want: [
      "app/a/page.ts:2:23 E_UNROUTABLE_METHOD",
      "app/a/page.ts:3:14 E_UNROUTABLE_METHOD",
      "app/b/route.ts:2:17 E_UNROUTABLE_METHOD",
      "app/b/route.ts:3:10 E_UNROUTABLE_METHOD",
    ],
    says: "post never runs: its name differs from POST\n" +
      "Rename it to POST, or to something else if it is a helper.",
  },
  {
    name: "a middleware for a method that is not in capitals beside one that is",
    files: {
      "app/page.ts": page,
      "app/middleware.ts":
        "export function MiddlewareGET() {}\nexport function MiddlewarePost() {}\nexport function middleware() {}\n",
    },
    want: [
      "app/middleware.ts:2:17 E_UNROUTABLE_METHOD",
      "app/middleware.ts:3:17 E_UNROUTABLE_METHOD",
    ],
    says: "Rename it to Middleware, or to",
  },
  {
    name: "a route that is a page",
    files: { "app/route.ts": page },
    want: ["app/route.ts:1:17 E_NO_METHOD"],
    says: "Rename the file to page.ts",
  },
  {
    name: "a layout without Layout",
    files: { "app/layout.ts": "" },
    want: ["app/layout.ts:1:1 E_NO_LAYOUT_FUNC"],
  },
  {
    name: "a middleware without Middleware",
    files: { "app/middleware.ts": "export function middleware() {}\n" },
    want: ["app/middleware.ts:1:17 E_NO_MIDDLEWARE_FUNC"],
  },
  {
    name: "a not_found without NotFound",
    files: { "app/not_found.ts": "export function NotFoundPage() {}\n" },
    want: ["app/not_found.ts:1:17 E_NO_NOT_FOUND_FUNC"],
  },
  {
    name: "an error file without Error",
    files: { "app/error.tsx": "export function ErrorPage() {}\n" },
    want: ["app/error.tsx:1:17 E_NO_ERROR_FUNC"],
    says: "export { ErrorPage as Error }",
  },
  {
    name: "a setup without Setup",
    files: { "app/setup.ts": "export function Config() {}\n" },
    want: ["app/setup.ts:1:1 E_NO_SETUP_FUNC"],
  },
  {
    name: "a kind file without Kind",
    files: { "app/kind.ts": 'export const kind = "api";\n' },
    want: ["app/kind.ts:1:14 E_NO_KIND"],
  },
  {
    name: "a Kind that is none",
    files: { "app/kind.ts": 'export const Kind = "json" as const;\n' },
    want: ["app/kind.ts:1:14 E_BAD_KIND"],
    says: '"json"',
  },
  {
    name: "a page that is a class",
    files: { "app/page.ts": "export class Page {}\n" },
    want: ["app/page.ts:1:14 E_NO_PAGE_FUNC"],
    says: "Page in page.ts is not a function",
  },
  {
    name: "a page that is a text",
    files: { "app/page.ts": 'export const Page = "x";\n' },
    want: ["app/page.ts:1:14 E_NO_PAGE_FUNC"],
  },
  {
    name: "a page that is a class of another file",
    files: {
      "app/page.ts": 'export { View as Page } from "./view.ts";\n',
      "app/view.ts": "class View {}\nexport { View };\n",
    },
    want: ["app/page.ts:1:10 E_NO_PAGE_FUNC"],
  },
  {
    name: "a method that is an object, a layout that is a list",
    files: {
      "app/x/route.ts": "export const GET = { x: 1 } as const;\n",
      "app/page.ts": page,
      "app/layout.ts": "export const Layout = [1];\n",
    },
    want: ["app/layout.ts:1:14 E_NO_LAYOUT_FUNC", "app/x/route.ts:1:14 E_NO_METHOD"],
  },
  {
    name: "Actions that are no object literal",
    files: { "app/page.ts": `${page}export const Actions = make();\n` },
    want: ["app/page.ts:2:14 E_BAD_ACTIONS"],
    says: "cannot be read",
  },
  {
    name: "Actions without a name",
    files: { "app/page.ts": `${page}export const Actions = {} satisfies Actions;\n` },
    want: ["app/page.ts:2:14 E_BAD_ACTIONS"],
    says: "names no handler",
  },
  {
    name: "Actions with members that are no functions",
    files: {
      "app/page.ts": `${page}const no = 1;\nexport const Actions = { a: 1, b: {}, no, c: (no), ` +
        "get d() { return f; }, ok() {}, fine: () => null };\n",
    },
    want: [
      "app/page.ts:3:26 E_BAD_ACTIONS",
      "app/page.ts:3:32 E_BAD_ACTIONS",
      "app/page.ts:3:39 E_BAD_ACTIONS",
      "app/page.ts:3:43 E_BAD_ACTIONS",
      "app/page.ts:3:56 E_BAD_ACTIONS",
    ],
    says: "the action a is not a function",
  },
  {
    name: "Actions whose names cannot be read, or are no names",
    files: {
      "app/page.ts":
        `${page}export const Actions = { ...more, [name]: f, "a/b": f, "give-back": f, _x: f };\n`,
    },
    want: [
      "app/page.ts:2:26 E_BAD_ACTIONS",
      "app/page.ts:2:35 E_BAD_ACTIONS",
      "app/page.ts:2:46 E_BAD_ACTIONS",
      "app/page.ts:2:56 E_BAD_ACTIONS",
      "app/page.ts:2:72 E_BAD_ACTIONS",
    ],
    says: 'an action cannot be called "a/b"',
  },
  {
    name: "Actions that are re-exported, with the place in their own file",
    files: {
      "app/page.ts": `${page}export { all as Actions } from "./actions.ts";\n`,
      "app/actions.ts": "export const all = { borrow: 1 };\n",
    },
    want: ["app/actions.ts:1:22 E_BAD_ACTIONS"],
    says: "the action borrow is not a function",
  },
  {
    name: "Actions in a route.ts and in a layout",
    files: {
      "app/page.ts": page,
      "app/layout.ts": "export function Layout() {}\nexport const Actions = { a() {} };\n",
      "app/x/route.ts": `${routeWith("POST")}export const Actions = { a() {} };\n`,
    },
    want: ["app/layout.ts:2:14 E_MISPLACED_EXPORT", "app/x/route.ts:2:14 E_MISPLACED_EXPORT"],
    says: "Export it from the page.ts",
  },
  {
    name: "CSRF = true in a page",
    files: { "app/page.ts": `${page}export const CSRF = true;\n` },
    want: ["app/page.ts:2:14 E_BAD_CSRF"],
    says: "Delete it",
  },
  {
    name: "CSRF = true in a route",
    files: { "app/x/route.ts": `${routeWith("POST")}export const CSRF = true;\n` },
    want: ["app/x/route.ts:2:14 E_BAD_CSRF"],
    says: 'export const Kind = "page"',
  },
  {
    name: "a CSRF that is computed",
    files: { "app/x/route.ts": `${routeWith("POST")}export const CSRF = 1 > 2;\n` },
    want: ["app/x/route.ts:2:14 E_BAD_CSRF"],
  },
  {
    name: "CSRF and CORS where no route is served",
    files: {
      "app/page.ts": page,
      "app/layout.ts": "export function Layout() {}\nexport const CSRF = false;\n",
      "app/middleware.ts": "export function Middleware() {}\nexport const CORS = {};\n",
      "app/x/kind.ts": 'export const Kind = "page";\nexport const CSRF = false;\n',
    },
    want: [
      "app/layout.ts:2:14 E_MISPLACED_EXPORT",
      "app/middleware.ts:2:14 E_MISPLACED_EXPORT",
      "app/x/kind.ts:2:14 E_MISPLACED_EXPORT",
    ],
  },
  {
    name: "two Kinds in one folder",
    files: {
      "app/kind.ts": 'export const Kind = "api";\n',
      "app/layout.ts": 'export function Layout() {}\nexport const Kind = "page";\n',
    },
    want: ["app/layout.ts:2:14 E_DUPLICATE_KIND"],
  },
  {
    name: "export * in a convention file",
    files: { "app/page.ts": '\nexport * from "./view.ts";\n', "app/view.ts": page },
    want: ["app/page.ts:2:1 E_EXPORT_ALL"],
    says: 'export { Page } from "…"',
  },
  {
    name: "two parameters at one level",
    files: { "app/a_/page.ts": page, "app/b_/page.ts": page },
    want: ["app/b_:1:1 E_AMBIGUOUS_SEGMENT"],
    says: "Merge the two folders",
  },
  {
    name: "two parameters at one level through a group",
    files: { "app/shop/a_/page.ts": page, "app/shop/g-/b_/x/page.ts": page },
    want: ["app/shop/g-/b_:1:1 E_AMBIGUOUS_SEGMENT"],
  },
  {
    name: "two catch-alls at one level",
    files: { "app/a__/page.ts": page, "app/b__/page.ts": page },
    want: ["app/b__:1:1 E_AMBIGUOUS_SEGMENT"],
  },
  {
    name: "a route below a catch-all",
    files: { "app/path__/page.ts": page, "app/path__/edit/page.ts": page },
    want: ["app/path__/edit/page.ts:1:1 E_CATCHALL_NOT_LEAF"],
  },
  {
    name: "a parameter that is no identifier",
    files: { "app/1st_/page.ts": page },
    want: ["app/1st_:1:1 E_BAD_SEGMENT"],
    says: '"1st" is not a valid parameter name',
  },
  {
    name: "three underscores",
    files: { "app/a___/page.ts": page },
    want: ["app/a___:1:1 E_BAD_SEGMENT"],
  },
  {
    name: "a dynamic group",
    files: { "app/slug_-/page.ts": page, "app/slug-_/page.ts": page },
    want: ["app/slug-_:1:1 E_BAD_SEGMENT", "app/slug_-:1:1 E_BAD_SEGMENT"],
    says: '"slug_" (a parameter) or "slug-" (a group)',
  },
  {
    name: "a group without a name",
    files: { "app/-/page.ts": page },
    want: ["app/-:1:1 E_BAD_SEGMENT"],
  },
  {
    name: "a folder with a blank",
    files: { "app/my page/page.ts": page },
    want: ["app/my page:1:1 E_BAD_SEGMENT"],
    says: 'Rename the folder, for example to "my-page".',
  },
  {
    name: "a folder with nothing but a hyphen and a line break",
    files: { "app/-\n/page.ts": page },
    want: ["app/-\n:1:1 E_BAD_SEGMENT"],
    says: 'folder -\\u000a contains "\\n", which is not allowed\nRename the folder.',
  },
  {
    name: "a folder with a tab",
    files: { "app/a\tb/page.ts": page },
    want: ["app/a\tb:1:1 E_BAD_SEGMENT"],
    says:
      'folder a\\u0009b contains "\\t", which is not allowed\nRename the folder, for example to "a-b".',
  },
  {
    name: "a hidden folder with a line break",
    files: { "app/.a\nb/page.ts": page },
    want: ["app/.a\nb/page.ts:1:1 E_HIDDEN_ROUTE"],
    says: "because app/.a\\u000ab is a hidden folder",
  },
  {
    name: "a parameter with a hyphen and without a name",
    files: { "app/-_/page.ts": page },
    want: ["app/-_:1:1 E_BAD_SEGMENT"],
    says: "folder -_ is a group without a name",
  },
  {
    name: "folders in the style of other frameworks",
    files: {
      "app/[slug]/page.ts": page,
      "app/x/[...path]/page.ts": page,
      "app/(shop)/page.ts": page,
    },
    want: [
      "app/(shop):1:1 E_BAD_SEGMENT",
      "app/[slug]:1:1 E_BAD_SEGMENT",
      "app/x/[...path]:1:1 E_BAD_SEGMENT",
    ],
    says: 'Rename it to "path__"',
  },
  {
    name: "one parameter name twice in a URL",
    files: { "app/id_/x/id_/page.ts": page },
    want: ["app/id_/x/id_:1:1 E_BAD_SEGMENT"],
    says: "/{id}/x/{id}",
  },
  {
    name: "one URL through two groups",
    files: { "app/a-/x/page.ts": page, "app/b-/x/route.ts": routeWith("GET") },
    want: ["app/b-/x/route.ts:1:1 E_DUPLICATE_ROUTE"],
    says: "/x is already the URL of app/a-/x/page.ts",
  },
  {
    name: "a method middleware that reaches no such method",
    files: {
      "app/middleware.ts":
        "export function MiddlewareDELETE() {}\nexport function MiddlewareGET() {}\n",
      "app/x/page.ts": page + routeWith("POST"),
    },
    want: ["app/middleware.ts:1:17 E_UNUSED_METHOD_MIDDLEWARE"],
    says: "serves DELETE",
  },
  {
    name: "a file that does not parse",
    files: { "app/page.ts": "export function Page( {\n" },
    want: ["app/page.ts:2:1 E_PARSE"],
  },
  {
    name: "a re-exported file that does not parse",
    files: {
      "app/page.ts": 'export { Page } from "./view.ts";\n',
      "app/view.ts": "export function Page() { return 1 +; }\n",
    },
    want: ["app/view.ts:1:36 E_PARSE"],
  },
  {
    name: "a route in a hidden folder",
    files: { "app/.secret/deep/route.ts": routeWith("GET") },
    want: ["app/.secret/deep/route.ts:1:1 E_HIDDEN_ROUTE"],
    says: "app/.secret",
  },
  {
    name: "HEAD, TRACE and CONNECT",
    files: {
      "app/page.ts": page + routeWith("HEAD"),
      "app/x/route.ts": routeWith("GET", "TRACE", "CONNECT"),
      "app/middleware.ts": routeWith("Middleware", "MiddlewareHEAD"),
    },
    want: [
      "app/middleware.ts:2:17 E_UNROUTABLE_METHOD",
      "app/page.ts:2:17 E_UNROUTABLE_METHOD",
      "app/x/route.ts:2:17 E_UNROUTABLE_METHOD",
      "app/x/route.ts:3:17 E_UNROUTABLE_METHOD",
    ],
    says: "the handler of GET also handles HEAD",
  },
  {
    name: "GET on a page",
    files: { "app/page.ts": routeWith("GET") },
    want: ["app/page.ts:1:17 E_UNROUTABLE_METHOD"],
    says: "Rename it to Page, or the file to route.ts",
  },
  {
    name: "CORS on a page",
    files: { "app/page.ts": `${page}export const CORS = {};\n` },
    want: ["app/page.ts:2:14 E_CORS_ON_PAGE"],
  },
  {
    name: "root files elsewhere",
    files: {
      "app/x/error.ts": "",
      "app/g-/not_found.tsx": "",
      "app/x/setup.ts": "",
    },
    want: [
      "app/g-/not_found.tsx:1:1 E_MISPLACED_FILE",
      "app/x/error.ts:1:1 E_MISPLACED_FILE",
      "app/x/setup.ts:1:1 E_MISPLACED_FILE",
    ],
    says: "app/not_found.tsx",
  },
  {
    name: "file names that come close",
    files: {
      "app/Page.ts": page,
      "app/NotFound.ts": "",
      "app/x/route.tsx": routeWith("GET"),
      "app/x/page.jsx": page,
    },
    want: [
      "app/NotFound.ts:1:1 E_BAD_FILE_NAME",
      "app/Page.ts:1:1 E_BAD_FILE_NAME",
      "app/x/page.jsx:1:1 E_BAD_FILE_NAME",
      "app/x/route.tsx:1:1 E_BAD_FILE_NAME",
    ],
    says: "Rename it to page.tsx",
  },
  {
    name: "file names of other frameworks, and plurals, that hold a convention's exports",
    files: {
      "app/+layout.tsx": "",
      "app/404.ts": "export function NotFound() {}\n",
      "app/_middleware.ts": "export const MiddlewareGET = 1;\n",
      "app/a/+server.ts": "",
      "app/b/index.tsx": page,
      "app/c/index.ts": routeWith("GET"),
      "app/d/pages.ts": page,
      "app/e/routes.ts": routeWith("POST"),
      "app/errors.ts": "export function ErrorPage() {}\n",
      "app/f/[id].tsx": "export default function Post() {}\n",
      "app/g/$id.tsx": page,
      "app/h/index.tsx": "export default function Home() {}\n",
      "app/i/_layout.tsx": "export default function Shell() {}\n",
    },
    want: [
      "app/+layout.tsx:1:1 E_BAD_FILE_NAME",
      "app/404.ts:1:1 E_BAD_FILE_NAME",
      "app/_middleware.ts:1:1 E_BAD_FILE_NAME",
      "app/a/+server.ts:1:1 E_BAD_FILE_NAME",
      "app/b/index.tsx:1:1 E_BAD_FILE_NAME",
      "app/c/index.ts:1:1 E_BAD_FILE_NAME",
      "app/d/pages.ts:1:1 E_BAD_FILE_NAME",
      "app/e/routes.ts:1:1 E_BAD_FILE_NAME",
      "app/errors.ts:1:1 E_BAD_FILE_NAME",
      "app/f/[id].tsx:1:1 E_BAD_FILE_NAME",
      "app/g/$id.tsx:1:1 E_BAD_FILE_NAME",
      "app/h/index.tsx:1:1 E_BAD_FILE_NAME",
      "app/i/_layout.tsx:1:1 E_BAD_FILE_NAME",
    ],
    says: "Rename it to page.tsx",
  },
  {
    name: "islands that cannot be mounted or bundled",
    files: {
      "app/page.ts": page,
      "islands/a.ts": "export const mount = () => {};\n",
      "islands/b.tsx": "export {};\n",
      "islands/c d.ts": "export default 1;\n",
      "islands/counter.ts": "export default function () {}\n",
      "islands/Counter.tsx": "export default function () {}\n",
      "islands/broken.ts": "export default = 1;\n",
      // None of these is an island.
      "islands/_helper.ts": "export const x = 1;\n",
      "islands/a_test.ts": "",
      "islands/types.d.ts": "",
      "islands/lib/deep.ts": "",
      "islands/readme.md": "",
    },
    want: [
      "islands/a.ts:1:14 E_NO_ISLAND_FUNC",
      "islands/b.tsx:1:1 E_NO_ISLAND_FUNC",
      "islands/broken.ts:1:16 E_PARSE",
      "islands/c d.ts:1:1 E_BAD_FILE_NAME",
      "islands/counter.ts:1:1 E_TWO_FILES",
    ],
    says: "Write `export default mount`",
  },
  // Elsewhere the two folders are one.
  ...Deno.build.os !== "linux" ? [] : [{
    name: "folders that differ only in capitals",
    files: { "app/Blog/page.ts": page, "app/blog/route.ts": routeWith("GET") },
    want: ["app/blog:1:1 E_CASE_CLASH"],
  }],
  {
    name: "a link out of the app",
    files: { "other/page.ts": page, "app/x": "-> ../other", "app/page.ts": "-> ../other/page.ts" },
    want: ["app/page.ts:1:1 E_OUTSIDE_LINK", "app/x:1:1 E_OUTSIDE_LINK"],
  },
];
