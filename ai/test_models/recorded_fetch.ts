import { fromFileUrl, join } from "@std/path";
import { hideRecordedSecrets, hideUrl, secretsOf, spellsSecret } from "./recorded_secrets.ts";

/** Options of {@link recordedFetch}. */
export interface RecordedFetchOptions {
  /** Whether real responses are fetched and written. @default `FW_AI_RECORD` is `1` */
  readonly isRecording?: boolean;
  /** Sends the requests to record. @default the global fetch */
  readonly fetch?: typeof fetch;
}

interface Recording {
  readonly request: { readonly method: string; readonly url: string; readonly body: string };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
}

/** The response headers that a client reads; others, such as cookies, are not recorded. */
const keptHeaders = ["content-type", "retry-after", "retry-after-ms"];

/**
 * Creates a `fetch` that replays recorded responses, so that a test of a real model needs neither key
 * nor network. A recording is found by method, URL and body of its request. With `FW_AI_RECORD=1` the
 * request is sent and its response recorded; request headers and keys are never recorded.
 *
 * @returns The function for the option `fetch` of an `AiClient`. A request without a recording gets 400,
 * with a message that says how to record it.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { AiClient, user } from "@fw/fw/ai";
 * import { recordedFetch } from "@fw/fw/ai/testing";
 *
 * const folder = await Deno.makeTempDir();
 * const server = () => Promise.resolve(Response.json({ choices: [{ message: { content: "Hi" } }] }));
 * const ask = async (fetch: typeof globalThis.fetch) => {
 *   const client = new AiClient({ baseUrl: "http://localhost/v1", model: "m", fetch });
 *   return (await client.chat({ messages: [user("Hello")] })).text;
 * };
 * assertEquals(await ask(recordedFetch(folder, { isRecording: true, fetch: server })), "Hi");
 * assertEquals(await ask(recordedFetch(folder, { isRecording: false })), "Hi");
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function recordedFetch(
  folder: string | URL,
  options: RecordedFetchOptions = {},
): typeof fetch {
  const root = folder instanceof URL ? fromFileUrl(folder) : folder;
  const { fetch = globalThis.fetch } = options;
  return async (input, init) => {
    const request = new Request(input, init);
    const body = await request.clone().text();
    const secrets = secretsOf(request);
    const hide = (text: string): string => hideRecordedSecrets(text, secrets);
    const kept = { method: request.method, url: hideUrl(request.url, secrets), body: hide(body) };
    const path = join(root, `${await keyOf(kept)}.json`);
    const isRecording = options.isRecording ?? Deno.env.get("FW_AI_RECORD") === "1";
    if (!isRecording) return await play(path, kept);
    return await record(path, { request: kept, response: await fetch(request), secrets });
  };
}

async function play(path: string, request: Recording["request"]): Promise<Response> {
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    const message = `Cannot play ${request.method} ${request.url}: there is no "${path}". ` +
      "Run once with FW_AI_RECORD=1 and a real server.";
    return Response.json({ error: { message } }, { status: 400 });
  }
  const { response }: Recording = JSON.parse(text);
  return new Response(response.body, { status: response.status, headers: response.headers });
}

async function record(path: string, { request, response, secrets }: {
  readonly request: Recording["request"];
  readonly response: Response;
  readonly secrets: readonly string[];
}): Promise<Response> {
  const hide = (text: string): string => hideRecordedSecrets(text, secrets);
  const body = hide(await response.text());
  const headers: Record<string, string> = {};
  for (const name of keptHeaders) {
    const value = response.headers.get(name);
    if (value !== null) headers[name] = hide(value);
  }
  if ([request.body, body].some((text) => spellsSecret(text, secrets))) {
    throw new Error(
      `Cannot record ${request.method} ${request.url}: a body contains a key in escapes or across several ` +
        "events. Record a conversation without it.",
    );
  }
  const recording: Recording = { request, response: { status: response.status, headers, body } };
  await Deno.mkdir(join(path, ".."), { recursive: true });
  await Deno.writeTextFile(path, `${JSON.stringify(recording, null, 2)}\n`);
  return new Response(body, { status: response.status, headers });
}

async function keyOf({ method, url, body }: Recording["request"]): Promise<string> {
  const bytes = new TextEncoder().encode(`${method} ${url}\n${body}`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return digest.toHex().slice(0, 32);
}
