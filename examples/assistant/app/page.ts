import { type Ctx, type Node, type Result, use } from "@fw/fw";
import { type Message, readChat, type RunFailure, runStream, sendRun } from "@fw/fw/ai";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { Assistant } from "@/lib/assistant.ts";
import { chat } from "@/lib/chat.ts";

/** Renders the empty chat. */
export function Page(c: Ctx): Node {
  return chatPage(c, []);
}

/**
 * Runs the assistant. The chat's script receives events as they happen; without JavaScript, the
 * response is the page with the complete answer.
 */
export async function POST(c: Ctx): Promise<Result> {
  const { model, agent } = use(c, Assistant);
  const { input, history } = await readChat(c);
  const events = runStream(model, agent, input, { history });
  return await sendRun(c, events, { page: ({ messages, error }) => chatPage(c, messages, error) });
}

function chatPage(c: Ctx, messages: readonly Message[], error?: RunFailure): Node {
  c.title = "Events assistant";
  return ui.stack(
    h.h1("What is on this week?"),
    h.p("Ask for a day or a kind of event, such as “music on Saturday”, or book seats."),
    chat(c, { messages, error, placeholder: "Book 2 seats for the owls" }),
  );
}
