import { csrfInput, type Ctx, type Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { type CityEvent, seatsLeft } from "@/lib/city_event.ts";
import type { SeatFacts } from "@/lib/seats.ts";
import { pageWords } from "@/lib/page_words.ts";

/** Options of {@linkcode going}. */
export interface GoingOptions {
  /** Whether the visitor has a seat. */
  readonly isGoing: boolean;
  /** The id of the element that the response replaces. */
  readonly replaces: string;
}

/** Renders the number of guests and the button for a seat; both work without JavaScript. */
export function going(
  c: Ctx,
  event: CityEvent,
  { isGoing, replaces, going }: SeatFacts & GoingOptions,
): Node {
  const isFull = seatsLeft(event) === 0;
  return h.section(
    h.class("going"),
    h.aria("label", c.t(pageWords, "whoIsGoing")),
    h.p(
      h.class("going-count"),
      goingCount(going),
      h.span(h.class("going-word"), c.t(pageWords, "going"), isGoing && c.t(pageWords, "youToo")),
    ),
    (isGoing || !isFull) && h.form(
      h.method("post"),
      h.action(c.action(isGoing ? "leave" : "join")),
      ui.swap(replaces),
      // A released seat may be taken by someone else at once.
      isGoing && isFull &&
        ui.confirm(c.t(pageWords, "giveBack"), c.t(pageWords, "giveBackText")),
      csrfInput(c),
      h.either(
        isGoing,
        () => answer(ui.outline, c.t(pageWords, "cannotCome")),
        () => answer(ui.icon("check"), c.t(pageWords, "amGoing")),
      ),
    ),
    isGoing && h.form(
      h.class("going-mail"),
      h.method("post"),
      h.action(c.action("remind")),
      ui.swap(replaces),
      csrfInput(c),
      ui.field(
        "email",
        c.t(pageWords, "mailMe"),
        ui.input(
          h.type("email"),
          h.name("email"),
          h.required(),
          h.maxlength(200),
          h.autocomplete("email"),
        ),
      ),
      ui.submit(ui.outline, c.t(pageWords, "remindMe")),
    ),
  );
}

/** Renders the number of guests; the event's stream updates it. */
export function goingCount(going: number): Node {
  return h.strong(h.id("seats-going"), going);
}

/** Renders the number of free seats; the event's stream updates it. */
export function seatsLeftText(left: string): Node {
  return h.span(h.id("seats-left"), left);
}

/**
 * Renders the button. Both buttons have one id, which keeps the focus when one replaces the other.
 */
function answer(...children: readonly (Node | string)[]): Node {
  return ui.submit(ui.large, h.id("answer"), ...children);
}
