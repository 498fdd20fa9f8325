import { checks } from "../../../cli/audit/checks.ts";
import { checkSignIn } from "../../../cli/audit/sign_in.ts";
import { page, routeWith } from "../support.ts";
import { testRows } from "./rows.ts";

const secret = { FW_SECRET: "s".repeat(32) };

function lib(code: string): Record<string, string> {
  const names =
    "createSessions, memoryPasskeyStore, memorySessionStore, oidc, oidcFromEnv, passkeys";
  return { "lib/auth.ts": `import { ${names} } from "@fw/fw/auth";\n${code}\n` };
}

const client = 'issuer: "https://id.example", clientId: "a"';

testRows("sign-in", checkSignIn, [
  ["none", "ok"],
  ["an own namesake", "ok", { "lib/x.ts": "function createSessions() {}\ncreateSessions();\n" }],
  [
    "in cookies, without a secret",
    ["critical FW_SECRET at lib/auth.ts:2:18", "info signed and not stored"],
    lib("export const s = createSessions();"),
  ],
  ["in cookies, with a secret", "info signed and not stored at lib/auth.ts:2:18", {
    ...secret,
    ...lib("export const s = createSessions({ idleMs: 1 });"),
  }],
  ["no secret is needed with a store", "ok", lib("export const s = createSessions({ store });")],
  [
    "no secret is needed with the application's store",
    "ok",
    lib("export const s = createSessions({ stored: true });"),
  ],
  ["computed options", "ok", { ...lib("export const s = createSessions(options);") }],
  [
    "signed tokens, without a secret",
    ["critical cookies or tokens at lib/tokens.ts:2:18", "info signed and not stored"],
    {
      "lib/tokens.ts":
        'import { createTokens } from "@fw/fw/auth";\nexport const t = createTokens();\n',
    },
  ],
  ["a store in memory", "warning in memory at lib/auth.ts:2:42", {
    ...lib("export const s = createSessions({ store: memorySessionStore() });"),
  }],
  ["passkeys in memory", "critical Passkeys are in memory at lib/auth.ts:3:11", {
    ...lib("export const s = createSessions({ store });\nconst p = memoryPasskeyStore();"),
  }],
  ["a provider needs the secret even with a store", "critical FW_SECRET at lib/auth.ts:2:21", {
    ...lib(`export const auth = oidc({ ${client} }, { store });`),
  }],
  ["passkeys need the secret even with stores", "critical FW_SECRET at lib/auth.ts:3:18", {
    ...lib(
      "export const s = createSessions({ store });\nexport const k = passkeys({ rpId, store });",
    ),
  }],
  [
    "a provider's groups may not fit into a cookie",
    ["warning 4,096 bytes at lib/auth.ts:2:21", "info signed and not stored"],
    { ...secret, ...lib(`export const auth = oidc({ ${client} });`) },
  ],
  [
    "groups of a provider beside cookie sessions may not fit either",
    ["warning 4,096 bytes at lib/auth.ts:2:18", "info signed and not stored"],
    {
      ...secret,
      ...lib(
        `export const s = createSessions();\nexport const auth = oidc({ ${client} }, { sessions: s });`,
      ),
    },
  ],
  ["a redirect over HTTP", "critical plain HTTP at lib/auth.ts:2:21", {
    ...secret,
    ...lib(
      `export const auth = oidc({ ${client}, redirectUrl: "http://a.example/c" }, { store });`,
    ),
  }],
  ["a redirect over HTTPS, and shared sessions", "ok", {
    ...secret,
    ...lib(
      `export const auth = oidc({ ${client}, redirectUrl: "https://a.example/c" }, { sessions });`,
    ),
  }],
  [
    "a redirect over HTTP in a variable",
    "critical plain HTTP at FW_OIDC_REDIRECT_URL",
    {
      ...secret,
      FW_OIDC_REDIRECT_URL: "http://a.example/c",
      ...lib("export const auth = oidcFromEnv({ store });"),
    },
  ],
  ["under another name", "info signed and not stored at lib/auth.ts:2:1", {
    ...secret,
    "lib/auth.ts": 'import { createSessions as make } from "jsr:@fw/fw@1/auth";\nmake();\n',
  }],
  ["of a namespace", "info signed and not stored at lib/auth.ts:2:1", {
    ...secret,
    "lib/auth.ts": 'import * as auth from "@fw/fw/auth";\nauth.createSessions();\n',
  }],
  ["a function of the same name in a file that imports another name", "ok", {
    "lib/auth.ts": 'import { hashPassword } from "@fw/fw/auth";\n' +
      "function createSessions() {}\ncreateSessions();\n",
  }],
]);

