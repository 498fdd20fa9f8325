import { dirname, join } from "@std/path";
import type { Io } from "../../io.ts";
import { readTextIfThere } from "../../project/files/look.ts";
import { isInside } from "../../project/files/write_inside.ts";
import { readMigrations } from "../../project/migrations.ts";
import { Stop } from "../../stop.ts";
import type { Change, Edits } from "../edits.ts";
import { addLanguage } from "../languages.ts";
import { pruneImports } from "../imports.ts";
import { dropIdleAsync, type NewFile } from "../sample.ts";
import { setupFile } from "../setup.ts";
import { leaveRoles } from "../users.ts";
import { withoutOverview } from "./overview.ts";
import { withoutParents } from "./parents.ts";
import { referringTables } from "./references.ts";
import type { Resource } from "./resource.ts";

/**
 * Removes the unchanged files of a resource and its lines in `Setup`, the navigation and the start
 * page. Prints what stays.
 */
export async function undoResource(
  edits: Edits,
  { resource, write, isBuiltOn }: {
    readonly resource: Resource;
    /** Returns the files of the resource, the migration first. */
    readonly write: (resource: Resource) => readonly NewFile[];
    /** Whether a later migration exists, so that the resource's own must stay. */
    readonly isBuiltOn: boolean;
  },
  io: Io,
): Promise<number> {
  const { root, messages: { resource: texts } } = edits.project;
  const { many, one, table } = resource.names;
  const store = `lib/${table}.ts`;
  const sql = (await readMigrations(edits.project)).map(({ sql }) => sql).join("\n");
  const left: string[] = [];
  for (const each of referringTables(sql, table)) {
    if (await edits.read(`lib/${each}.ts`) !== undefined) left.push(each);
  }
  if (left.length > 0) throw new Stop(texts.referred(left.join(", ")));
  const kept = new Set<string>();
  const { languages } = resource;
  // `generate language` may have added the last ones later.
  const versions = [languages, ...languages.map((_, count) => languages.slice(0, count))]
    .map((languages) => write({ ...resource, languages }));
  // The migration is the first file, so nothing is removed if it differs.
  for (const [at, { file }] of (versions[0] ?? []).entries()) {
    const isMigration = file.endsWith(".sql");
    const present = await readTextIfThere(join(root, file));
    if (present === undefined || !await isInside(root, dirname(join(root, file)))) continue;
    const isSame = versions.some((files) => {
      const { text } = edits.restyle(files[at] ?? { file, text: "" });
      const localized = languages.reduce((whole, tag) => addLanguage(whole, tag) ?? whole, text);
      return squeezed(localized) === squeezed(present);
    });
    // Other fields would keep the pages, but remove what they need from `Setup` and the navigation.
    if (isMigration && !isSame) throw new Stop(texts.differs(file));
    if (isSame && !(isMigration && isBuiltOn)) {
      await removeFile(root, file);
      io.stdout(`${texts.removed(file)}\n`);
      continue;
    }
    kept.add(file);
    io.stdout(`${isMigration ? texts.keptMigration(file) : texts.kept(file)}\n`);
  }
  const changes: readonly (readonly [file: string, change: Change])[] = [
    // Files that use a kept store need what `Setup` provides.
    ...kept.has(store)
      ? []
      : [[setupFile, (text: string) => without(text, /^ .*\n/gm, `open${many}(`)] as const],
    ["app/nav.ts", (text) => without(text, navEntry, `c.t(${one}Messages, "title")`)],
    ...withoutParents(resource),
    withoutOverview(resource),
  ];
  for (const [file, change] of changes) await edits.change(file, change);
  await leaveRoles(edits, [resource.role, resource.writers]);
  return await edits.finish(io);
}

/** Removes the characters that the formatter may change. */
function squeezed(text: string): string {
  return text
    .replaceAll(/^import \{([^}]*)\}/gm, (_, names: string) => names.split(/[\s,]+/).sort().join())
    .replaceAll(/[\s,(){};"'\\]/g, "");
}

async function removeFile(root: string, file: string): Promise<void> {
  await Deno.remove(join(root, file));
  try {
    for (let at = dirname(file); at !== "."; at = dirname(at)) await Deno.remove(join(root, at));
  } catch {
    // The folder is not empty.
  }
}

const navEntry = /^ {4}(?:\{(?: .*\},?\n|\n(?: {5,}.*\n)* {4}\},?\n)|\.{3}.*\n(?: {5,}.*\n)*)/gm;

/** Removes the parts that contain a text, and their imports; `undefined` if none exist. */
function without(text: string, parts: RegExp, wanted: string): string | undefined {
  const left = text.replaceAll(parts, (part) => part.includes(wanted) ? "" : part);
  return left === text ? undefined : pruneImports(dropIdleAsync(left));
}
