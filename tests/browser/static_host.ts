/** Serves a folder as static hosts do. */
import { join } from "@std/path";
import { mediaTypeOf } from "../../runtime/base/media_types.ts";
import { withServer } from "./browser.ts";

export interface StaticHost {
  readonly url: string;
  /** The answered requests, as `GET /path 200`. */
  readonly requests: readonly string[];
}

/**
 * Serves a folder while a test runs: a folder by its `index.html`, with a redirect to the slash,
 * and a missing path by `404.html`. The only header is the type.
 */
export async function withStaticHost(
  dir: string,
  run: (host: StaticHost) => Promise<void>,
): Promise<void> {
  const requests: string[] = [];
  await withServer(async (request) => {
    const { pathname, search } = new URL(request.url);
    const response = await answer(dir, decodeURIComponent(pathname));
    requests.push(`${request.method} ${pathname}${search} ${response.status}`);
    return response;
  }, (url) => run({ url, requests }));
}

async function answer(dir: string, path: string): Promise<Response> {
  const file = join(dir, path);
  if (await isFolder(file)) {
    if (!path.endsWith("/")) {
      return new Response(null, { status: 301, headers: { location: encodeURI(`${path}/`) } });
    }
    return await send(join(file, "index.html")) ?? await notFound(dir);
  }
  return (path.endsWith("/") ? undefined : await send(file)) ?? await notFound(dir);
}

async function notFound(dir: string): Promise<Response> {
  return await send(join(dir, "404.html"), 404) ?? new Response("404", { status: 404 });
}

async function send(file: string, status = 200): Promise<Response | undefined> {
  try {
    const headers = { "content-type": mediaTypeOf(file) };
    return new Response(await Deno.readFile(file), { status, headers });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isDirectory;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return false;
    }
    throw error;
  }
}
