// deno-lint-ignore-file explicit-function-return-type explicit-module-boundary-types -- plain JavaScript
// Plain JavaScript, since the servers on Node read it as well.

/** What every JSON server sends. */
export const payload = {
  id: 42,
  title: "An evening of short talks",
  city: "Lisboa",
  seats: 120,
  tags: ["talks", "evening", "free"],
};

/** @param {number} count */
function makeEvents(count) {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    title: `Event ${index + 1}: talks & "tea"`,
    city: ["Lisboa", "Porto", "Faro"][index % 3] ?? "Lisboa",
    seats: 20 + (index * 7) % 90,
    isFull: index % 5 === 0,
  }));
}

/** The rows of a page of 2 KB and of one of 60 KB. */
export const pages = { small: makeEvents(10), large: makeEvents(360) };

/** The port that the bench chose. */
export const port = Number(process.env["PORT"]);

/** @param {string} text */
function escape(text) {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/**
 * The page as a template literal, for the servers that bring no HTML of their own.
 *
 * @param {typeof pages.small} events
 */
export function pageText(events) {
  const rows = events.map((event) =>
    `<tr class="row${event.isFull ? " full" : ""}"><td><a href="/events/${event.id}">${
      escape(event.title)
    }</a></td><td>${escape(event.city)}</td><td>${event.seats}</td></tr>`
  ).join("");
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Events</title>` +
    `<link rel="stylesheet" href="/style.css"></head><body><header><a href="/">Events</a></header>` +
    `<main><h1>Events</h1><table><thead><tr><th>Title</th><th>City</th><th>Seats</th></tr></thead>` +
    `<tbody>${rows}</tbody></table></main></body></html>`;
}
