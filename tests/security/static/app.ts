/**
 * The files that hostile requests for static files target, and the parts of a response that a row
 * checks.
 */
import { assert } from "@std/assert";
import { join } from "@std/path";
import { App, createLogger, type Env, type Settings } from "../../../mod.ts";
import { writeFile } from "../../runtime/serve/static/site.ts";

const secret = "SECRET";

/** The file that grows while it is served; only rows that request it change it. */
const growing = "/grows.bin";

/** The text of `app.css`: 3,000 bytes. */
export const css = "a { color: red }\n".repeat(200).slice(0, 3_000);

export interface Sent {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** @default "GET" */
  readonly method?: string;
  /** @default "prod" */
  readonly env?: Env;
  readonly settings?: Settings;
}

export interface Outcome {
  readonly status: number;
  readonly headers: readonly (string | null)[];
  readonly length: number;
}

interface Site {
  readonly root: string;
  readonly public: string;
}

let site: Site = { root: "", public: "" };
let socket: Disposable | undefined;

// One for all rows, which change only `grows.bin`.
Deno.test.beforeAll(async () => {
  const root = await Deno.makeTempDir();
  socket = Deno.listen({ transport: "unix", path: join(root, "socket") });
  site = await makeSite(root);
});
Deno.test.afterAll(async () => {
  socket?.[Symbol.dispose]();
  await Deno.remove(site.root, { recursive: true });
});

/** Sends one request; in it `{css}` is the fingerprint of `app.css`, and `{modified}` its date. */
export async function send(sent: Sent, names: readonly string[] = []): Promise<Outcome> {
  if (sent.path === growing) await writeGrowing(300_000);
  const response = await request(sent);
  assert(response.status < 500, `status ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  assert(!text.includes(secret) && !text.includes(site.root), "it leaks");
  const announced = response.headers.get("content-length");
  const isWhole = sent.method === "HEAD" || announced === null;
  assert(isWhole || Number(announced) === bytes.length, "the length is wrong");
  const headers = names.map((name) => response.headers.get(name));
  return { status: response.status, headers, length: bytes.length };
}

async function request(sent: Sent): Promise<Response> {
  const app = new App({
    env: sent.env ?? "prod",
    public: site.public,
    mounts: { "/up": join(site.root, "up") },
    logger: createLogger({ write: () => {} }),
    ...sent.settings,
  });
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    app.fetch(new Request(`http://localhost${path}`, init));
  const known = await ask("/app.css");
  await known.body?.cancel();
  const fingerprint = (known.headers.get("etag") ?? "").replaceAll('"', "");
  const modified = known.headers.get("last-modified") ?? "";
  const fill = (text: string): string =>
    text.replaceAll("{css}", fingerprint).replaceAll("{modified}", modified);
  // It is not held in memory, and changes while the application serves.
  if (sent.path === growing) {
    await (await ask(growing)).body?.cancel();
    await writeGrowing(400_000);
  }
  const headers = Object.entries(sent.headers ?? {}).map((
    [n, v],
  ): [string, string] => [n, fill(v)]);
  return await ask(fill(sent.path), { method: sent.method ?? "GET", headers });
}

async function writeGrowing(bytes: number): Promise<void> {
  await Deno.writeFile(join(site.public, growing), new Uint8Array(bytes));
}

async function makeSite(root: string): Promise<Site> {
  const folder = join(root, "public");
  const write = (path: string, content: string): Promise<void> =>
    writeFile(join(root, path), content);
  for (const path of secrets) await write(path, secret);
  await write("public/app.css", css);
  await Deno.utime(join(folder, "app.css"), 1_000_000_000, 1_000_000_000);
  await write("public/empty.txt", "");
  await write("public/img/a.txt", "picture");
  await write("up/a.txt", "up");
  await write("up/deep/a.txt", secret);
  await link(root);
  return { root, public: folder };
}

/**
 * Files that no row may reach: hidden ones, names that mean another file on other systems, and
 * three that have their own URL.
 */
const secrets: readonly string[] = [
  ..."secret.txt public-secret/x.txt public/.env public/.git/config".split(" "),
  ..."public/img/.htpasswd public/.well-known/.env public/.well-known/a/.b/c up/.env".split(" "),
  ..."up/secret.txt public/nul.css public/CON public/com1.txt public/aux/x.txt".split(" "),
  ..."public/lpt9.tar.gz public/a.css.".split(" "),
  "public/b.css ",
  "public/c./x.txt",
  "public/c:d.txt",
  "public/app.css::$DATA",
  "public/a\\b.txt",
  "up/a\\b.txt",
  "public/one/two.txt",
];

async function link(root: string): Promise<void> {
  const links: readonly [target: string, path: string][] = [
    ["../secret.txt", "public/out.txt"],
    [join(root, "secret.txt"), "public/absolute.txt"],
    ["out.txt", "public/chain.txt"],
    ["..", "public/folder"],
    ["../../secret.txt", "public/img/deep.txt"],
    ["../public-secret", "public/neighbour"],
    ["../secret.txt", "up/out.txt"],
    ["..", "up/folder"],
    ["../socket", "public/pipe"],
  ];
  for (const [target, path] of links) await Deno.symlink(target, join(root, path));
  // A link to it would be refused as a link, so the socket itself is in the mounted folder.
  await Deno.rename(join(root, "socket"), join(root, "up/socket"));
}
