import type { Bound, Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { categories } from "@/lib/categories.ts";
import type { CityEvent } from "@/lib/city_event.ts";
import { deskWords } from "@/lib/desk_words.ts";
import type { VenueChoice } from "@/lib/events/desk.ts";
import { EventForm, photoRules, textsOf } from "@/lib/events/form.ts";
import { categoryText } from "@/lib/messages.ts";
import { cover } from "./event_card.ts";
import { deleteButton } from "./delete_event.ts";
import { eventUrl } from "./links.ts";

/** The differences between the forms for a new and a changed event. */
export interface EventFormOptions {
  readonly heading: string;
  /** The URL to which the form is submitted. */
  readonly action: string;
  /** The text of the button. */
  readonly submit: string;
  /** The venues to choose from. */
  readonly venues: readonly VenueChoice[];
  /** The event being changed. @default none */
  readonly event?: CityEvent;
  /** The submitted form with its errors. @default the values of the event */
  readonly sent?: Bound<EventForm> | undefined;
}

/** The id of the form with its heading, which the response replaces. */
const formId = "event-form";

/** Renders the page with the form. */
export function eventForm(c: Ctx, options: EventFormOptions): Node {
  const { heading, action, submit, event, sent, venues } = options;
  return ui.stack(
    h.id(formId),
    ui.pageHeader(heading, h.p(c.t(deskWords, "needed")), event && eventLinks(c, event)),
    ui.form(
      c,
      EventForm,
      {
        values: sent ?? (event && textsOf(event)),
        labels: (name) => c.t(deskWords, name),
        help: helpOf(c, event),
        files: { photo: photoRules },
        fields: fieldsOf(c, venues),
        except: event?.photo === undefined ? ["removePhoto"] : [],
        layout: (field) => [
          ui.formSection(
            c.t(deskWords, "what"),
            c.t(deskWords, "whatHelp"),
            field("title", "category", "summary", "story"),
          ),
          ui.formSection(
            c.t(deskWords, "whereWhen"),
            c.t(deskWords, "whereWhenHelp"),
            field("venue", "starts", "ends"),
          ),
          ui.formSection(
            c.t(deskWords, "seatsPrice"),
            c.t(deskWords, "seatsPriceHelp"),
            ui.grid(field("seats"), field("price")),
          ),
          ui.formSection(
            c.t(deskWords, "cover"),
            c.t(deskWords, "coverHelp"),
            event && h.div(h.class("part-cover"), cover(c, event)),
            field("photo", "removePhoto"),
          ),
        ],
        // Without it, a browser would submit to its URL with "#venue" and keep that after the
        // redirect.
        action,
        submit: false,
      },
      ui.uploadTo(formId),
      // The server validates, so that all messages appear at once and alike in every browser.
      h.novalidate(),
      ui.uploadBar(),
      ui.formFooter(
        ui.buttonLink(c.href("/organize"), ui.outline, c.t(deskWords, "cancel")),
        ui.submit(submit),
      ),
    ),
  );
}

function eventLinks(c: Ctx, event: CityEvent): Node {
  return h.fragment(
    ui.buttonLink(eventUrl(c, event), ui.outline, ui.icon("eye"), c.t(deskWords, "seePage")),
    deleteButton(c, event),
  );
}

type EventFormFields = ui.FormOptions<EventForm, "photo">;

function helpOf(c: Ctx, event: CityEvent | undefined): NonNullable<EventFormFields["help"]> {
  const count = event?.taken ?? 0;
  return {
    summary: c.t(deskWords, "summaryHelp"),
    story: c.t(deskWords, "storyHelp"),
    seats: count === 0 ? c.t(deskWords, "seatsHelp") : c.t(deskWords, "takenHelp", { count }),
    price: c.t(deskWords, "priceHelp"),
    photo: c.t(deskWords, "pictureHelp"),
  };
}

function fieldsOf(
  c: Ctx,
  venues: readonly VenueChoice[],
): NonNullable<EventFormFields["fields"]> {
  const plain = h.autocomplete("off");
  return {
    title: { attributes: plain },
    category: { choices: categories.map(({ id }) => ({ value: id, label: categoryText(c, id) })) },
    summary: { attributes: plain },
    story: { attributes: h.rows(7) },
    venue: {
      choices: venues.map(({ slug, name, area }) => ({ value: slug, label: `${name}, ${area}` })),
    },
    starts: { type: "datetime-local" },
    ends: { type: "datetime-local" },
    // Not of type "number", which hides invalid input and changes the value on scrolling.
    seats: { type: "text", attributes: [plain, h.inputmode("numeric")] },
    price: { type: "text", prefix: "€", attributes: [plain, h.inputmode("decimal")] },
    photo: { type: "dropzone" },
  };
}
