import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { App, createLogger, type Ctx, type Handler } from "../../../mod.ts";
import { agent, readChat, runStream, sendRun, tool } from "../../../ai/mod.ts";
import type { ChatModel, Message, RunFailure } from "../../../ai/mod.ts";
import { scriptedModel } from "../../../ai/testing.ts";
import * as h from "../../../html/mod.ts";
// Its routes are in the types of `c.href`, which this folder has from other examples only.
import type {} from "../../../examples/assistant/fw_gen.ts";
import { POST as renderMarkdown } from "../../../examples/assistant/app/markdown/route.ts";
import { chat } from "../../../examples/assistant/lib/chat.ts";
import * as ui from "../../../ui/mod.ts";
import { testUnless } from "../../../tools/skip.ts";
import { noChromium, type Page, withBrowser, withPage, withServer } from "../browser.ts";

const files = new URL("../../../examples/assistant/public", import.meta.url);

const book = tool({ name: "book", description: "Books.", needsApproval: true }, () => "Booked.");
const look = tool({ name: "look", description: "Looks." }, () => "<b>found</b>");
const helper = agent({ name: "helper", instructions: "", tools: [book, look] });

function layout(c: Ctx, children: h.Node): h.Node {
  return h.html(
    h.lang("en"),
    h.head(h.title("Chat"), ui.head(c), h.link(h.rel("stylesheet"), h.href(c.asset("/chat.css")))),
    h.body(ui.body(), h.main(children)),
  );
}

async function withChat(model: ChatModel, run: (url: string) => Promise<void>): Promise<void> {
  const app = new App({ public: files, logger: createLogger({ write: () => {} }) });
  const page = (c: Ctx, messages: readonly Message[], error?: RunFailure): h.Node =>
    chat(c, { messages, error, placeholder: "Ask" });
  const POST: Handler = async (c) => {
    const { input, history } = await readChat(c);
    const events = runStream(model, helper, input, { history });
    return await sendRun(c, events, { page: ({ messages, error }) => page(c, messages, error) });
  };
  app.route({ pattern: "/", page: (c) => page(c, []), methods: { POST }, layouts: [layout] });
  app.route({ pattern: "/markdown", methods: { POST: renderMarkdown } });
  await withServer(app.handler(), run);
}

function tryChat<Model extends ChatModel>(
  name: string,
  model: Model,
  run: (page: Page, model: Model) => Promise<void>,
): void {
  testUnless(noChromium, {
    name: `assistant: ${name}`,
    fn: () =>
      withChat(model, (url) =>
        withPage(async (page) => {
          await page.goto(url);
          await run(page, model);
        })),
  });
}

async function say(page: Page, text: string): Promise<void> {
  await page.fill("textarea", text);
  await page.press("textarea", "Enter");
}

async function lastMessage(page: Page): Promise<string> {
  return await page.locator(".chat-message").last().innerHTML();
}

async function untilIdle(page: Page): Promise<void> {
  await page.waitForSelector(".chat-log:not([aria-busy])");
}

tryChat(
  "an answer comes as safe Markdown, with its steps, and focus stays",
  scriptedModel([
    { text: "Looking", toolCalls: [{ name: "look" }] },
    "**Hi** <img src=x onerror=alert(1)> [x](javascript:alert(1))",
    "Bye",
  ]),
  async (page, model) => {
    await say(page, "Hello <b>");
    await untilIdle(page);
    assertEquals(await page.locator(".chat-user > p").allTextContents(), ["You", "Hello <b>"]);
    const html = await lastMessage(page);
    assertStringIncludes(
      html,
      "<strong>Hi</strong> &lt;img src=x onerror=alert(1)&gt; [x](javascript:alert(1))",
    );
    assertStringIncludes(
      html,
      '<details class="chat-step"><summary>look</summary><pre>{}</pre>' +
        "<pre>&lt;b&gt;found&lt;/b&gt;</pre></details>",
    );
    assertEquals(await page.evaluate("document.activeElement.name"), "message");
    await say(page, "And now?");
    await page.waitForSelector("text=Bye");
    const roles = ["user", "assistant", "tool", "assistant", "user"];
    assertEquals(model.requests[2]?.messages.map(({ role }) => role), roles);
  },
);

