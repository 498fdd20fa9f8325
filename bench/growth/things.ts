/** The values that a user, a peer or a repository can enlarge. */
import { agent, run, tool, user } from "../../ai/mod.ts";
import { dial, http, mcpServer, mcpTool } from "../../ai/mcp/mod.ts";
import { scriptedModel } from "../../ai/testing.ts";
import { memorySessionStore, type StoredSession } from "../../auth/mod.ts";
import { Cache } from "../../cache/mod.ts";
import { createProject } from "../../cli/project/project.ts";
import * as h from "../../html/mod.ts";
import { App, limit, struct, text } from "../../mod.ts";
import { ExpiringNames } from "../../runtime/addon.ts";
import { memoryChannels } from "../../runtime/base/stores/channel_store.ts";
import { catalog } from "../../runtime/i18n/mod.ts";
import { toJsonSchema } from "../../runtime/schema/mod.ts";
import { node, parse } from "../../tmpl/mod.ts";
import { quiet } from "./requests.ts";
import { many, type Subject } from "./subject.ts";

const proxy = {
  remoteAddr: { transport: "tcp", hostname: "127.0.0.1", port: 1 },
  completed: Promise.resolve(),
} as const;

/** Returns a session that expires at a time. */
const session = (at: number): StoredSession => ({
  id: `s${at}`,
  provider: "",
  subject: `${at % 100}`,
  roles: [],
  device: "",
  issuedAtMs: at,
  usedAtMs: at,
  expiresAtMs: 1e15,
  endsAtMs: 1e15,
});

let folder: string | undefined;
let folders = 0;

/** Writes `size` files into a separate folder, which is removed at the end of the process. */
function writeFiles(size: number, file: (index: number) => string, content: string): string {
  if (folder === undefined) {
    const made = folder = Deno.makeTempDirSync({ prefix: "fw-growth-" });
    globalThis.addEventListener("unload", () => Deno.removeSync(made, { recursive: true }));
  }
  const dir = `${folder}/${folders++}`;
  for (let at = 0; at < size; at++) {
    const path = `${dir}/${file(at)}`;
    Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    Deno.writeTextFileSync(path, content);
  }
  return dir;
}

