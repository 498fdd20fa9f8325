/**
 * Values of example rows: the same at each run, spread over the rows by their numbers.
 *
 * @module
 */

const given = [
  "Ada",
  "Grace",
  "Inês",
  "Jun",
  "Kofi",
  "Leila",
  "Mateus",
  "Nora",
  "Omar",
  "Sofia",
  "Tomás",
];
const family = [
  "Almeida",
  "Berg",
  "Costa",
  "Duarte",
  "Eriksen",
  "Farah",
  "Ito",
  "Lovelace",
  "Mensah",
  "Novak",
];
const cities = [
  "Lisboa",
  "Porto",
  "Bergen",
  "Accra",
  "Kyoto",
  "Recife",
  "Gdańsk",
  "Coimbra",
  "Malmö",
];
const kinds = [
  "Quiet",
  "Amber",
  "Northern",
  "Woven",
  "Early",
  "Copper",
  "Plain",
  "Hand-made",
  "Second",
  "Open",
];
const things = [
  "harbour",
  "lamp",
  "notebook",
  "garden",
  "kettle",
  "letter",
  "bridge",
  "blanket",
  "table",
  "river",
  "map",
];
const sentences = [
  "It was made with care.",
  "It keeps well.",
  "Ask before Friday.",
  "There are two of it.",
  "It needs another look.",
  "Everyone liked it.",
];

/** Returns one of a list. */
export function pick<const T>(list: readonly T[], at: number): T {
  const found = list[at % list.length];
  if (found === undefined) throw new RangeError("Cannot pick from an empty list.");
  return found;
}

/** Returns one of some choices, not in their order. */
export function choose<const T>(choices: readonly T[], at: number): T {
  return pick(choices, (at * 7919) % 101);
}

/** Returns a name of a person. */
export function person(at: number): string {
  return `${pick(given, at)} ${pick(family, at * 3)}`;
}

/** Returns a name of a place. */
export function city(at: number): string {
  return pick(cities, at * 5);
}

/** Returns a name of a thing. */
export function thing(at: number): string {
  return `${pick(kinds, at)} ${pick(things, at * 3)}`;
}

/** Returns a text that no other row has: one that a row before has gets a number. */
export function unique(text: (at: number) => string, at: number): string {
  const own = text(at);
  const isTaken = Array.from({ length: at }, (_, before) => text(before)).includes(own);
  return isTaken ? `${own} ${at + 1}` : own;
}

/** Returns some sentences. */
export function prose(at: number): string {
  return `${pick(sentences, at)} ${pick(sentences, at * 5 + 3)}`;
}

/** Returns an address of mail that no other row has. */
export function mail(at: number): string {
  return `${pick(given, at)}.${at}@example.org`.normalize("NFD").replace(/[^\w.@]/g, "")
    .toLowerCase();
}

/** Returns an address of a page that no other row has. */
export function url(at: number): string {
  return `https://example.org/${at + 1}`;
}

/** Returns a whole number from a range. */
export function number(
  at: number,
  range: { readonly min: number; readonly count: number },
): number {
  return range.min + (at * 7919) % range.count;
}

/** Returns an instant of 2026. */
export function instant(at: number): Date {
  return new Date(Date.UTC(2026, 0, 1 + (at * 37) % 360, 9 + (at % 9)));
}

/** Returns a day of 2026. */
export function day(at: number): string {
  return instant(at).toISOString().slice(0, 10);
}
