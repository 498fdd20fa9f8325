import { csrfInput, type Ctx, FieldErrors, type Node, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { categories } from "@/lib/categories.ts";
import type { CityEvent } from "@/lib/city_event.ts";
import { Desk } from "@/lib/events/desk.ts";
import { type EventInput, maxChars, photoRules, photoSize, textsOf } from "@/lib/events/form.ts";
import { deleteButton } from "./delete_event.ts";
import { cover } from "./event_card.ts";
import { eventUrl } from "./links.ts";
import { deskWords } from "@/lib/desk_words.ts";
import { categoryText } from "@/lib/messages.ts";

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
const names = {
  title: "title",
  category: "category",
  summary: "summary",
  story: "story",
  venue: "venue",
  starts: "start",
  ends: "end",
  seats: "seats",
  price: "price",
  photo: "picture",
} as const;

type Field = keyof typeof names;

function labelsOf(c: Ctx): Record<string, string> {
  return Object.fromEntries(
    Object.entries(names).map(([field, key]) => [field, c.t(deskWords, key)]),
  );
}

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
      h.p(c.t(deskWords, "star")),
      event && eventLinks(c, event),
    ),
    ui.errorSummary(state.errors, labelsOf(c)),
    ui.form(
      ui.uploadTo(formId),
      // Without it a browser posts to its address with "#venue" and keeps that after the redirect.
      h.action(action),
      // The server words the messages: all of them, beside their fields, alike in every browser.
      h.novalidate(),
      csrfInput(c),
      part(c.t(deskWords, "what"), whatFields(c, state)),
      part(c.t(deskWords, "whereWhen"), placeFields(c, state)),
      part(c.t(deskWords, "seatsPrice"), seatFields(c, state, event)),
      part(c.t(deskWords, "cover"), pictureFields(c, state, { event })),
      h.div(
        h.class("part-end"),
        ui.uploadBar(),
        ui.row(
          ui.submit(ui.large, submit),
          ui.buttonLink(c.href("/organize"), ui.ghost, ui.large, c.t(deskWords, "cancel")),
        ),
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

/** A group of fields under a name. */
function part(name: string, fields: Node): Node {
  return ui.fieldset(name, h.class("part"), h.div(h.class("part-fields"), fields));
}

/** A field with its control, its messages, and what to know before typing. */
function formField(
  c: Ctx,
  { errors }: EventFormState,
  name: Field,
  { control, help }: { readonly control: Node; readonly help?: string },
): Node {
  const label = c.t(deskWords, names[name]);
  const message = errors.get(name);
  return ui.field(name, label, control, help, ui.error(message && `${label} ${message}`));
}

/** A choice among several, none of which is made for the visitor. */
function choice(
  c: Ctx,
  state: EventFormState,
  name: "category" | "venue",
  choices: readonly { readonly value: string; readonly label: string }[],
): Node {
  const options = [{ value: "", label: c.t(deskWords, "choose") }, ...choices];
  return formField(c, state, name, {
    control: ui.select(
      h.name(name),
      h.required(),
      ui.selectOptions(options, state.text(name)),
    ),
  });
}

function whatFields(c: Ctx, state: EventFormState): Node {
  const oneLine = (name: "title" | "summary"): Node =>
    ui.input(
      h.name(name),
      h.required(),
      h.maxlength(maxChars[name]),
      h.autocomplete("off"),
      h.value(state.text(name)),
    );
  return h.fragment(
    formField(c, state, "title", { control: oneLine("title") }),
    choice(
      c,
      state,
      "category",
      categories.map(({ id }) => ({ value: id, label: categoryText(c, id) })),
    ),
    formField(c, state, "summary", {
      control: oneLine("summary"),
      help: c.t(deskWords, "summaryHelp"),
    }),
    formField(c, state, "story", {
      control: ui.textarea(
        h.name("story"),
        h.required(),
        h.maxlength(maxChars.story),
        h.rows(7),
        state.text("story"),
      ),
      help: c.t(deskWords, "storyHelp"),
    }),
  );
}

function placeFields(c: Ctx, state: EventFormState): Node {
  const venues = use(c, Desk).listVenues();
  const time = (name: "starts" | "ends"): Node =>
    formField(c, state, name, {
      control: ui.input(
        h.type("datetime-local"),
        h.name(name),
        h.required(),
        // Without a greatest date some browsers let people type years of six digits.
        h.max("9999-12-31T23:59"),
        h.value(state.text(name)),
      ),
      help: c.t(deskWords, "timeHelp"),
    });
  return h.fragment(
    choice(
      c,
      state,
      "venue",
      venues.map(({ slug, name, area }) => ({ value: slug, label: `${name}, ${area}` })),
    ),
    ui.grid(time("starts"), time("ends")),
  );
}

function seatFields(c: Ctx, state: EventFormState, event: CityEvent | undefined): Node {
  const taken = event?.taken ?? 0;
  // Not of type "number": that hides what was typed when it is no number, and scrolls values away.
  const number = (name: "seats" | "price", ...attributes: readonly Node[]): Node =>
    ui.input(h.name(name), h.autocomplete("off"), h.value(state.text(name)), ...attributes);
  return ui.grid(
    formField(c, state, "seats", {
      control: number("seats", h.required(), h.inputmode("numeric")),
      help: taken === 0
        ? c.t(deskWords, "seatsHelp")
        : c.t(deskWords, "takenHelp", { count: taken }),
    }),
    formField(c, state, "price", {
      control: number("price", h.inputmode("decimal")),
      help: c.t(deskWords, "priceHelp"),
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
    formField(c, state, "photo", {
      control: ui.fileInput(h.name("photo"), h.accept(photoRules.accept.join(","))),
      help: c.t(deskWords, "pictureHelp", { size: photoSize }),
    }),
    state.isPhotoLost &&
      ui.alert(
        undefined,
        ui.warning,
        c.t(deskWords, "pictureLost"),
      ),
    event?.photo && ui.checkbox(
      "removePhoto",
      c.t(deskWords, "removePicture"),
      h.name("removePhoto"),
      ui.checked(state.text("removePhoto") === "on"),
    ),
  );
}
