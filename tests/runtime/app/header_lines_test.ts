import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { App, httpError, type Settings } from "../../../mod.ts";
import * as h from "../../../html/mod.ts";
import { listen, listenSettings, requestText, sendRaw } from "../../security/raw_client.ts";
import { cpuMs } from "../../cpu_time.ts";
import { newFolder } from "../../new_folder.ts";
import { routeOf, throwing } from "./support.ts";

/** Headers that a response may repeat: `Link` for early hints, and cookies. */
const repeatable = new Set(["set-cookie", "link"]);
const long = "long enough to be compressed ".repeat(100);

function newApp(lines: string[], settings: Settings): App {
  const app = new App({ ...listenSettings(lines), env: "prod", ...settings });
  app.route({ pattern: "/page", kind: "page", page: () => h.p(long) });
  app.route({ pattern: "/moved", kind: "page", page: (c) => c.redirect("/page") });
  app.route({
    pattern: "/signed",
    kind: "page",
    page: (c) => {
      c.setSigned("a", "b", 60_000);
      c.cacheControl("private, max-age=60");
      c.header("vary", "Cookie");
      c.header("vary", "X-Own");
      return h.p(c.signed("a") ?? long);
    },
  });
  app.route({ pattern: "/broken", kind: "page", page: throwing(new Error("broken")) });
  app.route({ pattern: "/api", methods: { GET: (c) => c.json(200, { long }) } });
  app.route({ pattern: "/gone", methods: { GET: () => httpError(410, "gone") } });
  app.route(routeOf("GET", "/own", (c) => {
    c.header("vary", "X-Staged, Origin");
    c.header("vary", "X-Staged");
    const headers = [["vary", "X-Own"], ["vary", "Origin"], ["cache-control", "no-cache"]];
    return new Response(long, { headers: headers as [string, string][] });
  }));
  app.route(routeOf("GET", "/foreign", () => {
    const response = new Response(long, { headers: { vary: "X-Own" } });
    response.headers.append("vary", "X-Other");
    return response;
  }));
  app.route(routeOf("GET", "/events", (c) => c.stream(async (s) => await s.json("a", 1))));
  return app;
}

const paths = [
  ..."/page /moved /signed /broken /nothing /api /gone /own /foreign /events".split(" "),
  ..."/a.css /a.html".split(" "),
];

const requests: Record<string, string>[] = [
  {},
  { Origin: "https://partner.example" },
  { "Accept-Encoding": "gzip, br", Accept: "text/html" },
  { "FW-Fragment": "x", Accept: "text/html", "Accept-Language": "pt" },
];

const languages: Settings = { languages: ["en", "pt-PT"] };
const cors: Settings = { cors: { origins: ["https://partner.example"] } };
const secret = "a secret of thirty-two characters";

const variants: [name: string, settings: Settings][] = [
  ["no settings", {}],
  ["languages", languages],
  ["a CORS policy", cors],
  ["both", { ...languages, ...cors }],
  ["both, on Node's listener", { ...languages, ...cors, listener: "node" }],
];

for (const [name, settings] of variants) {
  Deno.test(`with ${name}, each header is sent on one line without duplicate values`, async () => {
    await using folder = await newFolder();
    await Deno.writeTextFile(`${folder.path}/a.css`, `/* ${long} */`);
    await Deno.writeTextFile(`${folder.path}/a.html`, long);
    const lines: string[] = [];
    const app = newApp(lines, { public: folder.path, secret, ...settings });
    await using server = await listen(app, lines);
    const faults: string[] = [];
    for (const path of paths) {
      for (const headers of requests) {
        for (const method of ["GET", "HEAD", "OPTIONS"]) {
          const asked = { ...headers, "Access-Control-Request-Method": "GET" };
          const { text } = await sendRaw(server, requestText(`${method} ${path}`, asked));
          const start = `${method} ${path} ${JSON.stringify(headers)}: `;
          for (const fault of faultsOf(text)) faults.push(start + fault);
        }
      }
    }
    assertEquals(faults, []);
  });
}

Deno.test("Node's listener sends headers in linear time", async () => {
  const lines: string[] = [];
  const app = newApp(lines, { listener: "node" });
  app.route(routeOf("GET", "/many", () => {
    const headers = Array.from({ length: 5_000 }, (_, at): [string, string] => [`x-${at}`, "a"]);
    return new Response("", { headers });
  }));
  await using server = await listen(app, lines);
  const startMs = cpuMs();
  const { text } = await sendRaw(server, requestText("GET /many"));
  assertStringIncludes(text, "x-4999: a");
  assert(cpuMs() - startMs < 2_000);
});

/** Finds header lines that repeat a name, and a `Vary` that lists one twice. */
function faultsOf(text: string): string[] {
  const [, ...lines] = (text.split("\r\n\r\n")[0] ?? "").split("\r\n");
  const names = lines.map((line) => line.slice(0, line.indexOf(":")).toLowerCase());
  const faults = lines.filter((_, at) => {
    const name = names[at] ?? "";
    return names.indexOf(name) !== at && !repeatable.has(name);
  });
  const vary = lines.find((line) => /^vary:/i.test(line))?.slice("vary:".length) ?? "";
  const listed = vary.split(",").map((each) => each.trim().toLowerCase());
  return new Set(listed).size < listed.length ? [...faults, `vary:${vary}`] : faults;
}
