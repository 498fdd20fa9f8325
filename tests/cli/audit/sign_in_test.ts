import { checkGuards } from "../../../cli/audit/operations.ts";
import { checkSignIn } from "../../../cli/audit/sign_in.ts";
import { checkSecret } from "../../../cli/audit/secrets.ts";
import { checkReplicas } from "../../../cli/audit/variables.ts";
import { page, routeWith } from "../support.ts";
import { type AuditRow, testRows } from "./rows.ts";

const secret = { FW_SECRET: "s".repeat(32) };

function lib(code: string): Record<string, string> {
  const names =
    "createSessions, memoryPasskeyStore, memorySessionStore, oidc, oidcFromEnv, passkeys";
  return { "lib/auth.ts": `import { ${names} } from "@fw/fw/auth";\n${code}\n` };
}

const client = 'issuer: "https://id.example", clientId: "a"';

const signIns: readonly AuditRow[] = [
  { name: "sign-in: none", check: checkSignIn, want: ["ok"] },
  {
    name: "sign-in: a namesake of the application's own",
    check: checkSignIn,
    files: { "lib/x.ts": "function createSessions() {}\ncreateSessions();\n" },
    want: ["ok"],
  },
  {
    name: "sign-in: in cookies, without a secret",
    check: checkSignIn,
    files: lib("export const s = createSessions();"),
    want: ["critical FW_SECRET", "info cookies alone"],
    at: "lib/auth.ts:2:18",
  },
  {
    name: "sign-in: in cookies, with a secret",
    check: checkSignIn,
    files: lib("export const s = createSessions({ idleMs: 1 });"),
    env: secret,
    want: ["info cookies alone"],
    at: "lib/auth.ts:2:18",
  },
  {
    name: "sign-in: with a store no secret is needed",
    check: checkSignIn,
    files: lib("export const s = createSessions({ store });"),
    want: ["ok"],
  },
  {
    name: "sign-in: options that code makes are not guessed",
    check: checkSignIn,
    files: lib("export const s = createSessions(options);"),
    want: ["ok"],
  },
  {
    name: "sign-in: a store in memory",
    check: checkSignIn,
    files: lib("export const s = createSessions({ store: memorySessionStore() });"),
    want: ["warning in memory"],
    at: "lib/auth.ts:2:42",
  },
  {
    name: "sign-in: passkeys in memory",
    check: checkSignIn,
    files: lib("export const s = createSessions({ store });\nconst p = memoryPasskeyStore();"),
    want: ["critical Passkeys are in memory"],
    at: "lib/auth.ts:3:11",
  },
  {
    name: "sign-in: a provider needs the secret, with a store too",
    check: checkSignIn,
    files: lib(`export const auth = oidc({ ${client} }, { store });`),
    want: ["critical FW_SECRET"],
    at: "lib/auth.ts:2:21",
  },
  {
    name: "sign-in: passkeys need the secret, with stores too",
    check: checkSignIn,
    files: lib(
      "export const s = createSessions({ store });\nexport const k = passkeys({ rpId, store });",
    ),
    want: ["critical FW_SECRET"],
    at: "lib/auth.ts:3:18",
  },
  {
    name: "sign-in: a provider's groups may not fit into a cookie",
    check: checkSignIn,
    files: lib(`export const auth = oidc({ ${client} });`),
    env: secret,
    want: ["warning 4,096 bytes", "info cookies alone"],
    at: "lib/auth.ts:2:21",
  },
  {
    name: "sign-in: nor those of a provider beside sessions in cookies",
    check: checkSignIn,
    files: lib(
      `export const s = createSessions();\nexport const auth = oidc({ ${client} }, { sessions: s });`,
    ),
    env: secret,
    want: ["warning 4,096 bytes", "info cookies alone"],
    at: "lib/auth.ts:2:18",
  },
  {
    name: "sign-in: a redirect over HTTP",
    check: checkSignIn,
    files: lib(
      `export const auth = oidc({ ${client}, redirectUrl: "http://a.example/c" }, { store });`,
    ),
    env: secret,
    want: ["critical plain HTTP"],
    at: "lib/auth.ts:2:21",
  },
  {
    name: "sign-in: a redirect over HTTPS, and shared sessions",
    check: checkSignIn,
    files: lib(
      `export const auth = oidc({ ${client}, redirectUrl: "https://a.example/c" }, { sessions });`,
    ),
    env: secret,
    want: ["ok"],
  },
  {
    name: "sign-in: a redirect over HTTP in a variable",
    check: checkSignIn,
    files: lib("export const auth = oidcFromEnv({ store });"),
    env: { ...secret, FW_OIDC_REDIRECT_URL: "http://a.example/c" },
    want: ["critical plain HTTP", "info FW_OIDC_ISSUER, FW_OIDC_CLIENT_ID"],
    at: "FW_OIDC_REDIRECT_URL",
  },
  {
    name: "sign-in: passkeys need the secret, with sessions in a store too",
    check: checkSignIn,
    files: lib(
      "export const s = createSessions({ store });\nexport const k = passkeys({ store });",
    ),
    want: ["critical FW_SECRET"],
    at: "lib/auth.ts:3:18",
  },
  {
    name: "sign-in: under another name",
    check: checkSignIn,
    files: {
      "lib/auth.ts": 'import { createSessions as make } from "jsr:@fw/fw@1/auth";\nmake();\n',
    },
    env: secret,
    want: ["info cookies alone"],
    at: "lib/auth.ts:2:1",
  },
  {
    name: "sign-in: of a namespace",
    check: checkSignIn,
    files: { "lib/auth.ts": 'import * as auth from "@fw/fw/auth";\nauth.createSessions();\n' },
    env: secret,
    want: ["info cookies alone"],
    at: "lib/auth.ts:2:1",
  },
  {
    name: "sign-in: a namesake in a file that imports another name",
    check: checkSignIn,
    files: {
      "lib/auth.ts": 'import { hashPassword } from "@fw/fw/auth";\n' +
        "function createSessions() {}\ncreateSessions();\n",
    },
    want: ["ok"],
  },
  {
    name: "sign-in: variables of the provider that are not set",
    check: checkSignIn,
    files: lib(
      'export const auth = oidc({ issuer: Deno.env.get("FW_A") ?? "", clientId: env("FW_B") }, { sessions });',
    ),
    env: { ...secret, FW_A: "https://id.example" },
    want: ["info not set here: FW_B"],
  },
  {
    name: "secret: the sign-in signs cookies",
    check: checkSecret,
    files: lib(`export const auth = oidc({ ${client} }, { store });`),
    want: ["critical oidc"],
    at: "lib/auth.ts:2:21",
  },
];

