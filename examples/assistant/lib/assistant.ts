import { httpError, int, key, struct, text } from "@fw/fw";
import { type Agent, agent, type ChatModel, type Tool, tool } from "@fw/fw/ai";
import type { CityEvent, EventBook } from "@/lib/events.ts";

/** The services of the chat page. */
export interface Assistant {
  /** The model: a real one, or the embedded one of this example. */
  readonly model: ChatModel;
  /** The agent with its instructions and tools. */
  readonly agent: Agent;
}

/** The key under which handlers find the assistant. */
export const Assistant = key<Assistant>("assistant");

const instructions = `You help people find and book events of this week.
Use search_events before you answer about events; never invent one. Give title, day, venue and price.
Book only what the person asked for, with the number of seats that they gave.`;

/** The tools of the assistant; the MCP route offers the first two. */
export function eventTools(events: EventBook): { readonly reading: Tool[]; readonly book: Tool } {
  const search = tool({
    name: "search_events",
    description: "Finds events by words of their title, venue, category or day; all without words.",
    input: struct({ words: text("max=100") }),
  }, ({ words }) => events.search(words));

  const details = tool({
    name: "event_details",
    description: "Returns everything about one event.",
    input: struct({ id: text("required,max=40") }),
  }, ({ id }) => {
    const event = known(events, id);
    return { ...event, free: events.freeSeats(event) };
  });

  const book = tool({
    name: "book_seats",
    description: "Books seats of an event. A person approves it first.",
    input: struct({ id: text("required,max=40"), seats: int("min=1,max=10") }),
    needsApproval: true,
  }, ({ id, seats }) => {
    const { code, event } = events.book(known(events, id), seats);
    return { code, title: event.title, starts: event.starts, seats };
  });

  return { reading: [search, details], book };
}

function known(events: EventBook, id: string): CityEvent {
  const event = events.find(id);
  if (event === undefined) throw httpError(404, `There is no event "${id}".`);
  return event;
}

/** Creates the agent. */
export function eventAgent(events: EventBook): Agent {
  const { reading, book } = eventTools(events);
  return agent({ name: "events", instructions, tools: [...reading, book] });
}
