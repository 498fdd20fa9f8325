import { checkSharedCache, checkSignInLimits } from "../../../cli/audit/operations.ts";
import { type AuditRow, setup, testRows } from "./rows.ts";

const accounts = {
  "lib/accounts.ts": `import { createSessions, verifyPassword } from "@fw/fw/auth";
export const sessions = createSessions({});
export async function verify(c, text) { return await verifyPassword(text, c.hash); }
`,
};
const login = {
  ...accounts,
  "app/login/page.ts": `import { verify } from "../../lib/accounts.ts";
export function Page() {}
export async function POST(c) { await verify(c, "x"); }
`,
};
const limitOf = (code: string): Record<string, string> => ({
  "app/login/middleware.ts": `import { limit } from "@fw/fw";\n${code}\n`,
});

const signIns: readonly AuditRow[] = [
  { name: "sign-in limits: no sign-in", check: checkSignInLimits, want: ["ok"] },
  {
    name: "sign-in limits: a password without a limit",
    check: checkSignInLimits,
    files: login,
    want: ["warning without a limit"],
    at: "app/login/page.ts:3",
  },
  {
    name: "sign-in limits: sessions that a handler starts",
    check: checkSignInLimits,
    files: {
      ...accounts,
      "app/in/route.ts": `import { sessions } from "../../lib/accounts.ts";
export async function POST(c) { await sessions.start(c, user); }
`,
    },
    want: ["warning without a limit"],
    at: "app/in/route.ts:2",
  },
  {
    name: "sign-in limits: a middleware for the method",
    check: checkSignInLimits,
    files: { ...login, ...limitOf("export const MiddlewarePOST = limit(0.1, 10);") },
    want: ["ok"],
  },
  {
    name: "sign-in limits: a middleware for another method does not count",
    check: checkSignInLimits,
    files: { ...login, ...limitOf("export const MiddlewareGET = limit(0.1, 10);") },
    want: ["warning without a limit"],
    at: "app/login/page.ts:3",
  },
  {
    name: "sign-in limits: a limit for the application",
    check: checkSignInLimits,
    files: { ...login, "app/setup.ts": setup("config.rateLimit = { rate: 1, burst: 5 };") },
    want: ["ok"],
  },
  {
    name: "sign-in limits: a namesake of the application's own",
    check: checkSignInLimits,
    files: {
      "app/login/page.ts":
        "function verifyPassword() {}\nexport function Page() {}\nexport function POST() { verifyPassword(); }\n",
    },
    want: ["ok"],
  },
];

const guarded = {
  ...accounts,
  "app/me/middleware.ts":
    'import { sessions } from "../../lib/accounts.ts";\nexport const Middleware = sessions.require;\n',
};
const pageWith = (control: string): Record<string, string> => ({
  "app/me/page.ts": `export function Page(c) { c.cacheControl(${control}); }\n`,
});

const caches: readonly AuditRow[] = [
  {
    name: "shared cache: a guarded page that is public",
    check: checkSharedCache,
    files: { ...guarded, ...pageWith('"public, max-age=60"') },
    want: ["warning shared caches"],
    at: "app/me/page.ts:1",
  },
  {
    name: "shared cache: s-maxage is for shared caches alone",
    check: checkSharedCache,
    files: { ...guarded, ...pageWith('"max-age=0, s-maxage=60"') },
    want: ["warning shared caches"],
    at: "app/me/page.ts:1",
  },
  {
    name: "shared cache: a guarded page that is private",
    check: checkSharedCache,
    files: { ...guarded, ...pageWith('"private, max-age=60"') },
    want: ["ok"],
  },
  {
    name: "shared cache: a public page without a guard",
    check: checkSharedCache,
    files: pageWith('"public"'),
    want: ["ok"],
  },
];

testRows([...signIns, ...caches]);
