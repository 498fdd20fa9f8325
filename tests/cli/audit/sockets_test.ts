import { checks } from "../../../cli/audit/checks.ts";
import { routeWith } from "../support.ts";
import { testRows } from "./rows.ts";

const socket = "export function GET(c) {\n  return c.upgrade().response;\n}\n";
const sessions = {
  "lib/s.ts":
    'import { createSessions } from "@fw/fw/auth";\nexport const s = createSessions({ store });\n',
};
testRows("sockets", checks.sockets, [
  ["none", "ok"],
  ["no guard", "warning without a guard at app/live/route.ts", { "app/live/route.ts": socket }],
  ["a route with a typed context", "warning without a guard at app/live/route.ts", {
    "app/live/route.ts": socket.replace("(c)", '(ctx: Ctx<"/live">)').replace("c.", "ctx."),
  }],
  ["the platform's own upgrade function", "warning without a guard at app/live/route.ts", {
    "app/live/route.ts": "export const GET = (c) => Deno.upgradeWebSocket(c.request).response;\n",
  }],
  ["in a file that the route imports", "warning without a guard at app/live/route.ts", {
    "lib/live.ts": socket.replace("GET", "join"),
    "app/live/route.ts": 'import { join } from "@/lib/live.ts";\nexport const GET = join;\n',
    "app/other/route.ts": 'import { join } from "@/lib/live.ts";\nexport const POST = join;\n',
  }],
  ["a guard in the middleware", "ok", {
    ...sessions,
    "app/middleware.ts": 'import { s } from "@/lib/s.ts";\nexport const Middleware = s.require;\n',
    "app/live/route.ts": socket,
  }],
  ["another upgrade", "ok", { "app/live/route.ts": `${routeWith("GET")}database.upgrade();\n` }],
]);