export const things: readonly Subject[] = [
  {
    name: "fields of a schema",
    least: 100,
    prepare: (size) => () => {
      const fields = Array.from({ length: size }, (_, at) => [`f${at}`, text("required,max=80")]);
      return toJsonSchema(struct(Object.fromEntries(fields)));
    },
  },
  {
    name: "options of a rule",
    least: 500,
    prepare: (size) => () =>
      toJsonSchema(struct({ a: text(`oneof=${many(size, (at) => `o${at}`, " ")}`) })),
  },
  {
    name: "routes",
    least: 200,
    prepare: (size) => async () => {
      const app = new App(quiet);
      for (let at = 0; at < size; at++) {
        app.route({ pattern: `/a${at}/{id}`, methods: { GET: (c) => c.text(200, c.param("id")) } });
      }
      return await (await app.fetch(new Request("http://localhost/a1/2"))).text();
    },
  },
  {
    name: "rows of a table",
    least: 1_000,
    prepare: (size) => () =>
      h.render(h.table(h.map(Array(size).fill("a"), (row) => h.tr(h.td(row), h.td(row))))),
  },
  {
    name: "classes of an element",
    least: 1_000,
    prepare: (size) => () => h.render(h.p(h.class(many(size, (at) => `c${at}`, " ")))),
  },
  {
    name: "characters that are escaped",
    least: 10_000,
    prepare: (size) => () => h.render(h.p("<&".repeat(size))),
  },
  {
    name: "actions of a template",
    least: 200,
    prepare: (size) => () => parse(many(size, () => '<p class="{{.A}}">{{.B}}</p>'), { name: "t" }),
  },
  {
    name: "rows of a template",
    least: 500,
    prepare: (size) => {
      const templates = parse('{{range .}}<a href="/{{.}}">{{.}}</a>{{end}}', { name: "t" });
      const rows = Array(size).fill("a");
      return () => node(templates, "t", rows).render();
    },
  },
  {
    name: "messages of a catalog",
    least: 500,
    prepare: (size) => () => {
      const texts = Object.fromEntries(
        Array.from({ length: size }, (_, at) => [`k${at}`, "a {name}"]),
      );
      return catalog({ en: texts, de: texts });
    },
  },
  {
    name: "entries of a cache",
    least: 500,
    prepare: (size) => async () => {
      const cache = new Cache({ name: "growth", maxEntries: size });
      for (let at = 0; at < size; at++) {
        await cache.do({ name: `n${at}`, ttlMs: 60_000, tags: ["all", `t${at}`] }, () => at);
      }
      await cache.invalidate("all");
    },
  },
  {
    name: "sessions in memory",
    least: 200,
    prepare: (size) => () => {
      const store = memorySessionStore();
      for (let at = 0; at < size; at++) store.create(session(at));
      for (let at = 0; at < size; at++) store.read(`s${at}`);
    },
  },
  {
    name: "sessions beyond the bound",
    least: 200,
    prepare: (size) => () => {
      const store = memorySessionStore({ maxSessions: size });
      for (let at = 0; at < size * 4; at++) store.create(session(at));
    },
  },
  {
    name: "names that expire",
    least: 500,
    prepare: (size) => () => {
      let now = 0;
      const names = new ExpiringNames({ now: () => now });
      for (now = 0; now < size * 4; now++) names.add(`n${now}`, size);
    },
  },
  {
    name: "channels with readers",
    // From this size on, each new channel searches for idle ones among those with readers.
    least: 10_000,
    prepare: (size) => {
      const store = memoryChannels();
      const message = { text: "", keep: 1, keepMs: 1_000 };
      const wake = (): void => {};
      for (let at = 0; at < size; at++) {
        store.watch(`n${at}`, wake);
        store.publish(`n${at}`, message);
      }
      let next = 0;
      return () => {
        for (let at = 0; at < size; at++) store.publish(`new${next++}`, message);
      };
    },
  },
  {
    name: "series of a metric",
    least: 500,
    prepare: (size) => () => {
      // Several, because a single one large enough to be timed would exceed the processor's cache.
      for (let turn = 0; turn < 8; turn++) {
        const { metrics } = new App({ ...quiet, observability: { maxSeries: size } });
        const counter = metrics.counter("growth", "Counts.", "name");
        for (let at = 0; at < size * 2; at++) counter.with(`n${at}`).inc();
      }
    },
  },
  {
    name: "clients of a rate limit",
    least: 500,
    prepare: (size) => async () => {
      const app = new App({ ...quiet, trustedProxies: ["127.0.0.1"] });
      app.route({
        pattern: "/",
        middleware: [{ Middleware: limit(1, 1) }],
        methods: { GET: (c) => c.text(200, "") },
      });
      for (let at = 0; at < size; at++) {
        const headers = { "x-forwarded-for": `10.${at >> 16}.${at >> 8 & 255}.${at & 255}` };
        await app.fetch(new Request("http://localhost/", { headers }), proxy);
      }
    },
  },
  {
    name: "files that are served",
    least: 50,
    prepare: (size) => {
      const dir = writeFiles(size, (at) => `f${at}.css`, "p { margin: 0 }");
      return async () => {
        const app = new App({ ...quiet, public: dir });
        return await (await app.fetch(new Request("http://localhost/f1.css"))).text();
      };
    },
  },
  {
    name: "sources of a project",
    least: 25,
    prepare: (size) => {
      const code = 'export const GET = () => new Response(Deno.env.get("A"));\n';
      const root = writeFiles(size, (at) => `app/a${at}/route.ts`, code);
      return async () => {
        const project = createProject(root);
        await project.variableReads();
        return (await project.routes()).routes.length;
      };
    },
  },
  {
    name: "tools of an MCP server",
    least: 50,
    prepare: (size) => async () => {
      const tools = Array.from(
        { length: size },
        (_, at) => mcpTool({ name: `t${at}`, description: "A tool." }, () => ""),
      );
      const server = mcpServer({ name: "growth", version: "1.0.0", tools });
      const app = new App(quiet);
      app.route({ pattern: "/mcp", methods: server.handlers, kind: "api" });
      await using client = await dial(
        http("http://localhost/mcp", {
          fetch: (url, init) => app.fetch(new Request(url, init)),
        }),
        { maxEntries: 1_000_000 },
      );
      await client.tools();
    },
  },
  {
    name: "tools of an agent",
    least: 100,
    prepare: (size) => async () => {
      const input = struct({ a: text("required") });
      const tools = Array.from(
        { length: size },
        (_, at) => tool({ name: `t${at}`, description: "A tool.", input }, () => ""),
      );
      const helper = agent({ name: "helper", instructions: "Help.", tools });
      await run(scriptedModel(["Done."]), helper, "Hi");
    },
  },
  {
    name: "messages of a chat",
    least: 500,
    prepare: (size) => {
      const helper = agent({ name: "helper", instructions: "Help." });
      const history = Array.from({ length: size }, () => user("Hi"));
      return () => run(scriptedModel(["Done."]), helper, "Hi", { history });
    },
  },
];
