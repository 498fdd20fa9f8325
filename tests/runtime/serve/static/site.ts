import { join } from "@std/path";
import { App, createLogger, type Settings } from "../../../../mod.ts";
import type { StaticSettings } from "../../../../runtime/serve/static/form.ts";
import { routeOf } from "../../app/support.ts";

export interface StaticSite {
  readonly app: App;
  readonly folder: string;
  readonly lines: readonly string[];
  ask(path: string, headers?: Readonly<Record<string, string>>, method?: string): Promise<Answer>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly text: string;
}

export const longText = "a { color: red }\n".repeat(200);

/** The settings of a production file without default headers. */
export function fileSettings(memory: { left: number }): StaticSettings {
  const none = {
    empty: [],
    redirect: [],
    data: [],
    document: [],
    file: [],
    page: [],
    csp: undefined,
  };
  const schemes = { http: none, https: none };
  return {
    env: "prod",
    compressed: new Set(),
    cacheControl: "no-cache",
    headers: undefined,
    defaults: { ...schemes, guarded: schemes },
    log: undefined,
    memory,
  };
}

export async function openSite(
  files: Readonly<Record<string, string | Uint8Array>>,
  settings: Settings | ((folder: string) => Settings) = {},
): Promise<StaticSite> {
  const folder = await Deno.makeTempDir();
  for (const [path, content] of Object.entries(files)) await writeFile(join(folder, path), content);
  const lines: string[] = [];
  const app = new App({
    public: folder,
    logger: createLogger({ level: "debug", write: (text) => void lines.push(text) }),
    ...(typeof settings === "function" ? settings(folder) : settings),
  });
  app.route(routeOf("GET", "/asset/{path...}", (c) => c.text(200, c.asset(c.param("path")))));
  return {
    app,
    folder,
    lines,
    ask: async (path, headers = {}, method = "GET") => {
      const request = new Request(`http://localhost${path}`, { headers, method });
      const response = await app.fetch(request);
      const bytes = new Uint8Array(await response.arrayBuffer());
      const text = new TextDecoder().decode(bytes);
      return { status: response.status, headers: response.headers, bytes, text };
    },
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

export async function writeFile(path: string, content: string | Uint8Array): Promise<void> {
  await Deno.mkdir(join(path, ".."), { recursive: true });
  if (typeof content === "string") await Deno.writeTextFile(path, content);
  else await Deno.writeFile(path, content);
}
