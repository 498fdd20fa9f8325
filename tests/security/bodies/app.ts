/**
 * The application that receives hostile bodies, and the parts of its response that a row checks.
 */
import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import * as fw from "../../../mod.ts";
import type { App, Ctx, Settings } from "../../../mod.ts";
import { newFolder } from "../../new_folder.ts";

export interface Outcome {
  readonly status: number;
  readonly code?: string | undefined;
  readonly value?: unknown;
}

export interface Sent {
  readonly path: string;
  /** The content type; `undefined` sends none. */
  readonly type?: string | undefined;
  /** The body; a stream is created anew for each run. */
  readonly body: BodyInit | null | (() => BodyInit);
  readonly headers?: Readonly<Record<string, string>>;
  /** The method. @default "POST" */
  readonly method?: string;
  readonly settings?: Settings;
}

/** Sends one request to a new application, and checks the conditions for every hostile input. */
export async function send(sent: Sent): Promise<Outcome> {
  await using folder = await newFolder();
  const spoolDir = join(folder.path, "spool");
  const saved = join(folder.path, "saved");
  await Deno.mkdir(spoolDir);
  await Deno.mkdir(saved);
  const app = openApp({ saved, settings: { ...sent.settings, spoolDir } });
  const outcome = await outcomeOf(await app.fetch(requestOf(sent)));
  assertEquals(names(spoolDir), [], "something is left on disk");
  assertEquals(names(folder.path), ["saved", "spool"], "something was written elsewhere");
  return outcome;
}

function names(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

function requestOf(sent: Sent): Request {
  const headers = new Headers(sent.headers);
  const request = new Request(`http://localhost${sent.path}`, {
    method: sent.method ?? "POST",
    body: typeof sent.body === "function" ? sent.body() : sent.body,
    headers,
    duplex: "half",
  } as RequestInit);
  // The platform sets a type itself for strings and forms.
  if (sent.type === undefined) request.headers.delete("content-type");
  else request.headers.set("content-type", sent.type);
  return request;
}

async function outcomeOf(response: Response): Promise<Outcome> {
  const body = await response.text();
  const { status } = response;
  if (status < 400) return { status, value: body === "" ? undefined : JSON.parse(body) };
  return { status, code: JSON.parse(body).code };
}

export function openApp(options: { readonly saved: string; readonly settings: Settings }): App {
  const app = new fw.App({ logRequest: fw.Off, logger: silent, ...options.settings });
  const post = (pattern: string, POST: (c: Ctx) => Promise<Response>): void =>
    app.route({ pattern, methods: { POST } });
  post("/form", async (c) => {
    const form = await c.request.formData();
    assertEquals([...await c.formData()].length, [...form].length);
    const entries = [...form].map(([name, value]) =>
      typeof value === "string" ? [name, value] : [name, value.name, value.size]
    );
    return c.json(200, entries);
  });
  post("/ignored", (c) => Promise.resolve(c.json(200, "the handler ran")));
  post("/raw", async (c) => c.json(200, (await c.request.text()).length));
  post("/image", async (c) => {
    const upload = await c.file("f", { accept: ["image/*"], maxSizeBytes: 1_000 });
    return c.json(200, { name: upload.name, mime: upload.mime, ext: upload.ext });
  });
  post("/save", async (c) => {
    const upload = await c.file("f");
    const path = await upload.save(options.saved);
    return c.json(200, path.slice(options.saved.length + 1));
  });
  post("/json", async (c) => c.json(200, await c.bindJson(anything)));
  const { bool, date, float, int, int64, list, text, texts } = fw;
  const order = fw.struct({
    title: text("max=20"),
    seats: int(),
    price: float(),
    id: int64(),
    day: date(),
    open: bool(),
    tags: texts("max=3"),
    venue: fw.struct({ city: text() }),
    items: list(fw.struct({ sku: text() }), "max=3"),
  });
  post("/bind", async (c) => c.json(200, await c.bind(order)));
  post("/any", async (c) => c.json(200, await c.bind(anything)));
  post("/try", async (c) => {
    const { ok, value, text } = await c.tryBind(order);
    return c.json(200, { ok, value, title: text("title") });
  });
  return app;
}

const anything = {
  "~standard": { version: 1 as const, vendor: "test", validate: (value: unknown) => ({ value }) },
};

const silent = fw.createLogger({ write: () => {} });

export const multipartType = "multipart/form-data; boundary=X";

export function multipart(...parts: string[]): string {
  return parts.map((part) => `--X\r\n${part}\r\n`).join("") + "--X--\r\n";
}

export function field(name: string, value: string): string {
  return `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;
}

export function filePart(fileName: string, content: string, type = "image/png"): string {
  return `Content-Disposition: form-data; name="f"; filename="${fileName}"\r\n` +
    `Content-Type: ${type}\r\n\r\n${content}`;
}

export function latin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}
