import { csrfInput, type Ctx, FieldErrors, type Node, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { categories } from "@/lib/categories.ts";
import type { CityEvent } from "@/lib/city_event.ts";
import { Desk } from "@/lib/event_desk.ts";
import { type EventInput, maxChars, photoRules, photoSize, textsOf } from "@/lib/event_form.ts";
import { deleteButton } from "./delete_event.ts";
import { cover } from "./event_card.ts";
import { eventUrl } from "./links.ts";

/** The form of an event, empty, filled or sent. */
export interface EventFormState {
  /** The messages; none before the form was sent. */
  readonly errors: FieldErrors;
  /** What a field holds. */
  text(field: string): string;
  /** Whether a good picture was sent, which a browser does not send again by itself. */
  readonly isPhotoLost: boolean;
}

/** What differs between a new event and one that is changed. */
export interface EventFormOptions {
  readonly heading: string;
  /** The URL that takes the form. */
  readonly action: string;
  /** The text of the button. */
  readonly submit: string;
  /** The event that is being changed. @default none */
  readonly event?: CityEvent;
}

// In the order of the form.
const labels = {
  title: "Title",
  category: "Category",
  summary: "Summary",
  story: "Story",
  venue: "Venue",
  starts: "Start",
  ends: "End",
  seats: "Number of seats",
  price: "Price",
  photo: "Picture",
} as const;

/** The id of what the answer to the form replaces: all of it, with the summary. */
const formId = "event-form";

/** The form before anything was typed. */
export const emptyForm: EventFormState = {
  errors: new FieldErrors(),
  text: () => "",
  isPhotoLost: false,
};

/** The form with what is known of an event. */
export function filledForm(event: CityEvent): EventFormState {
  const texts = textsOf(event);
  return { ...emptyForm, text: (field) => texts[field] ?? "" };
}

/** The form as it was sent, with the messages. */
export function sentForm({ bound, upload }: EventInput): EventFormState {
  return {
    errors: bound.errors,
    text: (field) => bound.text(field),
    isPhotoLost: upload !== undefined,
  };
}

/** The page with the form. */
export function eventForm(c: Ctx, state: EventFormState, options: EventFormOptions): Node {
  const { heading, action, submit, event } = options;
  return ui.stack(
    h.id(formId),
    ui.pageHeader(
      heading,
      h.p("A star marks what an event cannot do without."),
      event && eventLinks(c, event),
    ),
    ui.errorSummary(state.errors, labels),
    ui.form(
      ui.uploadTo(formId),
      // Without it a browser posts to its address with "#venue" and keeps that after the redirect.
      h.action(action),
      // The server words the messages: all of them, beside their fields, alike in every browser.
      h.novalidate(),
      csrfInput(c),
      part("What", whatFields(state)),
      part("Where and when", placeFields(c, state)),
      part("Seats and price", seatFields(state, event)),
      part("Cover", pictureFields(c, state, { event })),
      h.div(
        h.class("part-end"),
        ui.uploadBar(),
        ui.row(
          ui.submit(ui.large, submit),
          ui.buttonLink(c.href("/organize"), ui.ghost, ui.large, "Cancel"),
        ),
      ),
    ),
  );
}

function eventLinks(c: Ctx, event: CityEvent): Node {
  return h.fragment(
    ui.buttonLink(eventUrl(c, event), ui.outline, ui.icon("eye"), "See its page"),
    deleteButton(c, event),
  );
}

/** A group of fields under a name. */
function part(name: string, fields: Node): Node {
  return ui.fieldset(name, h.class("part"), h.div(h.class("part-fields"), fields));
}

/** A field with its control, its messages, and what to know before typing. */
function formField(
  { errors }: EventFormState,
  name: keyof typeof labels,
  { control, help }: { readonly control: Node; readonly help?: string },
): Node {
  const label = labels[name];
  const message = errors.get(name);
  return ui.field(name, label, control, help, ui.error(message && `${label} ${message}`));
}

/** A choice among several, none of which is made for the visitor. */
function choice(
  state: EventFormState,
  name: "category" | "venue",
  choices: readonly { readonly value: string; readonly label: string }[],
): Node {
  const options = [{ value: "", label: "Choose one" }, ...choices];
  return formField(state, name, {
    control: ui.select(
      h.name(name),
      h.required(),
      ui.selectOptions(options, state.text(name)),
    ),
  });
}

function whatFields(state: EventFormState): Node {
  const oneLine = (name: "title" | "summary"): Node =>
    ui.input(
      h.name(name),
      h.required(),
      h.maxlength(maxChars[name]),
      h.autocomplete("off"),
      h.value(state.text(name)),
    );
  return h.fragment(
    formField(state, "title", { control: oneLine("title") }),
    choice(state, "category", categories.map(({ id, label }) => ({ value: id, label }))),
    formField(state, "summary", {
      control: oneLine("summary"),
      help: "One sentence, for lists.",
    }),
    formField(state, "story", {
      control: ui.textarea(
        h.name("story"),
        h.required(),
        h.maxlength(maxChars.story),
        h.rows(7),
        state.text("story"),
      ),
      help: "For the event's own page. An empty line starts a new paragraph.",
    }),
  );
}

function placeFields(c: Ctx, state: EventFormState): Node {
  const venues = use(c, Desk).listVenues();
  const time = (name: "starts" | "ends"): Node =>
    formField(state, name, {
      control: ui.input(
        h.type("datetime-local"),
        h.name(name),
        h.required(),
        // Without a greatest date some browsers let people type years of six digits.
        h.max("9999-12-31T23:59"),
        h.value(state.text(name)),
      ),
      help: "Lisbon time.",
    });
  return h.fragment(
    choice(
      state,
      "venue",
      venues.map(({ slug, name, area }) => ({ value: slug, label: `${name}, ${area}` })),
    ),
    ui.grid(time("starts"), time("ends")),
  );
}

function seatFields(state: EventFormState, event: CityEvent | undefined): Node {
  const taken = event?.taken ?? 0;
  // Not of type "number": that hides what was typed when it is no number, and scrolls values away.
  const number = (name: "seats" | "price", ...attributes: readonly Node[]): Node =>
    ui.input(h.name(name), h.autocomplete("off"), h.value(state.text(name)), ...attributes);
  return ui.grid(
    formField(state, "seats", {
      control: number("seats", h.required(), h.inputmode("numeric")),
      help: taken === 0 ? "How many people have room." : `${taken} of them are taken.`,
    }),
    formField(state, "price", {
      control: number("price", h.inputmode("decimal")),
      help: "In euros; empty if it is free.",
    }),
  );
}

function pictureFields(
  c: Ctx,
  state: EventFormState,
  { event }: { readonly event: CityEvent | undefined },
): Node {
  return h.fragment(
    event && h.div(h.class("part-cover"), cover(c, event)),
    formField(state, "photo", {
      control: ui.fileInput(h.name("photo"), h.accept(photoRules.accept.join(","))),
      help: `JPEG, PNG or WebP, up to ${photoSize}. Without one a cover is drawn.`,
    }),
    state.isPhotoLost &&
      ui.alert(
        undefined,
        ui.warning,
        "Please choose the picture again: browsers do not keep it.",
      ),
    event?.photo && ui.checkbox(
      "removePhoto",
      "Remove the picture",
      h.name("removePhoto"),
      ui.checked(state.text("removePhoto") === "on"),
    ),
  );
}
