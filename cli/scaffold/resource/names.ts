import { UsageError } from "../../stop.ts";

export interface ResourceNames {
  /** The URL and the folder: `book-loans`. */
  readonly url: string;
  /** The table and the file: `book_loans`. */
  readonly table: string;
  /** The file of a single row: `book_loan`. */
  readonly file: string;
  /** The prefix of types: `BookLoan`. */
  readonly type: string;
  /** The prefix of functions: `bookLoan`. */
  readonly one: string;
  /** The key: `BookLoans`. */
  readonly many: string;
  /** Singular and plural in a sentence: `book loan` and `book loans`. */
  readonly words: readonly [one: string, many: string];
  /** Singular with its article: `a book loan`, `an event`. */
  readonly aOne: string;
}

const namePattern = /^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/;

/** Names of devices on Windows, which no file can have there, with or without an extension. */
export const deviceName: RegExp = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/i;

/** Reports whether no folder with routes can have the name. */
export function isReservedFolder(name: string): boolean {
  return name.toLowerCase() === "testdata" || deviceName.test(name);
}

const reservedTable = /^(?:sqlite|fw)(?:_.*)?$/;

/** Names that the files of a resource import, and globals that they use. */
const takenNames: ReadonlySet<string> = new Set(
  `Application BigInt Bound Choice Condition Ctx Database Date Db Deno FieldErrors Infer
    JsonResponse Kind KindAPI Math Node Number Page Parameters Partial Promise Record Readonly
    Response Result Stored String TableStore Uint8Array Upload`
    .split(/\s+/),
);

const irregular: ReadonlyMap<string, string> = new Map(
  ("aliases alias, analyses analysis, bonuses bonus, buses bus, calories calorie, campuses campus, " +
    "canvases canvas, children child, cookies cookie, halves half, heroes hero, indices index, " +
    "knives knife, leaves leaf, matrices matrix, men man, mice mouse, movies movie, people person, " +
    "potatoes potato, quizzes quiz, shelves shelf, statuses status, ties tie, tomatoes tomato, " +
    "viruses virus, women woman").split(", ").map((pair) => pair.split(" ") as [string, string]),
);

/** @throws {UsageError} for a name that is malformed, reserved, or not a known plural. */
export function nameResource(plural: string, singular?: string): ResourceNames {
  const refuse = (kind: "syntax" | "reserved" | "singular", name: string): never => {
    throw new UsageError(({ resource }) => resource.name[kind](name));
  };
  if (!isName(plural)) refuse("syntax", plural);
  if (singular !== undefined && !isName(singular)) refuse("syntax", singular);
  const parts = plural.split(/[-_]/);
  const last = parts.at(-1) ?? "";
  const one = singular === undefined ? singularOf(last) : undefined;
  if (singular === undefined && one === undefined) refuse("singular", plural);
  const oneParts = singular === undefined
    ? [...parts.slice(0, -1), one ?? ""]
    : singular.split(/[-_]/);
  const names: ResourceNames = {
    url: parts.join("-"),
    table: parts.join("_"),
    file: oneParts.join("_"),
    type: pascal(oneParts),
    one: lowered(pascal(oneParts)),
    many: pascal(parts),
    words: [oneParts.join(" "), parts.join(" ")],
    aOne: `${/^[aeio]/.test(oneParts.join(" ")) ? "an" : "a"} ${oneParts.join(" ")}`,
  };
  const isReserved = isReservedFolder(names.table) || reservedTable.test(names.table) ||
    takenNames.has(names.many) ||
    takenNames.has(`${names.type}Store`);
  return isReserved ? refuse("reserved", plural) : names;
}

function isName(name: string): boolean {
  return namePattern.test(name) && name.length <= 40;
}

function singularOf(word: string): string | undefined {
  const known = irregular.get(word);
  if (known !== undefined) return known;
  if (!/(?<!s|u|i)s$/.test(word) || word.length < 3) return undefined;
  if (/^(?:news|series|species)$/.test(word)) return undefined;
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  return /(?:ss|sh|ch|x|z)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

export function pascal(parts: readonly string[]): string {
  return parts.map(capital).join("");
}

export function lowered(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1);
}

export function capital(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
