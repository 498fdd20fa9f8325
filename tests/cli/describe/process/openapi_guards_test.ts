import { assertEquals } from "@std/assert";
import { describeDocument, describeFiles } from "../openapi_app.ts";

const files = {
  "lib/sessions.ts": `import { createSessions } from "@fw/fw/auth";
export const sessions = createSessions({});
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

Deno.test("openapi: guards and errors of a handler give its statuses and security schemes", async () => {
  const document = await describeDocument(files);
  const shown = ["/api/guarded", "/api/either"].map((path) => {
    const { responses = {}, security } = document.paths[path]?.["get"] ?? {};
    return [Object.keys(responses).join(" "), security];
  });
  assertEquals(shown, [
    ["200 401 default", [{ session: [] }]],
    ["200 401 default", [{ session: [] }, { bearer: [] }]],
  ]);
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
