import { csrfInput, type Ctx, type Node, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import { Guests } from "@/lib/attendance.ts";
import { type CityEvent, seatsLeft } from "@/lib/city_event.ts";
import type { SeatFacts } from "@/lib/seats.ts";
import { visitorOf } from "@/lib/visitor.ts";
import { eventUrl } from "./links.ts";

/** How many are going, and the button to be one of them; both work without JavaScript. */
export function going(c: Ctx, event: CityEvent, facts: SeatFacts): Node {
  const visitor = visitorOf(c);
  const isGoing = visitor !== undefined && use(c, Guests).isGoing(event, visitor);
  return h.section(
    h.class("going"),
    h.aria("label", "Who is going"),
    h.p(
      h.class("going-count"),
      h.strong(liveField("going"), facts.going),
      h.span(h.class("going-word"), " going", isGoing && ", you too"),
    ),
    (isGoing || seatsLeft(event) > 0) && h.form(
      h.method("post"),
      h.action(eventUrl(c, event)),
      csrfInput(c),
      h.either(
        isGoing,
        () => answer({ value: "no", label: "I cannot come" }, h.class("quiet")),
        () => answer({ value: "yes", label: "I am going" }),
      ),
    ),
  );
}

/** Marks what `public/live.js` keeps up to date. */
export function liveField(name: keyof SeatFacts): Node {
  return h.data("live-field", name);
}

function answer(
  { value, label }: { readonly value: string; readonly label: string },
  ...attributes: readonly Node[]
): Node {
  return h.button(h.type("submit"), h.name("going"), h.value(value), attributes, label);
}
