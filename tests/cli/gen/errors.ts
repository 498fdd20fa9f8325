/** Every possible fault of an app folder: its files and the errors of `gen`. */
import { type Files, page, routeWith } from "../support.ts";

/** An invalid app folder and the errors of `gen`. */
export type Row = readonly [
  name: string,
  /** `file:line:column CODE` of every problem, in order. */
  want: readonly string[],
  /** Texts that the English messages or fixes must contain. */
  says: string | readonly string[],
  files: Files,
];

const nearFiles: Files = {
  "app/+layout.tsx": "export default function Shell() {}\n",
  "app/_middleware.ts": "export const MiddlewareGET = 1;\n",
  "app/a/+server.ts": routeWith("GET"),
  "app/b/index.tsx": page,
  "app/c/index.ts": routeWith("GET"),
  "app/d/pages.ts": page,
  "app/e/routes.ts": routeWith("POST"),
  "app/h/index.tsx": "export default function Home() {}\n",
};

const badFolders = ["-", "-\n", "-_", "1st_", "a\tb", "a___", "my page", "slug-_", "slug_-"];

export const rows: readonly Row[] = [
  ["no app folder", ["app:1:1 E_NO_APP"], "fw new <name>", {}],
  ["a page and a route in one folder", ["app/x/route.ts:1:1 E_PAGE_AND_ROUTE"], "", {
    "app/x/page.ts": page,
    "app/x/route.ts": routeWith("GET"),
  }],
  ["Page exported by a route with methods", ["app/x/route.ts:2:17 E_PAGE_AND_ROUTE"], "", {
    "app/x/route.ts": routeWith("GET", "Page"),
  }],
  ["page.ts and page.tsx in one folder", ["app/page.tsx:1:1 E_TWO_FILES"], "", {
    "app/page.ts": page,
    "app/page.tsx": page,
  }],
  [
    "pages without Page: another name, nothing, a type",
    [
      "app/a/page.ts:2:17 E_NO_PAGE_FUNC",
      "app/b/page.ts:1:1 E_NO_PAGE_FUNC",
      "app/c/page.ts:1:1 E_NO_PAGE_FUNC",
    ],
    ["exports no Page, but exports page", "Export a function named Page"],
    {
      "app/a/page.ts": "\nexport function page() {}\n",
      "app/b/page.ts": "const x = 1;\n",
      "app/c/page.ts": "type Page = () => void;\nexport { Page };\nexport type { Page as A };\n",
    },
  ],
  [
    "pages that re-export a namespace, a type, a default, a string and a class without a function",
    ["a", "b", "c", "d", "e"].map((folder) => `app/${folder}/page.ts:1:10 E_NO_PAGE_FUNC`),
    "Page in page.ts is not a function",
    {
      "app/a/page.ts": 'export { Space as Page } from "../view.ts";\n',
      "app/b/page.ts": 'export { Shape as Page } from "../view.ts";\n',
      "app/c/page.ts": 'export { default as Page } from "../view.ts";\n',
      "app/d/page.ts": 'export { default as Page } from "../view.json";\n',
      "app/e/page.ts": 'export { View as Page } from "../view.ts";\n',
      "app/view.ts":
        'export * as Space from "./other.ts";\nexport type Shape = 1;\nexport default 5;\nclass View {}\nexport { View };\n',
      "app/other.ts": "",
      "app/view.json": "{}\n",
    },
  ],
  [
    "pages that re-export from a missing file, a missing export, and each other",
    ["a", "b", "c"].map((folder) => `app/${folder}/page.ts:1:10 E_NO_PAGE_FUNC`),
    ["the file app/a/view.ts does not exist", "app/b/view.ts has no export View, but exports Veiw"],
    {
      "app/a/page.ts": 'export { Page } from "./view.ts";\n',
      "app/b/page.ts": 'export { View as Page } from "./view.ts";\n',
      "app/b/view.ts": "export function Veiw() {}\n",
      "app/c/page.ts": 'export { Page } from "./a.ts";\n',
      "app/c/a.ts": 'export { Page } from "./page.ts";\n',
    },
  ],
  ["a module as Page", ["app/page.ts:1:1 E_NO_PAGE_FUNC"], "", {
    "app/page.ts": 'export * as Page from "./a.ts";\n',
    "app/a.ts": page,
  }],
  [
    "a route without a method",
    ["app/route.ts:1:17 E_NO_METHOD"],
    "exports get, but no method\nExport at least one of these functions: GET, ",
    { "app/route.ts": "export function get() {}\n" },
  ],
  [
    "methods that are not in capitals beside those that are",
    [
      "app/a/page.ts:2:23 E_UNROUTABLE_METHOD",
      "app/a/page.ts:3:14 E_UNROUTABLE_METHOD",
      "app/b/route.ts:2:17 E_UNROUTABLE_METHOD",
      "app/b/route.ts:3:10 E_UNROUTABLE_METHOD",
    ],
    "post has no effect: its name differs from POST\n" +
    "Rename it to POST, or to something else if it is a helper.",
    {
      "app/a/page.ts": `${page}export async function post() {}\nexport const Delete = () => 1;\n`,
      "app/b/route.ts": `${
        routeWith("POST")
      }export function Get() {}\nexport { Get as options };\n`,
    },
  ],
  [
    "a method middleware in lowercase beside a correct one",
    ["app/middleware.ts:2:17 E_UNROUTABLE_METHOD", "app/middleware.ts:3:17 E_UNROUTABLE_METHOD"],
    "Rename it to Middleware, or to",
    {
      "app/page.ts": page,
      "app/middleware.ts":
        "export function MiddlewareGET() {}\nexport function MiddlewarePost() {}\nexport function middleware() {}\n",
    },
  ],
  [
    "other exports in lowercase, but not values with common names",
    [
      "app/page.ts:2:14 E_MISPLACED_EXPORT",
      "app/page.ts:3:14 E_MISPLACED_EXPORT",
      "app/setup.ts:2:17 E_MISPLACED_EXPORT",
    ],
    "actions has no effect: its name differs from Actions",
    {
      "app/page.ts":
        `${page}export const actions = { add() {} };\nexport const csrf = false;\nexport const kind = "a";\n`,
      "app/setup.ts":
        "export function Setup() {}\nexport function shutdown() {}\nexport const config = {};\n",
    },
  ],
  [
    "convention files without their export",
    [
      "app/error.tsx:1:17 E_NO_ERROR_FUNC",
      "app/kind.ts:1:14 E_NO_KIND",
      "app/layout.ts:1:1 E_NO_LAYOUT_FUNC",
      "app/middleware.ts:1:17 E_NO_MIDDLEWARE_FUNC",
      "app/not_found.ts:1:17 E_NO_NOT_FOUND_FUNC",
      "app/setup.ts:1:17 E_NO_SETUP_FUNC",
    ],
    "exports no Error, but exports ErrorPage",
    {
      "app/error.tsx": "export function ErrorPage() {}\n",
      "app/kind.ts": 'export const kind = "api";\n',
      "app/layout.ts": "",
      "app/middleware.ts": "export function middleware() {}\n",
      "app/not_found.ts": "export function NotFoundPage() {}\n",
      "app/setup.ts": "export function Config() {}\n",
    },
  ],
  ["an invalid Kind", ["app/kind.ts:1:14 E_BAD_KIND"], '"json"', {
    "app/kind.ts": 'export const Kind = "json" as const;\n',
  }],
  [
    "exports that are a class, a string, an object and an array",
    [
      "app/a/page.ts:1:14 E_NO_PAGE_FUNC",
      "app/b/page.ts:1:14 E_NO_PAGE_FUNC",
      "app/layout.ts:1:14 E_NO_LAYOUT_FUNC",
      "app/x/route.ts:1:14 E_NO_METHOD",
    ],
    "Page in page.ts is not a function",
    {
      "app/a/page.ts": "export class Page {}\n",
      "app/b/page.ts": 'export const Page = "x";\n',
      "app/layout.ts": "export const Layout = [1];\n",
      "app/x/route.ts": "export const GET = { x: 1 } as const;\n",
    },
  ],
  [
    "Actions that are not an object literal, or have no name",
    ["app/a/page.ts:2:14 E_BAD_ACTIONS", "app/b/page.ts:2:14 E_BAD_ACTIONS"],
    "not an object",
    {
      "app/a/page.ts": `${page}export const Actions = make();\n`,
      "app/b/page.ts": `${page}export const Actions = {} satisfies Actions;\n`,
    },
  ],
  [
    "Actions with members that are not functions",
    [
      "app/page.ts:3:26 E_BAD_ACTIONS",
      "app/page.ts:3:32 E_BAD_ACTIONS",
      "app/page.ts:3:39 E_BAD_ACTIONS",
      "app/page.ts:3:43 E_BAD_ACTIONS",
      "app/page.ts:3:56 E_BAD_ACTIONS",
    ],
    "look at a\n",
    {
      "app/page.ts": `${page}const no = 1;\nexport const Actions = { a: 1, b: {}, no, c: (no), ` +
        "get d() { return f; }, ok() {}, fine: () => null };\n",
    },
  ],
  [
    "Actions with computed or invalid names",
    [
      "app/page.ts:2:26 E_BAD_ACTIONS",
      "app/page.ts:2:35 E_BAD_ACTIONS",
      "app/page.ts:2:46 E_BAD_ACTIONS",
      "app/page.ts:2:56 E_BAD_ACTIONS",
      "app/page.ts:2:72 E_BAD_ACTIONS",
    ],
    'an action cannot be called "a/b"',
    {
      "app/page.ts":
        `${page}export const Actions = { ...more, [name]: f, "a/b": f, "give-back": f, _x: f };\n`,
    },
  ],
  [
    "re-exported Actions, with the place in their own file",
    ["app/actions.ts:1:22 E_BAD_ACTIONS"],
    "look at borrow\n",
    {
      "app/page.ts": `${page}export { all as Actions } from "./actions.ts";\n`,
      "app/actions.ts": "export const all = { borrow: 1 };\n",
    },
  ],
  [
    "Actions in a route.ts and in a layout",
    ["app/layout.ts:2:14 E_MISPLACED_EXPORT", "app/x/route.ts:2:14 E_MISPLACED_EXPORT"],
    "Export it from page.ts",
    {
      "app/page.ts": page,
      "app/layout.ts": "export function Layout() {}\nexport const Actions = { a() {} };\n",
      "app/x/route.ts": `${routeWith("POST")}export const Actions = { a() {} };\n`,
    },
  ],
  [
    "a guard in a page, and a method guard in a route",
    ["app/page.ts:2:14 E_MISPLACED_EXPORT", "app/x/route.ts:2:14 E_MISPLACED_EXPORT"],
    "Export it from middleware.ts",
    {
      "app/page.ts": `${page}export const Middleware = () => {};\n`,
      "app/x/route.ts": `${routeWith("POST")}export const MiddlewarePOST = () => {};\n`,
    },
  ],
  [
    "a CSRF other than false",
    [
      "app/page.ts:2:14 E_BAD_CSRF",
      "app/x/route.ts:2:14 E_BAD_CSRF",
      "app/y/route.ts:2:14 E_BAD_CSRF",
    ],
    ["Delete it", 'export const Kind = "page"'],
    {
      "app/page.ts": `${page}export const CSRF = true;\n`,
      "app/x/route.ts": `${routeWith("POST")}export const CSRF = true;\n`,
      "app/y/route.ts": `${routeWith("POST")}export const CSRF = 1 > 2;\n`,
    },
  ],
  [
    "CSRF and CORS in files without a route",
    [
      "app/layout.ts:2:14 E_MISPLACED_EXPORT",
      "app/middleware.ts:2:14 E_MISPLACED_EXPORT",
      "app/x/kind.ts:2:14 E_MISPLACED_EXPORT",
    ],
    "",
    {
      "app/page.ts": page,
      "app/layout.ts": "export function Layout() {}\nexport const CSRF = false;\n",
      "app/middleware.ts": "export function Middleware() {}\nexport const CORS = {};\n",
      "app/x/kind.ts": 'export const Kind = "page";\nexport const CSRF = false;\n',
    },
  ],
  ["Problems of pages", ["app/kind.ts:2:17 E_BAD_PROBLEMS"], "Delete Kind", {
    "app/kind.ts": 'export const Kind = "page";\nexport function Problems() {}\n',
  }],
  [
    "Problems that are not a function",
    ["app/kind.ts:1:14 E_BAD_PROBLEMS"],
    "Problems in kind.ts is not a function",
    { "app/kind.ts": "export const Problems = {};\n" },
  ],
  ["Problems outside kind.ts", ["app/x/route.ts:2:17 E_MISPLACED_EXPORT"], "kind.ts", {
    "app/x/route.ts": `${routeWith("GET")}export function Problems() {}\n`,
  }],
  ["Problems beside another Kind", ["app/layout.ts:2:14 E_DUPLICATE_KIND"], "kind.ts", {
    "app/kind.ts": "export function Problems() {}\n",
    "app/layout.ts": 'export function Layout() {}\nexport const Kind = "page";\n',
  }],
  ["two Kinds in one folder", ["app/layout.ts:2:14 E_DUPLICATE_KIND"], "", {
    "app/kind.ts": 'export const Kind = "api";\n',
    "app/layout.ts": 'export function Layout() {}\nexport const Kind = "page";\n',
  }],
  ["export * in a convention file", ["app/page.ts:2:1 E_EXPORT_ALL"], 'export { Page } from "…"', {
    "app/page.ts": '\nexport * from "./view.ts";\n',
    "app/view.ts": page,
  }],
  [
    "two parameters or catch-alls at one level, also through a group",
    ["app/b_", "app/c/b__", "app/shop/g-/b_"].map((path) => `${path}:1:1 E_AMBIGUOUS_SEGMENT`),
    "Merge the two folders",
    {
      "app/a_/page.ts": page,
      "app/b_/page.ts": page,
      "app/c/a__/page.ts": page,
      "app/c/b__/page.ts": page,
      "app/shop/a_/page.ts": page,
      "app/shop/g-/b_/x/page.ts": page,
    },
  ],
  ["a route below a catch-all", ["app/path__/edit/page.ts:1:1 E_CATCHALL_NOT_LEAF"], "", {
    "app/path__/page.ts": page,
    "app/path__/edit/page.ts": page,
  }],
  [
    "folders whose names are not valid",
    badFolders.map((name) => `app/${name}:1:1 E_BAD_SEGMENT`),
    [
      '"1st" is not a valid parameter name',
      '"slug_" (a parameter) or "slug-" (a group)',
      "folder -_ is a group without a name",
      'contains " ", which is not allowed',
      'folder -\\u000a contains "\\n", which is not allowed\nRename the folder.',
      'folder a\\u0009b contains "\\t", which is not allowed\nRename the folder.',
    ],
    Object.fromEntries(badFolders.map((name) => [`app/${name}/page.ts`, page])),
  ],
  [
    "a hidden folder with a line break",
    ["app/.a\nb/page.ts:1:1 E_HIDDEN_ROUTE"],
    "because app/.a\\u000ab is a hidden folder",
    { "app/.a\nb/page.ts": page },
  ],
  [
    "folders in the style of other frameworks",
    [
      "app/(shop):1:1 E_BAD_SEGMENT",
      "app/[slug]:1:1 E_BAD_SEGMENT",
      "app/x/[...path]:1:1 E_BAD_SEGMENT",
    ],
    "slug_ is a parameter, path__ a catch-all, shop- a group",
    { "app/[slug]/page.ts": page, "app/x/[...path]/page.ts": page, "app/(shop)/page.ts": page },
  ],
  ["one parameter name twice in a URL", ["app/id_/x/id_:1:1 E_BAD_SEGMENT"], "/{id}/x/{id}", {
    "app/id_/x/id_/page.ts": page,
  }],
  [
    "the same URL through two groups",
    ["app/b-/x/route.ts:1:1 E_DUPLICATE_ROUTE"],
    "/x is already the URL of app/a-/x/page.ts",
    { "app/a-/x/page.ts": page, "app/b-/x/route.ts": routeWith("GET") },
  ],
  [
    "a method middleware without a matching method",
    ["app/middleware.ts:1:17 E_UNUSED_METHOD_MIDDLEWARE"],
    "serves DELETE",
    {
      "app/middleware.ts":
        "export function MiddlewareDELETE() {}\nexport function MiddlewareGET() {}\n",
      "app/x/page.ts": page + routeWith("POST"),
    },
  ],
  ["bad syntax", ["app/page.ts:2:1 E_PARSE"], "", { "app/page.ts": "export function Page( {\n" }],
  ["a re-exported file that does not parse", ["app/view.ts:1:36 E_PARSE"], "", {
    "app/page.ts": 'export { Page } from "./view.ts";\n',
    "app/view.ts": "export function Page() { return 1 +; }\n",
  }],
  ["a route in a hidden folder", ["app/.secret/deep/route.ts:1:1 E_HIDDEN_ROUTE"], "app/.secret", {
    "app/.secret/deep/route.ts": routeWith("GET"),
  }],
  [
    "HEAD, TRACE and CONNECT",
    [
      "app/middleware.ts:2:17 E_UNROUTABLE_METHOD",
      "app/page.ts:2:17 E_UNROUTABLE_METHOD",
      "app/x/route.ts:2:17 E_UNROUTABLE_METHOD",
      "app/x/route.ts:3:17 E_UNROUTABLE_METHOD",
    ],
    "the handler of GET handles HEAD too",
    {
      "app/page.ts": page + routeWith("HEAD"),
      "app/x/route.ts": routeWith("GET", "TRACE", "CONNECT"),
      "app/middleware.ts": routeWith("Middleware", "MiddlewareHEAD"),
    },
  ],
  [
    "GET on a page",
    ["app/page.ts:1:17 E_UNROUTABLE_METHOD"],
    "Page handles GET",
    { "app/page.ts": routeWith("GET") },
  ],
  ["CORS on a page", ["app/page.ts:2:14 E_CORS_ON_PAGE"], "", {
    "app/page.ts": `${page}export const CORS = {};\n`,
  }],
  [
    "root files elsewhere",
    [
      "app/g-/not_found.tsx:1:1 E_MISPLACED_FILE",
      "app/x/error.ts:1:1 E_MISPLACED_FILE",
      "app/x/setup.ts:1:1 E_MISPLACED_FILE",
    ],
    "app/not_found.tsx",
    { "app/x/error.ts": "", "app/g-/not_found.tsx": "", "app/x/setup.ts": "" },
  ],
  [
    "file names that are almost right",
    [
      "app/NotFound.ts:1:1 E_BAD_FILE_NAME",
      "app/Page.ts:1:1 E_BAD_FILE_NAME",
      "app/x/page.jsx:1:1 E_BAD_FILE_NAME",
      "app/x/route.tsx:1:1 E_BAD_FILE_NAME",
    ],
    "Rename it to page.tsx",
    {
      "app/Page.ts": page,
      "app/NotFound.ts": "",
      "app/x/route.tsx": routeWith("GET"),
      "app/x/page.jsx": page,
    },
  ],
  [
    "plurals and names of other frameworks",
    Object.keys(nearFiles).map((file) => `${file}:1:1 E_BAD_FILE_NAME`),
    "Rename it to page.tsx",
    nearFiles,
  ],
  [
    "an island that is a link out of the project",
    ["islands/out.ts:1:1 E_OUTSIDE_LINK"],
    "leads out of the project",
    {
      "app/page.ts": page,
      "islands/a.ts": "export default 1;\n",
      "islands/out.ts": "-> /etc/hosts",
    },
  ],
  [
    "islands that cannot be mounted or bundled",
    [
      "islands/a.ts:1:14 E_NO_ISLAND_FUNC",
      "islands/b.tsx:1:1 E_NO_ISLAND_FUNC",
      "islands/broken.ts:1:16 E_PARSE",
      "islands/c d.ts:1:1 E_BAD_FILE_NAME",
      "islands/counter.ts:1:1 E_TWO_FILES",
    ],
    "Write `export default mount`",
    {
      "app/page.ts": page,
      "islands/a.ts": "export const mount = () => {};\n",
      "islands/b.tsx": "export {};\n",
      "islands/c d.ts": "export default 1;\n",
      "islands/counter.ts": "export default function () {}\n",
      "islands/Counter.tsx": "export default function () {}\n",
      "islands/broken.ts": "export default = 1;\n",
      // None of these files is an island.
      "islands/_helper.ts": "export const x = 1;\n",
      "islands/a_test.ts": "",
      "islands/types.d.ts": "",
      "islands/lib/deep.ts": "",
      "islands/readme.md": "",
    },
  ],
  [
    "links in place of a page and of a folder",
    ["app/page.ts:1:1 E_OUTSIDE_LINK", "app/x:1:1 E_OUTSIDE_LINK"],
    "",
    {
      "other/page.ts": page,
      "app/x": "-> ../other",
      "app/page.ts": "-> ../other/page.ts",
    },
  ],
];
