/** Example rows of a resource, so that its first list is a full page. */
import { type EngineName, engineNames } from "../database/engine.ts";
import { type NewFile, pruneImports, replaceNames } from "../sample.ts";
import type { Field } from "./fields.ts";
import type { Resource } from "./files.ts";
import { sampleOf } from "./samples.ts";

/** Runs a module that adds rows, of an application on SQLite. */
const seedRun = "deno run --allow-env=FW_DB --allow-read=data --allow-write=data";

/** Returns the command that runs a module which adds rows. */
export function seedCommand(engine: EngineName): string {
  return replaceNames(seedRun, engineNames(engine));
}

/** Returns the module that adds rows, the same ones at each run. */
export function seedFile(resource: Resource, count: number): NewFile {
  const { names: { table, many, type, words }, fields, references } = resource;
  const tables = references.map((each) => each.table);
  const constant = sampleOf(fields);
  const members = fields.map((field) =>
    `${field.name}: ${valueCode(field, constant[field.name] ?? "")},`
  );
  const ids = tables.map((each) =>
    `const ${idsName(each)} = await db.all(int())\`
      select "id" from "${each}" order by "id" limit 1000\`;
    if (${
      idsName(each)
    }.length === 0) throw new Error("Cannot refer to ${each}: add rows of it first.");`
  );
  const lists = Object.entries(wordLists).filter(([name]) =>
    members.some((each) => each.includes(name))
  );
  const text = `/**
 * Example ${words[1]}, the same at each run:
 * \`${seedRun} seeds/${table}.ts\`
 *
 * @module
 */
import { int } from "@fw/fw";
import { type Db, values } from "@fw/fw/data";
import { openSqlite } from "@fw/fw/sqlite";
import { ${type}Input } from "../lib/${table}.ts";
import { migrations } from "../migrations/mod.ts";

${lists.map(([name, list]) => `const ${name} = ${JSON.stringify(list)};`).join("\n")}

/** Adds ${words[1]} to a table that has none; returns how many. */
export async function seed${many}(db: Db, count: number = ${count}): Promise<number> {
  const present = await db.first(int())\`select 1 from "${table}" limit 1\`;
  if (present !== undefined) return 0;
  ${ids.join("\n")}
  const rows = Array.from({ length: count }, (_, at): ${type}Input => ({ ${members.join("\n")} }));
  await db.tx(async () => {
    for (const row of rows) {
      await db.run\`insert into "${table}" \${values(${type}Input, row)}\`;
    }
    // As if they had come in the last twelve weeks, more and more of them.
    await db.run\`-- scan: all of them
      update "${table}" set "added_at" = "added_at" -
        7000000 * (\${count} - "id") * (\${count} - "id") / \${count * count}\`;
  });
  return rows.length;
}

/** Returns one of a list, spread over it. */
function pick<T>(list: readonly T[], at: number): T {
  const found = list[at % list.length];
  if (found === undefined) throw new RangeError("Cannot pick from an empty list.");
  return found;
}

if (import.meta.main) {
  const db = await openSqlite(Deno.env.get("FW_DB") ?? "data/app.sqlite", { migrations });
  const added = await seed${many}(db);
  await db.close();
  console.log(\`\${added} ${words[1]} added\`);
}
`;
  const own = pruneImports(replaceNames(text, engineNames(resource.engine)));
  return { file: `seeds/${table}.ts`, text: own };
}

const wordLists = {
  given: [
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
  ],
  family: [
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
  ],
  cities: ["Lisboa", "Porto", "Bergen", "Accra", "Kyoto", "Recife", "Gdańsk", "Coimbra", "Malmö"],
  kinds: [
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
  ],
  things: [
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
  ],
  sentences: [
    "It was made with care.",
    "It keeps well.",
    "Ask before Friday.",
    "There are two of it.",
    "It needs another look.",
    "Everyone liked it.",
  ],
};

/** Returns the name of the ids of a table: `bookLoanIds` for `book_loan`. */
function idsName(table: string): string {
  return `${table.replaceAll(/_+(\w)/g, (_, sign: string) => sign.toUpperCase())}Ids`;
}

/** Returns the code of a value: \`at\` is the number of the row. */
function valueCode(
  field: Field,
  constant: string,
): string {
  const { builder, rules, choices, control, reference } = field;
  const [min, max] = [rules.get("min"), rules.get("max")];
  if (reference !== undefined) return `pick(${idsName(reference.table)}, at * 7)`;
  const isFree = !rules.has("len") && !rules.has("eqfield") && !rules.has("oneof");
  if (choices.length > 0 && !rules.has("eqfield")) {
    const list = builder === "text" ? JSON.stringify(choices) : `[${choices.join(", ")}]`;
    return `pick(${list}${builder === "int64" ? ".map(BigInt)" : ""}, (at * 7919) % 101)`;
  }
  switch (builder) {
    case "bool":
      return rules.has("required") ? "true" : "at % 3 === 0";
    case "text":
      return isFree && Number(min ?? 0) <= 6 && Number(max ?? 255) >= 24
        ? textCode(field, control)
        : `${JSON.stringify(constant)}${
          field.isUnique ? '.slice(0, -4) + String(at).padStart(4, "0")' : ""
        }`;
    case "date":
    case "day": {
      const instant = "new Date(Date.UTC(2026, 0, 1 + (at * 37) % 360, 9 + (at % 9)))";
      const isBound = !isFree || min !== undefined || max !== undefined;
      if (builder === "date") return isBound ? `new Date(${JSON.stringify(constant)})` : instant;
      return isBound ? JSON.stringify(constant) : `${instant}.toISOString().slice(0, 10)`;
    }
    default: {
      const least = Math.ceil(
        Number(min ?? (builder === "money" ? Math.min(500, Number(max ?? 500)) : 1)),
      );
      const range = Math.floor(Number(max ?? least + (builder === "money" ? 20_000 : 500))) -
        least + 1;
      const number = range > 1 ? `${least} + (at * 7919) % ${range}` : constant;
      return builder === "int64" ? `BigInt(${number})` : number;
    }
  }
}

function textCode({ name, rules, isUnique }: Field, control: Field["control"]): string {
  const person = "`${pick(given, at)} ${pick(family, at * 3)}`";
  if (rules.has("email")) {
    return '`${pick(given, at)}.${at}@example.org`.normalize("NFD").replace(/[^\\w.@]/g, "").toLowerCase()';
  }
  if (rules.has("url")) return "`https://example.org/${at + 1}`";
  if (control === "textarea") return "`${pick(sentences, at)} ${pick(sentences, at * 5 + 3)}`";
  const text = /name|author|owner|customer|person|contact|by$/i.test(name)
    ? person
    : /city|town|place$/i.test(name)
    ? "`${pick(cities, at * 5)}`"
    : "`${pick(kinds, at)} ${pick(things, at * 3)}`";
  // The lists have 110 pairs, of which none comes twice before.
  const pairs = text.includes("cities") ? 9 : 110;
  const ended = `\${at < ${pairs} ? "" : \` \${at + 1}\`}\``;
  return isUnique ? text.replace(/`$/, () => ended) : text;
}
