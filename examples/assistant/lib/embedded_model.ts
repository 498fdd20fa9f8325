import { type Reply, scriptedModel, type ScriptedRequest } from "@fw/fw/ai/testing";
import type { ChatModel } from "@fw/fw/ai";

/** An event in the output of the tools. */
interface FoundEvent {
  readonly id: string;
  readonly title: string;
  readonly venue: string;
  readonly starts: string;
  readonly euros: number;
  readonly free: number;
}

/**
 * Creates a model that needs neither a key nor a network: a few rules instead of a language model, behind
 * the same client. It searches for the words of a question and books "<number> seats for <event>".
 *
 * @param pauseMs The pause between two parts of an answer, in milliseconds, to show the streaming.
 */
export function embeddedModel(pauseMs = 30): ChatModel {
  return scriptedModel(reply, { model: "embedded", pauseMs });
}

function reply({ text, results }: ScriptedRequest): Reply {
  const [result] = results.slice(-1);
  const booking = parseBooking(text);
  if (result === undefined) {
    return callTool("search_events", { words: booking?.words ?? searchWords(text) });
  }
  if (result.startsWith("error:")) return { text: `That did not work: ${result.slice(7)}` };
  const found: unknown = JSON.parse(result);
  if (!Array.isArray(found)) return { text: describeBooking(found as Booked) };
  const events = found as readonly FoundEvent[];
  const [first] = events;
  if (booking === undefined) return { text: describeEvents(events) };
  if (first === undefined) return { text: `I know no event like "${booking.words}".` };
  return {
    text: `I can book **${first.title}**.`,
    ...callTool("book_seats", { id: first.id, seats: booking.seats }),
  };
}

function callTool(name: string, args: Readonly<Record<string, unknown>>): Reply {
  return { toolCalls: [{ name, arguments: args, id: `call_${crypto.randomUUID()}` }] };
}

interface BookingWish {
  readonly seats: number;
  readonly words: string;
}

function parseBooking(text: string): BookingWish | undefined {
  if (!/\bbook\b/i.test(text)) return undefined;
  const [, count, words = ""] = /\bbook\s+(?:me\s+)?(\d+)?\s*(?:seats?\s+)?(?:for|at)?\s*(.*)$/i
    .exec(text.replace(/[.!?]+$/, "")) ?? [];
  return { seats: Number(count ?? 1), words: searchWords(words) };
}

const known = new Set(
  ("art food music outdoors talks wednesday thursday friday saturday sunday fado owls bread supper " +
    "strings swim maps signals tiles blue").split(" "),
);

/** Returns the words of a question that can occur in an event. */
function searchWords(text: string): string {
  return (text.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => known.has(word)).join(" ");
}

function describeEvents(events: readonly FoundEvent[]): string {
  if (events.length === 0) return "Nothing fits this week. Try another day or category.";
  const rows = events.map(({ title, starts, venue, euros, free }) =>
    `| ${title} | ${starts} | ${venue} | ${euros === 0 ? "free" : `${euros} €`} | ${free} |`
  );
  return [
    `This week there ${events.length === 1 ? "is one event" : `are ${events.length} events`}:`,
    "",
    "| Event | When | Where | Price | Seats |",
    "|---|---|---|---|---|",
    ...rows,
    "",
    "Say *book 2 seats for …* and I will ask you before I book.",
  ].join("\n");
}

interface Booked {
  readonly code: string;
  readonly title: string;
  readonly starts: string;
  readonly seats: number;
}

function describeBooking({ code, title, starts, seats }: Booked): string {
  return `Booked: ${seats} ${seats === 1 ? "seat" : "seats"} for **${title}**, ${starts}. ` +
    `Your code is \`${code}\`.`;
}
