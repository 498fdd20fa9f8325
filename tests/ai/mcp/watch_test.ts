/** The client learns of changed lists in both eras, and a callback that fails has no effect. */
import { assert, assertEquals } from "@std/assert";
import { dial, http } from "../../../ai/mcp/mod.ts";
import { kitchen } from "./kitchen.ts";
import { asFetch, serve, SessionServer } from "./support.ts";
import { until } from "../../until.ts";

const changed = 'data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n';
const stream = (): Response =>
  new Response(changed, { headers: { "content-type": "text/event-stream" } });

/** A server of revision 2026-07-28 with an answer to `subscriptions/listen`. */
function stateless(listen: (id: unknown) => Response): (request: Request) => Promise<Response> {
  return async (request) => {
    const { id, method } = await request.json();
    const result = { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities: {} };
    return method === "server/discover"
      ? Response.json({ jsonrpc: "2.0", id, result })
      : listen(id);
  };
}

const session = new SessionServer(() => undefined);
session.other = ({ method }) => method === "GET" ? stream() : new Response(null, { status: 405 });

const eras = [["stateless", stateless(stream)], ["session", session.fetch]] as const;
for (const [revisions, answer] of eras) {
  Deno.test(`dial, ${revisions}: reports changed lists on a stream that it reopens`, async () => {
    const changes: unknown[] = [];
    const warnings: string[] = [];
    const transport = http("https://mcp.example/mcp", { fetch: asFetch(answer) });
    await using _client = await dial(transport, {
      revisions,
      onChange: (change) => {
        changes.push(change);
        throw new Error("no disk");
      },
      onWarning: (text) => void warnings.push(text),
    });
    await until(() => warnings.length >= 2, "the second stream");
    assertEquals(changes.slice(0, 2), [{ kind: "tools" }, { kind: "tools" }]);
    const wanted = 'The callback for "notifications/tools/list_changed" failed: no disk';
    assertEquals(new Set(warnings), new Set([wanted]));
  });
}

for (const revisions of ["stateless", "session"] as const) {
  Deno.test(`dial, ${revisions}: a progress callback that rejects is a warning`, async () => {
    await using served = serve(kitchen());
    const warnings: string[] = [];
    const onWarning = (text: string): void => void warnings.push(text);
    await using client = await dial(http(served.url), { revisions, onWarning });
    const onProgress = (): Promise<never> => Promise.reject(new Error("no disk"));
    assert(!(await client.callTool("progress", { steps: 1 }, { onProgress })).isError);
    assertEquals(warnings, ['The callback for "notifications/progress" failed: no disk']);
  });
}

Deno.test("dial: a server that refuses to send changes is asked once", async () => {
  let asked = 0;
  const fetch = stateless((id) => {
    asked++;
    return Response.json({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } });
  });
  const transport = http("https://mcp.example/mcp", { fetch: asFetch(fetch) });
  const client = await dial(transport, { onChange: () => {} });
  await until(() => asked === 1, "the request");
  // It waits for the end of the watching.
  await client.close();
  assertEquals(asked, 1);
});
