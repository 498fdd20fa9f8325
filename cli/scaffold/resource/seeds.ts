/** The values of each field in the module with the example rows of a resource. */
import { type EngineName, engineNames } from "../database/engine.ts";
import { replaceNames } from "../sample.ts";
import type { Field } from "./fields.ts";

export const seedFile = "seeds/book_loans.ts";
export const seedValuesFile = "seeds/values.ts";

export function seedCommand(engine: EngineName): string {
  const run = "deno run --allow-env=FW_DB --allow-read=data --allow-write=data";
  return replaceNames(run, engineNames(engine));
}

interface Seeding {
  readonly constant: string;
  readonly rows: string;
}

/**
 * Returns the call of `seeds/values.ts` that gives the value of a field, or a constant that its rules accept. Each
 * fourth row lacks what may be empty.
 */
export function seedValue(field: Field, seeding: Seeding): string {
  const value = valueOf(field, seeding);
  return field.isOptional ? `at % 4 === 0 ? null : ${value}` : value;
}

function valueOf(field: Field, { constant, rows }: Seeding): string {
  const { builder, rules, choices, reference } = field;
  const [min, max] = [rules.get("min"), rules.get("max")];
  if (reference !== undefined) return `seed.pick(${reference.name}Ids, at * 7)`;
  const isFree = !rules.has("len") && !rules.has("eqfield") && !rules.has("oneof");
  if (choices.length > 0 && !rules.has("eqfield")) {
    const list = builder === "text"
      ? choices.map((choice) => JSON.stringify(choice))
      : choices.map((choice) => builder === "int64" ? `${choice}n` : choice);
    return `seed.choose([${list.join(", ")}], at)`;
  }
  switch (builder) {
    case "bool":
      return rules.has("required") ? "true" : "at % 3 === 0";
    case "text":
      if (isFree && Number(min ?? 0) <= 6 && Number(max ?? 255) >= 24) {
        return textValue(field, rows);
      }
      return JSON.stringify(constant) +
        (field.isUnique ? '.slice(0, -4) + String(at).padStart(4, "0")' : "");
    case "date":
    case "day": {
      const isBound = !isFree || min !== undefined || max !== undefined;
      if (!isBound) return builder === "date" ? "seed.instant(at)" : "seed.day(at)";
      const text = JSON.stringify(constant);
      return builder === "date" ? `new Date(${text})` : text;
    }
    default:
      return numberValue(field, constant);
  }
}

function numberValue({ builder, rules }: Field, constant: string): string {
  const isMoney = builder === "money";
  const max = rules.get("max");
  const first = rules.get("min") ?? (isMoney ? Math.min(500, Number(max ?? 500)) : 1);
  const min = Math.ceil(Number(first));
  const count = Math.floor(Number(max ?? min + (isMoney ? 20_000 : 500))) - min + 1;
  const number = count > 1 ? `seed.number(at, { min: ${min}, count: ${count} })` : constant;
  return builder === "int64" ? `BigInt(${number})` : number;
}

const people =
  /person|customer|client|user|member|author|employee|contact|patient|student|teacher|guest|speaker/;

function textValue({ name, rules, isUnique, control }: Field, rows: string): string {
  if (rules.has("email")) return "seed.mail(at)";
  if (rules.has("url")) return "seed.url(at)";
  if (control === "textarea") return "seed.prose(at)";
  // No two are alike.
  if (/^(?:reference|code|sku|serial|(?:\w+_)?number)$/i.test(name)) return "seed.code(at)";
  const isPerson = /^(?:full_?)?name$/i.test(name)
    ? people.test(rows)
    : /name|author|owner|customer|person|contact|by$/i.test(name);
  const kind = isPerson ? "person" : /city|town|place$/i.test(name) ? "city" : "thing";
  return isUnique ? `seed.unique(seed.${kind}, at)` : `seed.${kind}(at)`;
}
