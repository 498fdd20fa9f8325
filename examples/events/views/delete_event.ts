import { csrfInput, type Ctx, type Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import type { CityEvent } from "@/lib/city_event.ts";
import { deskWords } from "@/lib/desk_words.ts";
import { textsOf } from "@/lib/events/texts.ts";

/** Returns the consequences of deleting an event, for the confirmation. */
export function deleteConsequence(c: Ctx, { taken, photo }: CityEvent): string {
  const what = c.t(deskWords, photo === undefined ? "pageGoes" : "bothGo");
  const who = taken === 0 ? c.t(deskWords, "nobody") : c.t(deskWords, "holders", { count: taken });
  return `${what} ${who}`;
}

/**
 * Renders the form that deletes an event.
 *
 * @param keep The button or link that cancels.
 */
export function deleteForm(c: Ctx, { slug }: CityEvent, keep: Node): Node {
  return h.form(
    h.method("post"),
    h.action(c.href("/organize/events/{slug}/delete", { slug })),
    csrfInput(c),
    ui.row(
      keep,
      ui.submit(ui.destructive, ui.icon("trash"), c.t(deskWords, "deleteForGood")),
    ),
  );
}

/** Renders the button that opens a dialog or, without JavaScript, the confirmation page. */
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
      c.t(deskWords, "deleteIt"),
    ),
    h.noscript(
      ui.buttonLink(
        c.href("/organize/events/{slug}/delete", { slug }),
        ui.destructive,
        ui.outline,
        ui.icon("trash"),
        c.t(deskWords, "deleteIt"),
      ),
    ),
    ui.dialog(
      id,
      c.t(deskWords, "question"),
      h.p(h.strong(textsOf(c, event).title), h.br(), deleteConsequence(c, event)),
      deleteForm(c, event, ui.dialogClose(id, ui.outline, h.autofocus(), c.t(deskWords, "keep"))),
    ),
  );
}