const middleware = 'import { s } from "@/lib/s.ts";\nexport const Middleware = s.require;\n';

const sessions = {
  "lib/s.ts": 'import { createSessions } from "@fw/fw/auth";\n' +
    "export const s = createSessions();\n",
};

/** Returns a guarded folder beside an unguarded route, two levels below the root. */
function besideGuard(text: string): Record<string, string> {
  return {
    ...sessions,
    "app/admin/users/middleware.ts": text,
    "app/admin/users/route.ts": routeWith("GET"),
    "app/admin/export/route.ts": routeWith("GET"),
  };
}

/** Returns a route whose handler uses a guard. */
function floating(code: string): Record<string, string> {
  const imported = 'import { s } from "@/lib/s.ts";\n';
  return {
    ...sessions,
    "app/a/route.ts": `${imported}${routeWith("GET")}const own = async (c) => { ${code} };\n`,
  };
}

testRows("guards", checks.guards, [
  ["none", "ok"],
  ["a guard in a handler without await", "critical not awaited at app/a/route.ts:3:28", {
    ...floating("s.require(c);"),
  }],
  ["a role guard in a handler without await", "critical not awaited at app/a/route.ts:3:28", {
    ...floating('s.requireRole("x")(c); await s.require(c);'),
  }],
  [
    "a guard of sessions with another name in the handler",
    "critical not awaited at app/a/route.ts:3:43",
    {
      ...floating("const its = s; its.require(c);"),
    },
  ],
  ["awaited and returned guards, and another require", "ok", {
    ...floating("await s.require(c); other.require(c); return s.requireAdmin(c);"),
  }],
  ["a public route beside a guarded folder", "ok", {
    "app/admin/middleware.ts": middleware,
    "app/admin/x/route.ts": routeWith("GET"),
  }],
  ["a route beside a guarded folder", "warning beside at app/admin/export/route.ts", {
    "app/admin/users/middleware.ts": middleware.replace("require", 'requireRole("a")'),
    "app/admin/users/route.ts": routeWith("GET"),
    "app/admin/export/route.ts": routeWith("GET"),
  }],
  ["pages beside a guarded group are public", "ok", {
    ...sessions,
    "app/books/members-/middleware.ts": middleware,
    "app/books/members-/new/route.ts": routeWith("GET", "POST"),
    "app/books/page.ts": page,
  }],
  ["a route that writes beside a guarded group", "warning beside at app/books/id_/route.ts", {
    ...sessions,
    "app/books/members-/middleware.ts": middleware,
    "app/books/members-/new/route.ts": routeWith("GET", "POST"),
    "app/books/page.ts": page,
    "app/books/id_/route.ts": routeWith("GET", "DELETE"),
  }],
  ["a page beside a guarded group and a guarded folder", "warning beside at app/books/page.ts", {
    ...sessions,
    "app/books/members-/middleware.ts": middleware,
    "app/books/members-/new/route.ts": routeWith("GET", "POST"),
    "app/books/staff/middleware.ts": middleware,
    "app/books/staff/route.ts": routeWith("GET"),
    "app/books/page.ts": page,
  }],
  ["guarded by a folder above or in the handler", "ok", {
    "app/admin/middleware.ts": middleware,
    "app/admin/users/middleware.ts": middleware.replace("require", "requireAdmin"),
    "app/admin/users/route.ts": routeWith("GET"),
    "app/admin/export/route.ts": routeWith("GET"),
    "app/team/a/middleware.ts": middleware,
    "app/team/a/route.ts": routeWith("GET"),
    "app/team/b/route.ts": `import { s } from "@/lib/s.ts";
export const GET = (c) => s.require(c);
`,
  }],
  ["of unreadable sessions", "warning beside at app/admin/export/route.ts", {
    ...besideGuard(middleware.replace("@/lib/s.ts", "@/lib/missing.ts")),
  }],
  ["middleware that never calls next", "warning beside at app/admin/export/route.ts", {
    ...besideGuard("export const Middleware = (c) => other(c);\n"),
  }],
  [
    "a guard of DELETE leaves POST open, and GET needs none",
    "warning at app/admin/export/route.ts",
    {
      "app/admin/middleware.ts": middleware.replace("Middleware", "MiddlewareDELETE"),
      "app/admin/users/route.ts": `${routeWith("GET")}${routeWith("DELETE")}`,
      "app/admin/export/route.ts": `${routeWith("GET")}${routeWith("POST")}`,
    },
  ],
  ["guards of the methods that write leave the reads public", "ok", {
    ...sessions,
    "app/api/books/middleware.ts": 'import { s } from "@/lib/s.ts";\n' +
      "POST PUT DELETE".replace(/\w+/g, "export const Middleware$& = s.require;\n"),
    "app/api/books/route.ts": routeWith("GET", "POST"),
    "app/api/books/id_/route.ts": routeWith("GET", "PUT", "DELETE"),
    "app/api/news/route.ts": routeWith("GET"),
  }],
  ["a guard of GET does not leave it public beside", "warning at app/api/news/route.ts", {
    ...sessions,
    "app/api/books/middleware.ts": middleware.replace("Middleware", "MiddlewareGET"),
    "app/api/books/route.ts": routeWith("GET"),
    "app/api/news/route.ts": routeWith("GET"),
  }],
  [
    "an unused guard in the file of a route guards nothing",
    "warning at app/admin/export/route.ts",
    {
      ...besideGuard(middleware),
      "app/admin/export/route.ts":
        'import { s } from "@/lib/s.ts";\nconst own = s.require;\nexport function POST() {}\n',
    },
  ],
  ["a route that refuses by itself", "ok", {
    ...besideGuard(middleware),
    "app/admin/export/route.ts": "export function POST(c) {\n  throw httpError(403);\n}\n",
  }],
  ["a route that refuses for another reason", "warning beside at app/admin/export/route.ts", {
    ...besideGuard(middleware),
    "app/admin/export/route.ts":
      "export function POST(c) {\n  // new HttpError(401)\n  throw new HttpError(404);\n}\n",
  }],
  [
    "a route that writes beside a folder in the root",
    "info A route that writes at app/orders/route.ts",
    {
      ...sessions,
      "app/account/middleware.ts": middleware,
      "app/account/page.ts": routeWith("POST") + page,
      "app/contact/route.ts": routeWith("GET"),
      "app/login/route.ts": 'import { s } from "../../lib/s.ts";\nexport const POST = s.end;\n',
      "app/orders/route.ts": routeWith("GET", "DELETE"),
    },
  ],
]);

const replicas = { FW_REPLICAS: "3" };

testRows("replicas", checks.replicas, [
  ["none announced", "ok"],
  ["one", "ok", { FW_REPLICAS: "1" }],
  ["each replica with its own memory", "warning FW_REPLICAS is 3", replicas],
  ["shared stores", "ok", {
    ...replicas,
    "lib/x.ts": "export const share = (app) => provideStores(app, stores);\n",
  }],
  ["a comment", "warning", { ...replicas, "lib/x.ts": "// provideStores(app, stores);\n" }],
]);
