import { checks } from "../../../cli/audit/checks.ts";
import { setup, testRows } from "./rows.ts";

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

testRows("sign-in limits", checks["sign-in-limits"], [
  ["no sign-in", "ok"],
  ["a password without a limit", "warning without a limit at app/login/page.ts:3", login],
  ["sessions that a handler starts", "warning without a limit at app/in/route.ts:2", {
    ...accounts,
    "app/in/route.ts": `import { sessions } from "../../lib/accounts.ts";
export async function POST(c) { await sessions.start(c, user); }
`,
  }],
  ["a middleware", "ok", { ...login, ...limitOf("export const MiddlewarePOST = limit(0.1, 10);") }],
  ["a middleware of the namespace import", "ok", {
    ...login,
    "app/login/middleware.ts":
      'import * as fw from "@fw/fw";\nexport const MiddlewarePOST = fw.limit(0.1, 10);\n',
  }],
  [
    "a middleware for another method does not count",
    "warning without a limit at app/login/page.ts:3",
    { ...login, ...limitOf("export const MiddlewareGET = limit(0.1, 10);") },
  ],
  ["an app's limit", "ok", { ...login, ...setup("config.rateLimit = { rate: 1, burst: 5 };") }],
  ["a function of the same name in the application", "ok", {
    "app/login/page.ts":
      "function verifyPassword() {}\nexport function Page() {}\nexport function POST() { verifyPassword(); }\n",
  }],
]);

const guarded = {
  ...accounts,
  "app/me/middleware.ts":
    'import { sessions } from "../../lib/accounts.ts";\nexport const Middleware = sessions.require;\n',
};
const pageWith = (control: string): Record<string, string> => ({
  "app/me/page.ts": `export function Page(c) { c.cacheControl(${control}); }\n`,
});

testRows("shared cache", checks["shared-cache"], [
  ["a guarded page that is public", "warning shared caches at app/me/page.ts:1", {
    ...guarded,
    ...pageWith('"public, max-age=60"'),
  }],
  ["s-maxage applies to shared caches only", "warning shared caches at app/me/page.ts:1", {
    ...guarded,
    ...pageWith('"max-age=0, s-maxage=60"'),
  }],
  ["a guarded page that is private", "ok", { ...guarded, ...pageWith('"private, max-age=60"') }],
  ["a public page without a guard", "ok", pageWith('"public"')],
]);
