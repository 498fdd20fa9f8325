import { catalog } from "@fw/fw/i18n";

/** The labels of the fields. */
export const eventLabels = catalog({
  en: {
    title: "Title",
    seats: "Seats",
  },
});

/** The texts of the pages. */
export const eventMessages = catalog({
  en: {
    title: "Events",
    row: "Event",
    new: "New event",
    search: "Search events",
    about: "All events, the newest first.",
    empty: "No events yet",
    begin: "The first one takes a minute.",
    count: { one: "1 event", other: "{count} events" },
    many: "More than {most} events",
    editTitle: "Edit event",
    basics: "Basics",
    basicsHelp: "How people find and recognise the event.",
    facts: "Facts",
    factsHelp: "Lists are filtered and sorted by these values.",
    deleteTitle: "Delete “{title}”?",
    created: "The event was created.",
    changed: "The event was changed.",
    deleted: "The event was deleted.",
    inUse: "The event is still in use.",
  },
});
