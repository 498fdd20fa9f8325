import { appFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import type { CommandArgs } from "../args.ts";
import { regenerate } from "../gen/generate.ts";
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { listIfThere, readTextIfThere } from "../project/files/look.ts";
import { writeFiles } from "../project/files/write_files.ts";
import type { Project } from "../project/project.ts";
import { configuredLanguages } from "../project/settings/production.ts";
import { changeFiles, type ImportStyle, readImportStyle } from "./imports.ts";
import { usesKit } from "./kit.ts";
import { joinLanguages, joinName, nameMember, placeSwitch } from "./language/join_languages.ts";
import { addLanguage, wordingLanguage } from "./languages.ts";
import { openSound } from "./database.ts";
import { type NewFile, renderSample } from "./sample.ts";
import { Stop, UsageError } from "../stop.ts";

const setupFile = `${appFolder}/setup.ts`;
const routeFile = `${appFolder}/language/route.ts`;
const testFile = `${appFolder}/language/route_test.ts`;
const switchFile = "views/language_switch.ts";
const layoutFile = `${appFolder}/layout.ts`;

const sourceFolders: readonly string[] = [appFolder, "lib", "views"];

/** Adds a language: all of the new files or none, then the changes of those that are there. */
export async function generateLanguage(args: CommandArgs, io: Io): Promise<number> {
  const messages = messagesOf(io);
  const [written = ""] = args.positionals;
  const tag = canonicalTag(written);
  if (tag === undefined) throw new UsageError(messages.language.tag(written));
  const project = await openSound(io);
  const listed = configuredLanguages(await project.settings({}));
  // Without a list the application speaks English.
  const present = listed.length === 0 ? ["en"] : listed;
  if (present.some((each) => each.toLowerCase() === tag.toLowerCase())) {
    throw new Stop(messages.language.already(tag));
  }
  await write(project, { tag, present }, io);
  await regenerate(project);
  if (wordingLanguage(tag) === undefined) io.stdout(`${messages.language.next}\n`);
  return exitCodes.ok;
}

/** Returns a language tag in its canonical form; `undefined` for a text that is none. */
function canonicalTag(text: string): string | undefined {
  try {
    // "de-u-co-phonebk" is a tag, but no language of pages.
    return /^[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|\d{3}))?$/.test(text)
      ? Intl.getCanonicalLocales(text)[0]
      : undefined;
  } catch {
    return undefined;
  }
}

interface Languages {
  readonly tag: string;
  readonly present: readonly string[];
}

interface Additions {
  readonly files: NewFile[];
  readonly changes: Map<string, string>;
  /** The lines for files of another form, which are left to the developer. */
  readonly left: (readonly [file: string, lines: string])[];
  readonly untranslated: (readonly [file: string, texts: string])[];
}

/** Writes the files that lack, and changes the others. Prints what is left to the developer. */
async function write(project: Project, languages: Languages, io: Io): Promise<void> {
  const messages = messagesOf(io);
  const { files, changes, left, untranslated } = await planLanguage(project, languages);
  await writeFiles(project, files, { io });
  await changeFiles(project, changes, io);
  for (const [file, lines] of left) io.stdout(`${messages.generateEdited(file, lines)}\n`);
  for (const each of untranslated) io.stdout(`${messages.resource.untranslated(...each)}\n`);
}

async function planLanguage(project: Project, languages: Languages): Promise<Additions> {
  const { root } = project;
  const additions: Additions = { files: [], changes: new Map(), left: [], untranslated: [] };
  await addSetting(root, languages, additions);
  const style = await readImportStyle(project);
  await addSwitch(root, { languages, style }, additions);
  for (const folder of sourceFolders) await addTexts(root, { folder, languages }, additions);
  return additions;
}

async function addSetting(
  root: string,
  languages: Languages,
  { files, changes, left }: Additions,
): Promise<void> {
  const setup = await readTextIfThere(join(root, setupFile));
  const joined = joinLanguages(setup, languages);
  if (joined === undefined) {
    left.push([setupFile, `  config.languages = [${quoted(languages)}];`]);
  } else if (setup === undefined) files.push({ file: setupFile, text: joined });
  else changes.set(setupFile, joined);
}

interface Writing {
  readonly languages: Languages;
  readonly style: ImportStyle;
}

/** Adds the switch to a project without one, else the name of the language to the switch. */
async function addSwitch(
  root: string,
  { languages, style }: Writing,
  { files, changes, left }: Additions,
): Promise<void> {
  const { tag, present } = languages;
  if (await readTextIfThere(join(root, routeFile)) !== undefined) {
    const view = await readTextIfThere(join(root, switchFile));
    const name = nameOf(tag, present);
    const named = view === undefined ? undefined : joinName(view, { tag, name });
    if (named === undefined) left.push([switchFile, `  ${nameMember(tag, name)}`]);
    else changes.set(switchFile, named);
    return;
  }
  files.push(...switchFiles(languages, await usesKit(root)));
  const module = style(switchFile, layoutFile);
  const layout = await readTextIfThere(join(root, layoutFile));
  const placed = layout === undefined ? undefined : placeSwitch(layout, module);
  if (placed !== undefined) changes.set(layoutFile, placed);
  else {
    const line = `import { languageSwitch } from "${module}";`;
    left.push([layoutFile, `${line}\n  languageSwitch(c),`]);
  }
}

async function addTexts(
  root: string,
  { folder, languages }: { readonly folder: string; readonly languages: Languages },
  additions: Additions,
): Promise<void> {
  const { changes, untranslated } = additions;
  for (const { name, isDirectory, isFile } of await listIfThere(join(root, folder))) {
    const file = `${folder}/${name}`;
    if (isDirectory) await addTexts(root, { folder: file, languages }, additions);
    if (!isFile || !/\.tsx?$/.test(name)) continue;
    const text = changes.get(file) ?? await readTextIfThere(join(root, file)) ?? "";
    const added = addLanguage(text, languages.tag);
    if (added === undefined) continue;
    changes.set(file, added.text);
    const texts = added.untranslated.join(", ");
    if (texts !== "") untranslated.push([file, texts]);
  }
}

function switchFiles({ tag, present }: Languages, hasKit: boolean): readonly NewFile[] {
  const tags = [...present, tag];
  const items = tags.map((each) => {
    const name = nameOf(each, tags.filter((other) => other !== each));
    return {
      models: ["en"],
      replace: () => [['en: "English",', nameMember(each, name)] as const],
    };
  });
  const rendering = {
    names: { '"en"': JSON.stringify(present[0] ?? "en"), '"pt"': JSON.stringify(tag) },
    lists: { language: { models: ["en"], items } },
  };
  return [
    renderSample(`kit/${routeFile}`, routeFile, rendering),
    renderSample(`kit/${testFile}`, testFile, rendering),
    renderSample(`${hasKit ? "kit" : "plain"}/${switchFile}`, switchFile, rendering),
  ];
}

function quoted({ present, tag }: Languages): string {
  return [...present, tag].map((each) => JSON.stringify(each)).join(", ");
}

/** Returns a language in its own words; with its region where another one differs in that alone. */
function nameOf(tag: string, others: readonly string[]): string {
  const base = (each: string): string => each.split("-")[0] ?? each;
  const isAlone = others.every((other) => base(other) !== base(tag));
  const names = new Intl.DisplayNames([tag], { type: "language" });
  const name = names.of(isAlone ? base(tag) : tag) ?? tag;
  return name.slice(0, 1).toLocaleUpperCase(tag) + name.slice(1);
}
