/**
 * Lists the framework's files and functions that run for one request, by the engine's coverage:
 * `deno run -A tools/request_path.ts`.
 */
import { Session } from "node:inspector/promises";
import { fromFileUrl } from "@std/path";
import * as h from "../html/mod.ts";
import { App, int, type LayoutHandler, struct, text } from "../mod.ts";
import * as ui from "../ui/mod.ts";
import { root } from "./workspace.ts";

export interface RequestPath {
  readonly title: string;
  /** The functions by file, both in alphabetical order. */
  readonly files: Readonly<Record<string, readonly string[]>>;
}

/** Number of times each request is sent. Functions that run less often, such as a flush, do not count. */
const samples = 5;
const token = "A".repeat(43);
/** The token with a mask of zeros, in the form's format. */
const masked = "A".repeat(86);

const scenarios: readonly {
  readonly title: string;
  readonly status: number;
  readonly path: string;
  readonly init?: () => RequestInit;
}[] = [
  { title: "JSON", status: 200, path: "/events/42" },
  { title: "page", status: 200, path: "/" },
  { title: "page with a form", status: 200, path: "/contact" },
  {
    title: "form post",
    status: 303,
    path: "/contact",
    init: () => ({
      method: "POST",
      headers: { cookie: `fw_csrf=${token}` },
      body: new URLSearchParams({ _csrf: masked, title: "Talks", seats: "120" }),
      redirect: "manual",
    }),
  },
  {
    title: "404",
    status: 404,
    path: "/nothing",
    init: () => ({ headers: { accept: "text/html" } }),
  },
];

const NewEvent = struct({ title: text("required,max=80"), seats: int("min=1,max=500") });

const layouts: readonly LayoutHandler[] = [
  (c, children) =>
    h.html(
      h.lang(c.language),
      h.head(h.title(c.title), ui.head(c)),
      h.body(ui.header(h.a(h.href("/"), "Events")), h.main(children)),
    ),
];

/** A typical application: the kit's layout and form, and the default log. */
function newApp(): App {
  const app = new App({ secret: "0".repeat(32) });
  app.route({
    pattern: "/events/{id}",
    methods: { GET: (c) => c.json(200, { id: c.param("id") }) },
  });
  app.route({ pattern: "/", layouts, page: () => ui.card(h.h1("Events"), h.p("Three events.")) });
  app.route({
    pattern: "/contact",
    layouts,
    page: (c) => ui.form(c, NewEvent),
    methods: {
      POST: async (c) => {
        const bound = await c.tryBind(NewEvent);
        if (!bound.ok) return ui.form(c, NewEvent);
        c.flash("success", "Added.");
        return c.redirect("/");
      },
    },
  });
  return app;
}

async function measureHere(): Promise<RequestPath[]> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const handler = newApp().handler();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
  const paths: RequestPath[] = [];
  for (const { title, status, path, init } of scenarios) {
    const send = async (): Promise<void> => {
      const response = await fetch(`http://127.0.0.1:${server.addr.port}${path}`, init?.());
      await response.body?.cancel();
      if (response.status !== status) throw new Error(`${title} was answered ${response.status}`);
    };
    await send();
    const seen = new Map<string, number>();
    for (let sample = 0; sample < samples; sample++) {
      await session.post("Profiler.takePreciseCoverage");
      await send();
      for (const called of await takeCalled(session)) seen.set(called, (seen.get(called) ?? 0) + 1);
    }
    const calls = [...seen].filter(([, count]) => count === samples).map(([called]) => called);
    paths.push({ title, files: byFile(calls) });
  }
  session.disconnect();
  await server.shutdown();
  return paths;
}

async function takeCalled(session: Session): Promise<string[]> {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  return result.flatMap(({ url, functions }) => {
    const path = url.startsWith("file:") ? fromFileUrl(url).slice(root.length + 1) : "";
    if (!/^(?:runtime|html|ui)\//.test(path)) return [];
    return functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
      .map(({ functionName, ranges }) => `${path}|${functionName}|${ranges[0]?.startOffset}`);
  });
}

function byFile(calls: readonly string[]): Record<string, readonly string[]> {
  const files: Record<string, string[]> = {};
  for (const called of [...calls].sort()) {
    const [path = "", name = ""] = called.split("|");
    (files[path] ??= []).push(name || "(anonymous)");
  }
  return files;
}

export async function measureRequestPaths(): Promise<RequestPath[]> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", import.meta.filename ?? "", "--here"],
    env: { NO_COLOR: "1" },
    stdout: "null",
  }).output();
  const text = new TextDecoder().decode(stderr);
  if (!success) throw new Error(`Cannot measure the path of a request: ${text}`);
  return JSON.parse(text);
}

export function countPath({ files }: RequestPath): { files: number; functions: number } {
  return { files: Object.keys(files).length, functions: Object.values(files).flat().length };
}

if (import.meta.main) {
  if (Deno.args[0] === "--here") console.error(JSON.stringify(await measureHere()));
  else {
    for (const path of await measureRequestPaths()) {
      const { files, functions } = countPath(path);
      console.log(`${path.title}: ${files} files, ${functions} functions`);
      for (const [file, names] of Object.entries(path.files)) {
        console.log(`  ${file}: ${names.join(", ")}`);
      }
    }
  }
}
