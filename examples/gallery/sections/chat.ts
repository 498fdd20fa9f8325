import type { Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import type { Section } from "./section.ts";
import source from "./chat.ts" with { type: "text" };

const messages: readonly ui.ChatMessage[] = [
  { role: "user", content: "Book two seats for the owls on Friday" },
  {
    role: "assistant",
    content: "",
    toolCalls: [{ id: "1", name: "search_events", arguments: '{"words":"owls friday"}' }],
  },
  { role: "tool", callId: "1", content: '[{"id":"owls","title":"Listening for Owls"}]' },
  {
    role: "assistant",
    content: "**Listening for Owls** is on Friday at 22:00 and costs 5 €.",
    toolCalls: [{ id: "2", name: "book_seats", arguments: '{"id":"owls","seats":2}' }],
  },
];

function conversation(): Node {
  // Disabled: nobody answers here.
  return h.fieldset(
    h.class("plain"),
    h.disabled(),
    ui.chat("chat", { action: "#content", messages, placeholder: "Ask about events" }),
  );
}

function text(): Node {
  return ui.markdown(`### On Friday

1. *Tiles After Dark*, 20:00, 9 €
2. *Listening for Owls*, 22:00, 5 €

> Bring a torch.

Doors open with the code \`B7\`. <b>HTML</b> stays text.`);
}

export const chat: Section = {
  name: "chat",
  title: "Chat",
  lead: "A conversation with a model: the log, its steps, the field, and what waits for an answer.",
  source,
  examples: [
    {
      title: "A conversation",
      text:
        "With ui.chatScript(c) the answer appears while it comes; without a script the form gets the page. A tool that needs approval waits above the field.",
      make: conversation,
    },
    {
      title: "Markdown",
      text: "Text of a model is safe: HTML stays text, images become links.",
      make: text,
    },
  ],
};
