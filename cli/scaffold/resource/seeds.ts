/** The value of each field in the module with the example rows of a resource. */
import { type Field, isDate, minorUnits } from "./fields.ts";

export const seedFile = "seeds/book_loans.ts";
export const seedValuesFile = "seeds/values.ts";

interface Seeding {
  readonly constant: string;
  readonly rows: string;
  /** All fields of the row, whose dates must be consistent. */
  readonly fields: readonly Field[];
}

/**
 * Returns the call of `seeds/values.ts` for a field, or a constant that its rules accept. An
 * optional field is empty in every fourth row.
 */
export function seedValue(field: Field, seeding: Seeding): string {
  const value = valueOf(field, seeding);
  if (!field.isOptional) return value;
  // Each optional field is empty in other rows.
  const optional = seeding.fields.filter(({ isOptional }) => isOptional);
  const at = optional.findIndex(({ name }) => name === field.name) % 4;
  const { reference } = field;
  const isEmpty = reference === undefined ? "" : `${reference.name}Ids.length === 0 || `;
  return `${isEmpty}at % 4 === ${at} ? null : ${value}`;
}

function valueOf(field: Field, { constant, rows, fields }: Seeding): string {
  const { builder, rules, choices, reference } = field;
  const [min, max] = [rules.get("min"), rules.get("max")];
  if (reference !== undefined) return `seed.pick(${reference.name}Ids, at * 7)`;
  if (choices.length > 0) {
    const list = choices.map((choice) => JSON.stringify(choice));
    return `seed.choose([${list.join(", ")}], at)`;
  }
  switch (builder) {
    case "bool":
      return rules.has("required") ? "true" : "at % 3 === 0";
    case "text":
      if (Number(min ?? 0) <= 6 && Number(max ?? 255) >= (codeNames.test(field.name) ? 8 : 24)) {
        return textValue(field, rows);
      }
      if (!field.isUnique) return JSON.stringify(constant);
      // Four digits, unless the rules want more or fewer.
      return `String(at).padStart(${
        Math.max(Number(min ?? 0), Math.min(4, Number(max ?? 4)))
      }, "0")`;
    case "date":
    case "day": {
      const isBound = min !== undefined || max !== undefined;
      const isBirth = /born|birth/i.test(field.name);
      if (!isBound && !isBirth) {
        const place = `{ at, count, step: ${stepOf(field, fields)} }`;
        return `seed.${builder === "date" ? "instant" : "day"}(${place})`;
      }
      const text = isBound ? dayBetween(min, max) : "seed.birthday(at)";
      return builder === "date" ? `new Date(${text})` : text;
    }
    default:
      return numberValue(field, constant);
  }
}

/** Returns a day between the bounds; one missing bound is a year from the other. */
function dayBetween(min: string | undefined, max: string | undefined): string {
  const yearMs = 365 * 86_400_000;
  const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const from = min?.slice(0, 10) ?? dayOf(Date.parse(max ?? "") - yearMs);
  const to = max?.slice(0, 10) ?? dayOf(Date.parse(from) + yearMs);
  return `seed.dayBetween(at, ${JSON.stringify(from)}, ${JSON.stringify(to)})`;
}

const past =
  /^(?:bought|created|filed|hired|issued|joined|ordered|placed|posted|published|purchased|received|registered|released|reported|requested|sent|signed|since|submitted)/i;
const late =
  /^(?:check_?out|closed?s?|completed|deadline|delivered|departs?|departure|done|due|ends?|ended|expir\w+|finish\w*|leaves|paid|resolved|returned|returns?|shipped|to|until)(?![a-z])/i;

function stepOf({ name }: Field, fields: readonly Field[]): number {
  const rank = (name: string): number => past.test(name) ? 0 : late.test(name) ? 2 : 1;
  const dates = fields.filter(isDate)
    .toSorted((one, other) => rank(one.name) - rank(other.name));
  let step = -1;
  for (const date of dates) {
    step = Math.max(step + 1, rank(date.name));
    if (date.name === name) break;
  }
  return step;
}

function numberValue(field: Field, constant: string): string {
  const { builder, rules, isUnique } = field;
  const isMoney = builder === "money";
  // Rows store cents, but rules have the written amount.
  const bound = (rule: "min" | "max"): number | undefined => {
    const value = rules.get(rule);
    return value === undefined ? undefined : isMoney ? centsOf(field, value) : Number(value);
  };
  const max = bound("max");
  const min = Math.ceil(bound("min") ?? (isMoney ? Math.min(500, max ?? 500) : 1));
  const count = Math.floor(max ?? min + (isMoney ? 20_000 : 60)) - min + 1;
  const call = `seed.number(at, { min: ${min}, count: ${count} })`;
  // A unique number must not repeat.
  const number = isUnique
    ? `${min} + at`
    : count > 1
    ? call
    : isMoney
    ? String(centsOf(field, constant))
    : constant;
  return builder === "int64" ? `BigInt(${number})` : number;
}

function centsOf(field: Field, text: string): number {
  return Math.round(Number(text) * minorUnits(field));
}

const people =
  /person|customer|client|user|member|author|employee|contact|patient|student|teacher|guest|speaker|practitioner|doctor|nurse|therapist|instructor|coach|driver|tenant|candidate|applicant|attendee|participant|volunteer|donor/;

const codeNames = /^(?:reference|code|sku|serial|(?:\w+_)?number)$/i;

const texts: readonly (readonly [name: RegExp, text: string])[] = [
  [/city|town|place$/i, "city"],
  [/country$|nationality$/i, "country"],
  [/street$|address$/i, "street"],
  [/post_?code$|zip(?:_?code)?$/i, "postcode"],
  [/phone$|mobile$|^tel$|^fax$/i, "phone"],
  [/company$|employer$|supplier$|vendor$/i, "company"],
  [/brand$|^make$|manufacturer$/i, "brand"],
  [/colou?r$/i, "color"],
];

function textValue({ name, rules, isUnique, control }: Field, rows: string): string {
  if (rules.has("email")) return "seed.mail(at)";
  if (rules.has("url")) return "seed.url(at)";
  if (control === "textarea") return "seed.prose(at)";
  // Codes are always unique.
  if (codeNames.test(name)) return "seed.code(at)";
  const isPerson = /^(?:full_?)?name$/i.test(name)
    ? people.test(rows)
    : /name|author|owner|customer|person|contact|by$/i.test(name);
  const fit = texts.find(([pattern]) => pattern.test(name))?.[1];
  // A more specific fit wins: the name of a company is not a person's.
  const kind = isPerson && fit === undefined ? "person" : fit ?? "thing";
  return isUnique ? `seed.unique(seed.${kind}, at)` : `seed.${kind}(at)`;
}
