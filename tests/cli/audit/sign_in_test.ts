import { checkGuards, checkSignIn } from "../../../cli/audit/sign_in.ts";
import { routeWith } from "../support.ts";
import { type AuditRow, testRows } from "./rows.ts";

const secret = { FW_SECRET: "s".repeat(32) };

function lib(code: string): Record<string, string> {
  return { "lib/auth.ts": `import { createSessions, oidc } from "@fw/fw/auth";\n${code}\n` };
}

const client = 'issuer: "https://id.example", clientId: "a"';

const signIns: readonly AuditRow[] = [
  { name: "sign-in: none", check: checkSignIn, want: ["ok no sign-in"] },
  {
    name: "sign-in: a namesake of the application's own",
    check: checkSignIn,
    files: { "lib/x.ts": "function createSessions() {}\ncreateSessions();\n" },
    want: ["ok no sign-in"],
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
    want: ["critical plain HTTP"],
    at: "FW_OIDC_REDIRECT_URL",
  },
];

const middleware = 'import { s } from "../../../lib/s.ts";\nexport const Middleware = s.require;\n';

const guards: readonly AuditRow[] = [
  { name: "guards: none", check: checkGuards, want: ["ok no guards"] },
  {
    name: "guards: one in a handler that is not awaited",
    check: checkGuards,
    files: {
      "app/a/route.ts": `${routeWith("GET")}const one = (c) => { s.require(c); };\n`,
      "app/b/route.ts": `${
        routeWith("GET")
      }const two = async (c) => { s.requireRole("x")(c); await s.require(c); };\n`,
    },
    want: ["critical not awaited"],
    at: "app/a/route.ts:2:22",
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
    name: "guards: guarded above, or in the handler",
    check: checkGuards,
    files: {
      "app/admin/middleware.ts": middleware,
      "app/admin/users/middleware.ts": middleware.replace("require", "requireAdmin"),
      "app/admin/users/route.ts": routeWith("GET"),
      "app/admin/export/route.ts": routeWith("GET"),
      "app/team/a/middleware.ts": middleware,
      "app/team/a/route.ts": routeWith("GET"),
      "app/team/b/route.ts": `${routeWith("GET")}const own = (c) => s.require(c);\n`,
    },
    want: ["ok"],
  },
];

testRows([...signIns, ...guards]);
