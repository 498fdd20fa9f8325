import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { AiError, aiFromEnv, user } from "../../../ai/mod.ts";
import { serve } from "../support.ts";
import { setEnv } from "../../runtime/base/with_env.ts";

Deno.test("aiFromEnv reads the three variables and names the missing ones", async () => {
  using _ = setEnv({ AI_BASE_URL: undefined, FW_AI_MODEL: undefined, AI_API_KEY: undefined });
  assertThrows(() => aiFromEnv(), TypeError, "AI_BASE_URL is not set");
  await using server = serve((request) =>
    Response.json({ choices: [{ message: { content: request.headers.get("authorization") } }] })
  );
  Deno.env.set("AI_BASE_URL", server.baseUrl);
  assertThrows(() => aiFromEnv(), TypeError, "FW_AI_MODEL is not set");
  Deno.env.set("FW_AI_MODEL", "small");
  Deno.env.set("AI_API_KEY", "abc-from-env\n");
  const client = aiFromEnv();
  const { text } = await client.chat({ messages: [] });
  assertEquals([client.model, text], ["small", "Bearer abc-from-env"]);
});

Deno.test({
  name: "aiFromEnv: a missing model fails the calls, not the start, even without permission",
  permissions: { env: false },
  async fn(): Promise<void> {
    const client = aiFromEnv({ isOptional: true, apiKey: "abc" });
    const error = await assertRejects(() => client.chat({ messages: [user("Hi")] }), AiError);
    assertEquals(error.code, "ai_unreachable");
    assertStringIncludes(error.message, "AI_BASE_URL is not set");
  },
});
