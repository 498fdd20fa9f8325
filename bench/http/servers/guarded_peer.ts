// deno-lint-ignore-file no-import-prefix -- benches pin their peers
import { Hono } from "npm:hono@4.13.19";
import { setCookie } from "npm:hono@4.13.19/cookie";
import { jwt, sign } from "npm:hono@4.13.19/jwt";
import { getIronSession } from "npm:iron-session@8.0.4";
import { payload, port } from "./data.mjs";

const secret = "s".repeat(32);
const user = (subject: string) => ({
  subject,
  email: `${subject}@example.org`,
  name: "Ada Lovelace",
  roles: ["editor", "staff"],
});
type Session = Partial<ReturnType<typeof user>>;

function serveHono(isGuarded: boolean): (request: Request) => Response | Promise<Response> {
  const app = new Hono();
  app.get("/sign-in", async (c) => {
    const exp = Math.floor(Date.now() / 1_000) + 3_600;
    setCookie(c, "session", await sign({ ...user(c.req.query("user") ?? "42"), exp }, secret));
    return c.text("signed in");
  });
  if (isGuarded) app.use("/events", jwt({ secret, alg: "HS256", cookie: "session" }));
  app.get("/events", (c) => c.json(payload));
  return app.fetch;
}

function serveIron(isGuarded: boolean): (request: Request) => Response | Promise<Response> {
  const options = { password: secret, cookieName: "session", cookieOptions: { secure: false } };
  return async (request) => {
    const url = new URL(request.url);
    if (url.pathname === "/sign-in") {
      const response = new Response("signed in");
      const session = await getIronSession<Session>(request, response, options);
      Object.assign(session, user(url.searchParams.get("user") ?? "42"));
      await session.save();
      return response;
    }
    const response = Response.json(payload);
    if (!isGuarded) return response;
    const session = await getIronSession<Session>(request, response, options);
    return session.subject === undefined ? new Response("sign in", { status: 401 }) : response;
  };
}

const isGuarded = Deno.env.get("BENCH_GUARD") !== "none";
const handler = Deno.env.get("BENCH_PEER") === "iron" ? serveIron(isGuarded) : serveHono(isGuarded);
Deno.serve({ port, hostname: "127.0.0.1", onListen: () => undefined }, handler);
