/**
 * Values of example rows, derived from the number of the row and so the same in each run.
 *
 * @module
 */
import { crc32, deflateSync } from "node:zlib";

const given = "Ada Grace Inês Jun Kofi Leila Mateus Nora Omar Sofia Tomás".split(" ");
const family = "Almeida Berg Costa Duarte Eriksen Farah Ito Lovelace Mensah Novak".split(" ");
const streets = "Harbour Garden Mill Station Church River Market".split(" ");
const kinds = "Quiet Amber Northern Woven Early Copper Plain Hand-made Second Open".split(" ");
const things = "harbour lamp notebook garden kettle letter bridge blanket table river map".split(
  " ",
);
const sentences = [
  "Made by hand, in small numbers.",
  "It keeps well.",
  "Please ask before Friday.",
  "The second one is on its way.",
  "It needs another look.",
  "Everyone liked it.",
];

/** Returns an item of a list. */
export function pick<const T>(list: readonly T[], at: number): T {
  const found = list[at % list.length];
  if (found === undefined) throw new RangeError("Cannot pick from an empty list.");
  return found;
}

/** Returns one of some choices, in a mixed order. */
export function choose<const T>(choices: readonly T[], at: number): T {
  return pick(choices, (at * 7919) % 101);
}

export function person(at: number): string {
  return `${pick(given, at)} ${pick(family, at * 3)}`;
}

/** Returns a function that picks a word of a list for each row, `step` words apart. */
function words(list: string, step: number): (at: number) => string {
  return (at) => pick(list.split(" "), at * step);
}

export const city = words("Lisboa Porto Bergen Accra Kyoto Recife Gdańsk Coimbra Malmö", 5);
export const country = words("Portugal Norway Ghana Japan Brazil Poland Canada Sweden Kenya", 5);
export const brand = words("Lumen Oreka Tidewell Marlo Fennick Solvik Pando", 3);
export const color = words("Black White Blue Green Sand Red Grey", 5);

/** Returns a street with a number. */
export function street(at: number): string {
  return `${1 + at * 7 % 90} ${pick(streets, at * 3)} Street`;
}

export function postcode(at: number): string {
  return `${1_000 + at * 379 % 9_000}-${100 + at * 61 % 900}`;
}

/** Returns a fictional phone number. */
export function phone(at: number): string {
  return `+1 202 555 01${String(at % 100).padStart(2, "0")}`;
}

export function company(at: number): string {
  return `${pick(family, at)} & ${pick(family, at * 3 + 1)}`;
}

export function thing(at: number): string {
  return `${pick(kinds, at)} ${pick(things, at * 3)}`;
}

/** Returns a code, such as the number of an order. */
export function code(at: number): string {
  return `A-${1_001 + at}`;
}

/** Returns a unique text: a text that an earlier row has gets a number. */
export function unique(text: (at: number) => string, at: number): string {
  const own = text(at);
  const isTaken = Array.from({ length: at }, (_, before) => text(before)).includes(own);
  return isTaken ? `${own} ${at + 1}` : own;
}

export function prose(at: number): string {
  return `${pick(sentences, at)} ${pick(sentences, at * 5 + 3)}`;
}

/** Returns a unique email address. */
export function mail(at: number): string {
  return `${pick(given, at)}.${at}@example.org`.normalize("NFD").replace(/[^\w.@]/g, "")
    .toLowerCase();
}

/** Returns a unique URL. */
export function url(at: number): string {
  return `https://example.org/${at + 1}`;
}

export function number(
  at: number,
  range: { readonly min: number; readonly count: number },
): number {
  return range.min + (at * 7919 + at * at * 131) % range.count;
}

/** The row of a date, the number of rows, and the position among the row's dates, from 0. */
interface Place {
  readonly at: number;
  readonly count: number;
  readonly step: number;
}

const dayMs = 86_400_000;

/** Returns the age of a row in days, as in its `added_at`; the newest row is of today. */
function age({ at, count }: Place): number {
  return Math.round(104 * (1 - (at + 1) / count) ** 2);
}

/** Returns an instant: a few days before the row was added at step 0, later at each step. */
export function instant(place: Place): Date {
  const { at, step } = place;
  let days = -(at % 4) - age(place);
  for (let each = 1; each <= step; each++) days += 4 + (at * (5 + 2 * each)) % 15;
  const hours = 9 + (at + 3 * step) % 9;
  return new Date(Math.floor(Date.now() / dayMs + days) * dayMs + hours * 3_600_000);
}

/** Returns the day of {@linkcode instant}. */
export function day(place: Place): string {
  return dayText(instant(place));
}

/** Returns a day between two days. */
export function dayBetween(at: number, from: string, to: string): string {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  return dayText(new Date(first + (at * 37 * dayMs) % (last - first + dayMs)));
}

/** Returns the birthday of a person. */
export function birthday(at: number): string {
  return dayBetween(at * 173, "1958-01-01", "2004-12-31");
}

function dayText(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/** RGB colours of the background, the table, and the two sides of the thing. */
const palettes = [
  "e9dfd0 dccbb5 c96f4a b4532f",
  "dde7e2 cad8d0 4f937f 2f6f5e",
  "dfe6ee cbd6e2 5b7fa8 35577d",
  "eee0dc e2ccc5 b0647f 8a3d5c",
  "ece8d6 ddd6b8 b39a3c 8a7420",
];

const shapes: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => x * x + y * y < 22_500,
  (x, y) => Math.abs(x) < 112 && Math.abs(y) < 150,
  (x, y) => Math.abs(x) < 90 + (y + 150) * 0.3 && Math.abs(y) < 150,
];

/** Returns a picture of a thing on a table, as an upload. */
export function picture(at: number): {
  readonly name: string;
  readonly mime: string;
  readonly bytes: () => Promise<Uint8Array<ArrayBuffer>>;
} {
  const [width, height] = [720, 480];
  const isInside = pick(shapes, at);
  const pixels = new Uint8Array((width + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const color = isInside(x - 360, y - 250) ? (x < 360 ? 2 : 3) : y > 360 ? 1 : 0;
      // The first byte of a line is its filter, 0 for none.
      pixels[y * (width + 1) + x + 1] = color;
    }
  }
  const size = [0, 0, width >> 8, width & 255, 0, 0, height >> 8, height & 255];
  const bytes = Uint8Array.from([
    ...[137, 80, 78, 71, 13, 10, 26, 10],
    ...chunk("IHDR", [...size, 8, 3, 0, 0, 0]),
    ...chunk("PLTE", Uint8Array.fromHex(pick(palettes, at * 3).replaceAll(" ", ""))),
    ...chunk("IDAT", deflateSync(pixels)),
    ...chunk("IEND", []),
  ]);
  return { name: `${thing(at)}.png`, mime: "image/png", bytes: () => Promise.resolve(bytes) };
}

/** Returns a chunk of a PNG with its length and checksum. */
function chunk(type: string, data: Iterable<number>): Uint8Array {
  const body = Uint8Array.from([...new TextEncoder().encode(type), ...data]);
  const part = new DataView(new ArrayBuffer(body.length + 8));
  part.setUint32(0, body.length - 4);
  new Uint8Array(part.buffer).set(body, 4);
  part.setUint32(body.length + 4, crc32(body));
  return new Uint8Array(part.buffer);
}