const middleware = 'import { s } from "@/lib/s.ts";\nexport const Middleware = s.require;\n';

const sessions = {
  "lib/s.ts": 'import { createSessions } from "@fw/fw/auth";\n' +
    "export const s = createSessions();\nexport const { requireAdmin: onlyAdmins } = s;\n" +
    "export function checked(c) {\n  return s.require(c);\n}\n",
};

/** A guarded folder beside a route that is not, two levels below the root. */
function besideGuard(text: string): Record<string, string> {
  return {
    ...sessions,
    "app/admin/users/middleware.ts": text,
    "app/admin/users/route.ts": routeWith("GET"),
    "app/admin/export/route.ts": routeWith("GET"),
  };
}

/** A route with a handler that does something with a guard. */
function floating(code: string): Record<string, string> {
  const imported = 'import { s } from "@/lib/s.ts";\n';
  return {
    ...sessions,
    "app/a/route.ts": `${imported}${routeWith("GET")}const own = async (c) => { ${code} };\n`,
  };
}

const found = { want: ["warning beside"], at: "app/admin/export/route.ts" };

const guards: readonly AuditRow[] = [
  { name: "guards: none", check: checkGuards, want: ["ok"] },
  {
    name: "guards: one in a handler that is not awaited",
    check: checkGuards,
    files: floating("s.require(c);"),
    want: ["critical not awaited"],
    at: "app/a/route.ts:3:28",
  },
  {
    name: "guards: one of roles in a handler that is not awaited",
    check: checkGuards,
    files: floating('s.requireRole("x")(c); await s.require(c);'),
    want: ["critical not awaited"],
    at: "app/a/route.ts:3:28",
  },
  {
    name: "guards: those that are awaited or returned, and another require",
    check: checkGuards,
    files: floating("await s.require(c); other.require(c); return s.requireAdmin(c);"),
    want: ["ok"],
  },
  {
    name: "guards: beside the public part",
    check: checkGuards,
    files: { "app/admin/middleware.ts": middleware, "app/admin/x/route.ts": routeWith("GET") },
    want: ["ok"],
  },
  {
    name: "guards: a route beside a guarded folder",
    check: checkGuards,
    files: {
      "app/admin/users/middleware.ts": middleware.replace("require", 'requireRole("a")'),
      "app/admin/users/route.ts": routeWith("GET"),
      "app/admin/export/route.ts": routeWith("GET"),
    },
    want: ["warning beside"],
    at: "app/admin/export/route.ts",
  },
  {
    name: "guards: pages beside a guarded group are no warning",
    check: checkGuards,
    files: {
      ...sessions,
      "app/books/members-/middleware.ts": middleware,
      "app/books/members-/new/route.ts": routeWith("GET", "POST"),
      "app/books/page.ts": page,
      "app/books/id_/cover/route.ts": routeWith("GET"),
    },
    want: ["info beside a guarded group"],
    at: "app/books/page.ts",
  },
  {
    name: "guards: a route that writes beside a guarded group",
    check: checkGuards,
    files: {
      ...sessions,
      "app/books/members-/middleware.ts": middleware,
      "app/books/members-/new/route.ts": routeWith("GET", "POST"),
      "app/books/page.ts": page,
      "app/books/id_/route.ts": routeWith("GET", "DELETE"),
    },
    want: ["warning beside", "info beside a guarded group"],
    at: "app/books/id_/route.ts",
  },
  {
    name: "guards: a page beside a guarded group and a guarded folder",
    check: checkGuards,
    files: {
      ...sessions,
      "app/books/members-/middleware.ts": middleware,
      "app/books/members-/new/route.ts": routeWith("GET", "POST"),
      "app/books/staff/middleware.ts": middleware,
      "app/books/staff/route.ts": routeWith("GET"),
      "app/books/page.ts": page,
    },
    want: ["warning beside"],
    at: "app/books/page.ts",
  },
  {
    name: "guards: guarded above, or in the handler",
    check: checkGuards,
    files: {
      "app/admin/middleware.ts": middleware,
      "app/admin/users/middleware.ts": middleware.replace("require", "requireAdmin"),
      "app/admin/users/route.ts": routeWith("GET"),
      "app/admin/export/route.ts": routeWith("GET"),
      "app/team/a/middleware.ts": middleware,
      "app/team/a/route.ts": routeWith("GET"),
      "app/team/b/route.ts": `import { s } from "@/lib/s.ts";
export const GET = (c) => s.require(c);
`,
    },
    want: ["ok"],
  },
  {
    name: "guards: taken out of the sessions",
    check: checkGuards,
    files: besideGuard(
      'import { onlyAdmins } from "../../../lib/s.ts";\nexport const Middleware = onlyAdmins;\n',
    ),
    ...found,
  },
  {
    name: "guards: in a function of the project, of a namespace",
    check: checkGuards,
    files: besideGuard(
      'import * as lib from "../../../lib/s.ts";\nexport const Middleware = lib.checked;\n',
    ),
    ...found,
  },
  {
    name: "guards: taken out in the middleware",
    check: checkGuards,
    files: besideGuard(
      'import { s } from "../../../lib/s.ts";\nexport const { require: Middleware } = s;\n',
    ),
    ...found,
  },
  {
    name: "guards: of sessions that cannot be read",
    check: checkGuards,
    files: besideGuard(middleware.replace("@/lib/s.ts", "@/lib/missing.ts")),
    ...found,
  },
  {
    name: "guards: middleware that does not go on, whatever it calls",
    check: checkGuards,
    files: besideGuard(
      'import { schema } from "npm:schema";\nexport const Middleware = (c) => schema.require(c);\n',
    ),
    ...found,
  },
  {
    name: "guards: a guard of DELETE alone leaves POST open, and needs none for GET",
    check: checkGuards,
    files: {
      "app/admin/middleware.ts": middleware.replace("Middleware", "MiddlewareDELETE"),
      "app/admin/users/route.ts": `${routeWith("GET")}${routeWith("DELETE")}`,
      "app/admin/export/route.ts": `${routeWith("GET")}${routeWith("POST")}`,
    },
    want: ["warning"],
    at: "app/admin/export/route.ts",
  },
  {
    name: "guards: an unused guard in the file of a route guards nothing",
    check: checkGuards,
    files: {
      ...besideGuard(middleware),
      "app/admin/export/route.ts":
        'import { s } from "@/lib/s.ts";\nconst own = s.require;\nexport function POST() {}\n',
    },
    want: ["warning"],
    at: "app/admin/export/route.ts",
  },
  ...[
    'throw new HttpError(401, "no");',
    "throw httpError(403);",
    "return c.json(401, {});",
  ].map((refusal): AuditRow => ({
    name: `guards: a route that refuses by itself: ${refusal}`,
    check: checkGuards,
    files: {
      ...besideGuard(middleware),
      "app/admin/export/route.ts": `export function POST(c) {\n  if (bad(c)) ${refusal}\n}\n`,
    },
    want: ["ok"],
  })),
  {
    name: "guards: a route that refuses for another reason",
    check: checkGuards,
    files: {
      ...besideGuard(middleware),
      "app/admin/export/route.ts":
        "export function POST(c) {\n  // new HttpError(401)\n  throw new HttpError(404);\n}\n",
    },
    ...found,
  },
  {
    name: "guards: a route that writes beside a folder in the root",
    check: checkGuards,
    files: {
      ...sessions,
      "app/account/middleware.ts": middleware,
      "app/account/page.ts": routeWith("POST") + page,
      "app/contact/route.ts": routeWith("GET"),
      "app/login/route.ts": 'import { s } from "../../lib/s.ts";\nexport const POST = s.end;\n',
      "app/orders/route.ts": routeWith("GET", "DELETE"),
    },
    want: ["info A route that writes"],
    at: "app/orders/route.ts",
  },
];

testRows([...signIns, ...guards]);

const replicas = { FW_REPLICAS: "3" };

testRows([
  { name: "replicas: none announced", check: checkReplicas, want: ["ok"] },
  { name: "replicas: one", check: checkReplicas, env: { FW_REPLICAS: "1" }, want: ["ok"] },
  {
    name: "replicas: each with its own memory",
    check: checkReplicas,
    env: replicas,
    want: ["warning FW_REPLICAS is 3"],
  },
  {
    name: "replicas: shared stores",
    check: checkReplicas,
    files: { "lib/x.ts": "export const share = (app) => provideStores(app, stores);\n" },
    env: replicas,
    want: ["ok"],
  },
  {
    name: "replicas: a comment shares nothing",
    check: checkReplicas,
    files: { "lib/x.ts": "// provideStores(app, stores);\n" },
    env: replicas,
    want: ["warning"],
  },
]);
