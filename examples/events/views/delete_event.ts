import { csrfInput, type Ctx, type Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import type { CityEvent } from "@/lib/city_event.ts";
import { formatCount } from "@/lib/format.ts";

/** What is asked before an event is deleted, on the page that asks and in the dialog. */
export const deleteQuestion = "Delete this event?";

/** What it means to delete an event, for who decides. */
export function deleteConsequence({ taken, photo }: CityEvent): string {
  const what = photo === undefined ? "Its page goes" : "Its page and its picture go";
  const who = taken === 0
    ? "Nobody has taken a seat yet."
    : `${formatCount(taken, "seat")} ${
      taken === 1 ? "is" : "are"
    } taken, and nobody who holds one is told.`;
  return `${what} away at once and cannot be brought back. ${who}`;
}

/**
 * The form that deletes an event.
 *
 * @param keep The button or link for who decides against it.
 */
export function deleteForm(c: Ctx, { slug }: CityEvent, keep: Node): Node {
  return h.form(
    h.method("post"),
    h.action(c.href("/organize/events/{slug}/delete", { slug })),
    csrfInput(c),
    ui.row(
      ui.submit(ui.destructive, ui.icon("trash"), "Delete it for good"),
      keep,
    ),
  );
}

/** The button that asks in a dialog; without a script a link to the page that asks. */
export function deleteButton(c: Ctx, event: CityEvent): Node {
  const { slug } = event;
  const id = "delete-event";
  return h.fragment(
    ui.dialogOpen(
      id,
      ui.destructive,
      ui.outline,
      h.class("scripted"),
      ui.icon("trash"),
      "Delete it",
    ),
    h.noscript(
      ui.buttonLink(
        c.href("/organize/events/{slug}/delete", { slug }),
        ui.destructive,
        ui.outline,
        ui.icon("trash"),
        "Delete it",
      ),
    ),
    ui.dialog(
      id,
      deleteQuestion,
      h.p(h.strong(event.title), h.br(), deleteConsequence(event)),
      deleteForm(c, event, ui.dialogClose(id, ui.outline, h.autofocus(), "Keep it")),
    ),
  );
}
