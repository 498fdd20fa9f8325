import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as h from "../../html/mod.ts";
import * as ui from "../../ui/mod.ts";

function shown(options: Partial<ui.ChatOptions>): string {
  return h.render(ui.chat("help", { action: "/help", ...options }));
}

Deno.test("chat: a failure stands in the log, and its message in the field", () => {
  const html = shown({ error: { message: "Try <again>.", draft: "Hi <b>" } });
  assertStringIncludes(html, '<p class="ui-chat-note" role="status">Try &lt;again&gt;.</p></div>');
  assertStringIncludes(html, ">Hi &lt;b&gt;</textarea>");
  assert(!shown({}).includes("ui-chat-note"));
});

Deno.test("chat: the field takes as much as readChat does", () => {
  assertStringIncludes(shown({}), ' maxlength="20000"');
  assertStringIncludes(shown({ maxMessageChars: 100 }), ' maxlength="100"');
});

Deno.test("chat: an answer without text and calls has no empty bubble", () => {
  const messages = [{ role: "user", content: "Hi" }, { role: "assistant", content: "" }];
  assertEquals(shown({ messages }).match(/<article/g)?.length, 1);
});
