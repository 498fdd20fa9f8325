import { assertEquals } from "@std/assert";
import { describeDocument, describeFiles } from "../openapi_app.ts";

const files = {
  "lib/sessions.ts": `import { createSessions, oidc, passkeys } from "@fw/fw/auth";
export const sessions = createSessions({});
export const keys = passkeys({ rpId: "localhost", rpName: "App", origins: ["http://localhost"] });
export const provider = oidc({ issuer: "https://login.example", clientId: "a", clientSecret: "b", redirectUrl: "https://app.example/cb" });
`,
  "app/api/end/route.ts": `import type { Ctx } from "@fw/fw";
import { sessions } from "../../../lib/sessions.ts";
export async function POST(c: Ctx) {
  await sessions.end(c);
  return c.noContent();
}
`,
  "app/api/list/route.ts": `import type { Ctx } from "@fw/fw";
import { sessions } from "../../../lib/sessions.ts";
export async function GET(c: Ctx) {
  return c.json(200, (await list(c)).length);
}
const list = (c: Ctx) => sessions.list(c);
`,
  "app/api/chat/route.ts": `import type { Ctx } from "@fw/fw";
import { readChat } from "@fw/fw/ai";
export async function POST(c: Ctx) {
  const { history } = await readChat(c);
  return c.json(200, history.length);
}
`,
  "app/api/password/route.ts": `import type { Ctx } from "@fw/fw";
import { verifyPassword } from "@fw/fw/auth";
export async function POST(c: Ctx) {
  return c.json(200, await verifyPassword("a", undefined));
}
`,
  "app/api/callback/route.ts": `import { provider } from "../../../lib/sessions.ts";
export const GET = provider.callback;
`,
  "app/api/keys/route.ts": `import { keys, sessions } from "../../../lib/sessions.ts";
/** openapi:response 200 string */
export const { GET, POST } = keys.registerHandlers(sessions);
`,
  "app/language/route.ts": `import { switchLanguage } from "@fw/fw/i18n";
/** openapi:query from string The page that asked */
export const POST = switchLanguage;
`,
  "app/api/guarded/middleware.ts": `import { sessions } from "../../../lib/sessions.ts";
export const Middleware = sessions.require;
`,
  "app/api/guarded/route.ts": `import type { Ctx } from "@fw/fw";
export function GET(c: Ctx) {
  return c.json(200, 1);
}
`,
  "app/api/either/route.ts": `import { type Ctx, HttpError } from "@fw/fw";
import { sessions } from "../../../lib/sessions.ts";
export async function GET(c: Ctx) {
  const token = c.request.headers.get("authorization");
  if (token === null) await sessions.require(c);
  else if (token !== "Bearer a") {
    throw new HttpError(401, "no", { headers: { "WWW-Authenticate": "Bearer" } });
  }
  return c.json(200, 1);
}
`,
};

Deno.test("openapi: errors and results of framework packages need no directive", async () => {
  const document = await describeDocument(files);
  const statuses = (path: string, method: string): string => {
    const operation = document.paths[path]?.[method];
    return Object.keys(operation?.responses ?? {}).join(" ");
  };
  assertEquals(statuses("/api/end", "post"), "204 413 503 default");
  assertEquals(statuses("/api/list", "get"), "200 401 503 default");
  assertEquals(statuses("/api/chat", "post"), "200 400 403 409 413 415 422 default");
  assertEquals(statuses("/api/password", "post"), "200 413 503 default");
  assertEquals(statuses("/api/callback", "get"), "303 400 403 503 default");
  assertEquals(statuses("/api/keys", "post"), "200 400 413 415 default");
  assertEquals(statuses("/api/keys", "get"), "200 default");
  assertEquals(statuses("/language", "post"), "303 400 413 default");
  // A guard without a role sends no 403, though its comment mentions one.
  assertEquals(statuses("/api/guarded", "get"), "200 401 default");
  const security = (path: string): unknown => document.paths[path]?.["get"]?.security;
  assertEquals(security("/api/guarded"), [{ session: [] }]);
  assertEquals(security("/api/either"), [{ session: [] }, { bearer: [] }]);
});

Deno.test("openapi: code too deep for the compiler is a problem without a stack", async () => {
  const { problems } = await describeFiles({
    "app/api/deep/route.ts": `import { type Ctx, list, struct, text } from "@fw/fw";
const Deep = struct({ a: ${"list(".repeat(480)}text()${")".repeat(480)} });
export const POST = async (c: Ctx) => c.json(200, await c.bindJson(Deep));
`,
  });
  assertEquals(problems.map(({ code, place }) => [code, place?.file]), [
    ["E_OPENAPI_SCHEMA", "app/api/deep/route.ts"],
  ]);
});
