/** Small applications for the hostile tables of the guards. */
import type { Ctx, Settings } from "../../mod.ts";
import type { Framework } from "./hostile.ts";

export interface Sent {
  /** The URL. @default http://localhost/x */
  readonly url?: string;
  /** The method. @default GET */
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** The address of the connection. @default 192.0.2.5 */
  readonly peer?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export async function ask(fw: Framework, settings: Settings, sent: Sent = {}): Promise<Answer> {
  const { url = "http://localhost/x", method = "GET", headers = {}, peer = "192.0.2.5" } = sent;
  const response = await newApp(fw, settings).app.fetch(new Request(url, { method, headers }), {
    remoteAddr: { transport: "tcp", hostname: peer, port: 1 },
    completed: Promise.resolve(),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function newApp(fw: Framework, settings: Settings): { app: InstanceType<Framework["App"]> } {
  const app = new fw.App({
    logRequest: () => false,
    logger: fw.createLogger({ write: () => {} }),
    ...settings,
  });
  const methods = { GET: (c: Ctx) => c.text(200, c.clientIp ?? "none") };
  app.route({ pattern: "/x", methods: { ...methods, DELETE: methods.GET } });
  return { app };
}
