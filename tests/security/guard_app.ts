/** A small application for the hostile tables of the guards. */
import { App, createLogger, type Ctx, Off, type Settings } from "../../mod.ts";
import { peer } from "../runtime/peer.ts";

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

export async function ask(settings: Settings, sent: Sent = {}): Promise<Answer> {
  const { url = "http://localhost/x", method = "GET", headers = {} } = sent;
  const logger = createLogger({ write: () => {} });
  const app = new App({ logRequest: Off, logger, ...settings });
  const GET = (c: Ctx): Response => c.text(200, c.clientIp ?? "none");
  app.route({ pattern: "/x", methods: { GET, DELETE: GET } });
  const response = await app.fetch(
    new Request(url, { method, headers }),
    peer(sent.peer ?? "192.0.2.5"),
  );
  return { status: response.status, headers: response.headers, text: await response.text() };
}