tryChat(
  "an answer can be stopped, and the conversation goes on with what came",
  scriptedModel(["Once upon a time ".repeat(1_000), "Yes."], { pauseMs: 20 }),
  async (page, slow) => {
    await say(page, "Tell me");
    await page.waitForSelector("text=Once upon");
    await page.click("text=Stop");
    await untilIdle(page);
    assert((await lastMessage(page)).includes("Stopped."));
    await say(page, "More?");
    await page.waitForSelector("text=Yes.");
    const [, second] = slow.requests;
    assertEquals(second?.messages.map(({ role }) => role), ["user", "assistant", "user"]);
    assert(second?.messages[1]?.text.startsWith("Once upon"));
  },
);

tryChat(
  "a failure is shown, and the message is back in its field",
  scriptedModel([{ status: 401, text: "bad key" }]),
  async (page) => {
    await say(page, "Hello");
    await page.waitForSelector("text=The assistant failed. Try again.");
    await untilIdle(page);
    assert(!(await page.content()).includes("bad key"));
    assertEquals(await page.inputValue("textarea"), "Hello");
  },
);

for (const reject of ["text=Reject", undefined]) {
  tryChat(
    `what was rejected stays, by ${reject === undefined ? "another message" : "a button"}`,
    scriptedModel([{ toolCalls: [{ name: "book" }] }, "As you like."]),
    async (page) => {
      await say(page, "Book");
      await page.waitForSelector("text=Reject");
      await untilIdle(page);
      // The call alone is not a reply.
      assertEquals(await page.locator(".chat-assistant").count(), 0);
      if (reject === undefined) await say(page, "No, thanks");
      else await page.click(reject);
      await page.waitForSelector("text=As you like.");
      await untilIdle(page);
      const steps = page.locator(".chat-step.chat-error summary");
      assertEquals(await steps.allTextContents(), ["book"]);
    },
  );
}

tryChat(
  "a refusal says why, and the message stays to be sent again",
  scriptedModel(["Hello."]),
  async (page) => {
    await say(page, "Hi");
    await page.waitForSelector("text=Hello.");
    await untilIdle(page);
    await page.evaluate(`document.querySelector("[name=history]").value = '[{"role":"user"}]'`);
    await say(page, "And now?");
    await page.waitForSelector(".chat-note");
    await untilIdle(page);
    assertStringIncludes(await lastMessage(page), "Some of what was sent is not right yet.");
    assertEquals(await page.inputValue("textarea"), "And now?");
  },
);

tryChat(
  "a tool waits for the user's approval",
  scriptedModel([{ toolCalls: [{ name: "book" }] }, "All done."]),
  async (page, model) => {
    await page.fill("textarea", "Book");
    await page.click("text=Send");
    await page.click("text=Approve");
    await page.waitForSelector("text=All done.");
    assertEquals(await page.locator(".chat-call").count(), 0);
    assertEquals(model.requests[1]?.results, ["Booked."]);
  },
);

testUnless(noChromium, {
  name: "assistant: an expired session redirects to the sign-in",
  fn: async () => {
    let isIn = true;
    const app = new App({ public: files, logger: createLogger({ write: () => {} }) });
    app.route({
      pattern: "/",
      page: (c) => isIn ? chat(c, { messages: [], placeholder: "" }) : c.redirect("/login"),
      methods: { POST: (c) => c.redirect("/login") },
      layouts: [layout],
    });
    app.route({ pattern: "/login", page: () => h.h1("Sign in"), layouts: [layout] });
    await withServer(app.handler(), (url) =>
      withPage(async (page) => {
        await page.goto(url);
        isIn = false;
        await say(page, "Hello");
        await page.waitForSelector("text=Sign in");
      }));
  },
});

testUnless(noChromium, {
  name: "assistant: without a script the page opens at the reply",
  fn: () =>
    withChat(
      scriptedModel(["line\n\n".repeat(60), "The end."]),
      (url) =>
        withBrowser(async (browser) => {
          const isScripted = Boolean(0);
          const context = await browser.newContext({ javaScriptEnabled: isScripted });
          const page = await context.newPage();
          await page.goto(url);
          for (const words of ["Long, please", "And then?"]) {
            await page.fill("textarea", words);
            await page.getByRole("button", { name: "Send" }).click();
            await page.waitForURL(/#latest$/);
            await page.getByText(words).waitFor({ state: "attached" });
          }
          const log = await page.locator(".chat-log").boundingBox();
          const answer = await page.getByText("The end.").boundingBox();
          assert(log !== null && answer !== null && answer.y >= log.y, "above the log");
          assert(answer.y + answer.height <= log.y + log.height + 1, "below the log");
          await context.close();
        }),
    ),
});
