/** The parts of a request and of its response that a visitor can enlarge. */
import { App, createLogger, type Ctx, list, Off, type Result, struct, text } from "../../mod.ts";
import { many, type Subject } from "./subject.ts";

/** Returns a function that sends a request to an application with one route. */
function request(
  handler: (c: Ctx) => Result | Promise<Result>,
  init: RequestInit & { readonly query?: string } = {},
): () => Promise<string> {
  const app = new App({
    ...quiet,
    maxBodyBytes: Infinity,
    bodyLimits: {
      maxFields: Infinity,
      maxFiles: Infinity,
      maxTextBytes: Infinity,
      maxMemoryBytes: Infinity,
      maxJsonKeys: Infinity,
    },
    timeouts: { maxHeaderBytes: 1e9 },
  });
  app.route({ pattern: "/", methods: { GET: handler, POST: handler } });
  const url = `http://localhost/${init.query ?? ""}`;
  return async () => await (await app.fetch(new Request(url, init))).text();
}

export const quiet = { logRequest: Off, logger: createLogger({ level: "error" }) } as const;

const formType = { "content-type": "application/x-www-form-urlencoded" };
const multipartType = { "content-type": "multipart/form-data; boundary=X" };
const readAll = async (c: Ctx): Promise<Response> => {
  let fields = 0;
  (await c.formData()).forEach(() => fields++);
  return c.text(200, String(fields));
};
const Rows = struct({ rows: list(struct({ title: text("required,max=80") })) });

export const requests: readonly Subject[] = [
  {
    name: "fields of a form",
    least: 500,
    prepare: (size) =>
      request(readAll, {
        method: "POST",
        headers: formType,
        body: many(size, (at) => `f${at}=a`, "&"),
      }),
  },
  {
    name: "values of one field",
    least: 500,
    prepare: (size) =>
      request(readAll, { method: "POST", headers: formType, body: many(size, () => "f=a", "&") }),
  },
  {
    name: "parts of a multipart form",
    least: 200,
    prepare: (size) => {
      const part = (at: number): string =>
        `--X\r\ncontent-disposition: form-data; name="f${at}"\r\n\r\na\r\n`;
      const body = `${many(size, part)}--X--\r\n`;
      return request(readAll, { method: "POST", headers: multipartType, body });
    },
  },
  {
    name: "parameters of a query",
    least: 500,
    prepare: (size) =>
      request((c) => c.text(200, c.query("last") ?? ""), {
        query: `?${many(size, (at) => `f${at}=a&`)}last=1`,
      }),
  },
  {
    name: "cookies",
    least: 500,
    prepare: (size) =>
      request((c) => c.text(200, c.cookie("last") ?? ""), {
        headers: { cookie: `${many(size, (at) => `c${at}=a; `)}last=1` },
      }),
  },
  {
    name: "media ranges of Accept",
    least: 500,
    prepare: (size) =>
      request((c) => c.text(200, c.accepts("text/html", "text/plain") ?? ""), {
        headers: { accept: many(size, (at) => `a/b${at};q=0.5`, ",") },
      }),
  },
  {
    name: "tags of If-None-Match",
    least: 500,
    prepare: (size) =>
      request((c) => c.etag("v1") ? undefined : c.text(200, ""), {
        headers: { "if-none-match": many(size, (at) => `"t${at}"`, ",") },
      }),
  },
  {
    name: "languages of Accept-Language",
    least: 500,
    prepare: (size) =>
      request((c) => c.text(200, c.language), {
        headers: { "accept-language": many(size, (at) => `x${at % 90}-AB`, ",") },
      }),
  },
  {
    name: "staged cookies",
    least: 200,
    prepare: (size) =>
      request((c) => {
        for (let at = 0; at < size; at++) c.setCookie({ name: `c${at}`, value: "a" });
        return c.text(200, "");
      }),
  },
  {
    name: "rows of a JSON body",
    least: 200,
    prepare: (size) =>
      request(async (c) => c.json(200, (await c.bindJson(Rows)).rows.length), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ rows: Array(size).fill({ title: "a" }) }),
      }),
  },
  {
    name: "events of a stream",
    least: 200,
    prepare: (size) =>
      request((c) =>
        c.stream(async (stream) => {
          for (let at = 0; at < size; at++) await stream.send("", `${at}`);
        })
      ),
  },
];
