import { checkSockets } from "../../../cli/audit/operations.ts";
import { routeWith } from "../support.ts";
import { type AuditRow, testRows } from "./rows.ts";

const socket = "export function GET(c) {\n  return c.upgrade().response;\n}\n";
const sessions = {
  "lib/s.ts":
    'import { createSessions } from "@fw/fw/auth";\nexport const s = createSessions({ store });\n',
};
const refusal = 'import { HttpError } from "@fw/fw";\n' +
  "export function check(c) {\n  throw new HttpError(401);\n}\n";
const open = { want: ["warning without a guard"], at: "app/live/route.ts" };

const rows: readonly AuditRow[] = [
  { name: "sockets: none", want: ["ok"] },
  { name: "sockets: a route without a guard", files: { "app/live/route.ts": socket }, ...open },
  {
    name: "sockets: a route with a typed context",
    files: {
      "app/live/route.ts": socket.replace("(c)", '(ctx: Ctx<"/live">)').replace("c.", "ctx."),
    },
    ...open,
  },
  {
    name: "sockets: the platform's own upgrade",
    files: {
      "app/live/route.ts": "export const GET = (c) => Deno.upgradeWebSocket(c.request).response;\n",
    },
    ...open,
  },
  {
    name: "sockets: in a file that the route imports",
    files: {
      "lib/live.ts": socket.replace("GET", "join"),
      "app/live/route.ts": 'import { join } from "@/lib/live.ts";\nexport const GET = join;\n',
      "app/other/route.ts": 'import { join } from "@/lib/live.ts";\nexport const POST = join;\n',
    },
    ...open,
  },
  {
    name: "sockets: a guard of another folder",
    files: {
      ...sessions,
      "app/admin/middleware.ts":
        'import { s } from "@/lib/s.ts";\nexport const Middleware = s.require;\n',
      "app/live/route.ts": socket,
    },
    ...open,
  },
  {
    name: "sockets: an error that refuses no client",
    files: {
      "app/middleware.ts": "export const Middleware = (c, next) => next();\n",
      "app/live/route.ts": `${socket}// new HttpError(401)\nnew HttpError(404);\n`,
    },
    ...open,
  },
  {
    name: "sockets: a guard in the middleware",
    files: {
      ...sessions,
      "app/middleware.ts":
        'import { s } from "@/lib/s.ts";\nexport const Middleware = s.require;\n',
      "app/live/route.ts": socket,
    },
    want: ["ok"],
  },
  {
    name: "sockets: a guard in the handler",
    files: {
      ...sessions,
      "app/live/route.ts": 'import { s } from "@/lib/s.ts";\n' +
        "export async function GET(c) {\n  await s.require(c);\n  return c.upgrade().response;\n}\n",
    },
    want: ["ok"],
  },
  {
    name: "sockets: a check of the application's own",
    files: {
      "lib/check.ts": refusal,
      "app/middleware.ts":
        'import { check } from "../lib/check.ts";\nexport const Middleware = check;\n',
      "app/live/route.ts": socket,
    },
    want: ["ok"],
  },
  {
    name: "sockets: another upgrade",
    files: { "app/live/route.ts": `${routeWith("GET")}database.upgrade();\n` },
    want: ["ok"],
  },
].map((row) => ({ check: checkSockets, ...row }));

testRows(rows);
