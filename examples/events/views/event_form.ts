import { csrfInput, type Ctx, FieldErrors, type Node, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import { categories } from "@/lib/categories.ts";
import type { CityEvent } from "@/lib/city_event.ts";
import { Desk } from "@/lib/event_desk.ts";
import { type EventInput, maxChars, photoRules, photoSize, textsOf } from "@/lib/event_form.ts";
import { cover } from "./event_card.ts";
import {
  choiceField,
  errorSummary,
  formField,
  type FormState,
  inputField,
  textField,
} from "./form_field.ts";
import { eventUrl } from "./links.ts";

/** The form of an event, empty, filled or sent. */
export interface EventFormState extends FormState {
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

/** The title of the page, which says first that something is wrong. */
export function formTitle(title: string, { errors }: FormState): string {
  return errors.any() ? `Not saved: ${title}` : title;
}

/** The page with the form. */
export function eventForm(c: Ctx, state: EventFormState, options: EventFormOptions): Node {
  const { heading, action, submit, event } = options;
  return h.fragment(
    h.header(h.class("desk-head"), h.h1(heading), event && eventLinks(c, event)),
    errorSummary(state, labels),
    h.form(
      h.class("form"),
      h.method("post"),
      // Without it a browser posts to its address with "#venue" and keeps that after the redirect.
      h.action(action),
      h.enctype("multipart/form-data"),
      // The server words the messages: all of them, beside their fields, alike in every browser.
      h.novalidate(),
      csrfInput(c),
      part("What", whatFields(state)),
      part("Where and when", placeFields(c, state)),
      part("Seats and price", seatFields(state, event)),
      part("Cover", pictureFields(c, state, { event })),
      h.div(
        h.class("form-end"),
        h.button(h.type("submit"), submit),
        h.a(h.href(c.href("/organize")), "Cancel"),
      ),
    ),
  );
}

function eventLinks(c: Ctx, event: CityEvent): Node {
  const { slug } = event;
  return h.p(
    h.class("desk-links"),
    h.a(h.href(eventUrl(c, event)), "See its page"),
    h.a(h.href(c.href("/organize/events/{slug}/delete", { slug })), "Delete it"),
  );
}

/** A group of fields under a name. */
function part(name: string, fields: Node): Node {
  const id = `part-${name.toLowerCase().replaceAll(" ", "-")}`;
  return h.section(
    h.class("part"),
    h.attr("role", "group"),
    h.aria("labelledby", id),
    h.h2(h.id(id), name),
    h.div(h.class("part-fields"), fields),
  );
}

function whatFields(state: FormState): Node {
  return h.fragment(
    inputField(
      state,
      { name: "title", label: labels.title },
      h.maxlength(maxChars.title),
      h.autocomplete("off"),
    ),
    choiceField(state, {
      name: "category",
      label: labels.category,
      choices: categories.map(({ id, label }) => ({ value: id, label })),
    }),
    inputField(
      state,
      { name: "summary", label: labels.summary, hint: "One sentence, for lists." },
      h.maxlength(maxChars.summary),
      h.autocomplete("off"),
    ),
    textField(
      state,
      {
        name: "story",
        label: labels.story,
        hint: "For the event's own page. An empty line starts a new paragraph.",
      },
      h.maxlength(maxChars.story),
      h.rows(7),
    ),
  );
}

function placeFields(c: Ctx, state: FormState): Node {
  const venues = use(c, Desk).listVenues();
  // Without a greatest date some browsers let people type years of six digits.
  const time = h.group(h.type("datetime-local"), h.max("9999-12-31T23:59"));
  const hint = "Lisbon time.";
  return h.fragment(
    choiceField(state, {
      name: "venue",
      label: labels.venue,
      choices: venues.map(({ slug, name, area }) => ({ value: slug, label: `${name}, ${area}` })),
    }),
    h.div(
      h.class("field-row"),
      inputField(state, { name: "starts", label: labels.starts, hint }, time),
      inputField(state, { name: "ends", label: labels.ends, hint }, time),
    ),
  );
}

function seatFields(state: FormState, event: CityEvent | undefined): Node {
  const taken = event?.taken ?? 0;
  // Not of type "number": that hides what was typed when it is no number, and scrolls values away.
  return h.div(
    h.class("field-row"),
    inputField(
      state,
      {
        name: "seats",
        label: labels.seats,
        hint: taken === 0 ? "How many people have room." : `${taken} of them are taken.`,
      },
      h.inputmode("numeric"),
      h.autocomplete("off"),
    ),
    inputField(
      state,
      {
        name: "price",
        label: labels.price,
        hint: "In euros; empty if it is free.",
        isOptional: true,
      },
      h.inputmode("decimal"),
      h.autocomplete("off"),
    ),
  );
}

function pictureFields(
  c: Ctx,
  state: EventFormState,
  { event }: { readonly event: CityEvent | undefined },
): Node {
  return h.fragment(
    event && h.div(h.class("field-cover"), cover(c, event)),
    formField(state, {
      name: "photo",
      label: labels.photo,
      hint: `JPEG, PNG or WebP, up to ${photoSize}. Without one a cover is drawn.`,
      isOptional: true,
      control: (joined) => h.input(joined, h.type("file"), h.accept(photoRules.accept.join(","))),
    }),
    state.isPhotoLost &&
      h.p(h.class("note"), "Please choose the picture again: browsers do not keep it."),
    event?.photo && removeBox(state),
  );
}

function removeBox(state: FormState): Node {
  return h.label(
    h.class("check"),
    h.input(
      h.type("checkbox"),
      h.name("removePhoto"),
      h.checked(state.text("removePhoto") === "on"),
    ),
    "Remove the picture",
  );
}
