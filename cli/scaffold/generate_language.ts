import { appFolder } from "@fw/fw/conventions";
import type { CommandArgs } from "../args.ts";
import type { Io } from "../io.ts";
import { configuredLanguages, primaryLanguage } from "../project/settings/settings.ts";
import { listFiles } from "../project/sources/sources.ts";
import { type Change, type Edits, openEdits } from "./edits.ts";
import { placeSwitch, plainNames, switchFile, usesKit } from "./kit.ts";
import { addLanguage, countMarks } from "./languages.ts";
import { openSound } from "./database.ts";
import { createList, memberName, type NewFile, type Pair, renderSample } from "./sample.ts";
import { addFunction, bareSetup, setupFile } from "./setup.ts";
import { Stop, UsageError } from "../stop.ts";

const routeFile = `${appFolder}/language/route.ts`;
const testFile = `${appFolder}/language/route_test.ts`;
const layoutFile = `${appFolder}/layout.ts`;

export async function generateLanguage(args: CommandArgs, io: Io): Promise<number> {
  const [written = ""] = args.positionals;
  const tag = canonicalTag(written);
  if (tag === undefined) throw new UsageError(({ language }) => language.tag(written));
  const project = await openSound(io);
  const { messages: { language: texts } } = project;
  const listed = configuredLanguages(await project.settings({}));
  // Without a list, the application's language is English.
  const present = listed.length === 0 ? ["en"] : listed;
  const isListed = present.some((each) => each.toLowerCase() === tag.toLowerCase());
  const edits = await openEdits(project);
  if (!isListed) await addLanguageTo(edits, { tag, present });
  const isAdded = await addToCatalogs(edits, tag);
  if (isListed && !isAdded) throw new Stop(texts.already(tag));
  return await edits.finish(io);
}

/** Returns the canonical form of a language tag; `undefined` for any other text. */
function canonicalTag(text: string): string | undefined {
  try {
    // Extensions such as "de-u-co-phonebk" are valid tags but not page languages; "und" names none.
    return /^(?!(?:und|mul|mis|zxx)\b)[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|\d{3}))?$/i
        .test(text)
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

/** Adds the missing files and changes the others. Prints what is left to the developer. */
async function addLanguageTo(edits: Edits, languages: Languages): Promise<void> {
  const { root, messages: { generateEdited } } = edits.project;
  const { tag, present } = languages;
  const change = async (file: string, change: Change, lines: string): Promise<void> => {
    await edits.join(file, change, generateEdited(file, lines));
  };
  await edits.addMissing({ file: setupFile, text: "" });
  await change(
    setupFile,
    (setup) => joinLanguages(setup, languages),
    `  config.languages = [${quoted(languages)}];`,
  );
  if (await edits.read(routeFile) === undefined) {
    edits.add(...switchFiles(languages, await usesKit(root)));
    const module = edits.style(switchFile, layoutFile);
    const line = `import { languageSwitch } from "${module}";`;
    await change(
      layoutFile,
      (layout) => placeSwitch(layout, module),
      `${line}\n  languageSwitch(c),`,
    );
  } else if (await edits.read(switchFile) !== undefined) {
    const name = nameOf(tag, present);
    await change(
      switchFile,
      (text) => joinName(text, { tag, name }),
      `  ${nameMember(tag, name)}`,
    );
  }
}

async function addToCatalogs(edits: Edits, tag: string): Promise<boolean> {
  const { root, messages: { language: texts } } = edits.project;
  let isAdded = false;
  let count = 0;
  for (const file of listFiles(root, /^(?:app|lib|mails|views)\/.*\.tsx?$/)) {
    await edits.change(file, (text) => {
      const added = addLanguage(text, tag);
      isAdded ||= added !== undefined;
      count += added === undefined ? 0 : countMarks(added) - countMarks(text);
      return added;
    });
  }
  if (count > 0) edits.tell(texts.left(String(count)));
  return isAdded;
}

function switchFiles({ tag, present }: Languages, hasKit: boolean): readonly NewFile[] {
  const tags = [...present, tag];
  const named = tags.map((each): Pair[] => {
    const name = nameOf(each, tags.filter((other) => other !== each));
    return [['en: "English",', nameMember(each, name)]];
  });
  const rendering = {
    names: {
      ...hasKit ? {} : plainNames,
      '"en"': JSON.stringify(present[0] ?? "en"),
      '"pt"': JSON.stringify(tag),
    },
    parts: { kit: hasKit },
    lists: { language: createList(["en"], named) },
  };
  return [routeFile, testFile, switchFile].map((file) =>
    renderSample(`kit/${file}`, file, rendering)
  );
}

function quoted({ present, tag }: Languages): string {
  return [...present, tag].map((each) => JSON.stringify(each)).join(", ");
}

/** Returns a language's own name, with the region if another region is listed too. */
function nameOf(tag: string, others: readonly string[]): string {
  const base = primaryLanguage(tag);
  const isAlone = others.every((other) => primaryLanguage(other) !== base);
  const names = new Intl.DisplayNames([tag], { type: "language" });
  const name = names.of(isAlone ? base : tag) ?? tag;
  return name.slice(0, 1).toLocaleUpperCase(tag) + name.slice(1);
}

/** Adds a language to `app/setup.ts`; `undefined` if the languages are set in another way. */
export function joinLanguages(text: string, languages: Languages): string | undefined {
  const written = /(\.languages = \[[^\]]*?),?(\s*\])/;
  if (written.test(text)) {
    return text.replace(written, (_, head, end) => `${head}, "${languages.tag}"${end}`);
  }
  if (/\blanguages\b/.test(text)) return undefined;
  const list = `[${quoted(languages)}]`;
  if (!/\bConfig\b/.test(text)) {
    const whole = addFunction(text, "Setup", bareSetup);
    return addFunction(whole, "Config", { '["en", "pt"]': list });
  }
  const head = /^export function Config\((\w+): \w+\): void \{\n/m;
  if (!head.test(text)) return undefined;
  return text.replace(head, (line, config) => `${line}  ${config}.languages = ${list};\n`);
}

/** Adds a language to the names of the switch; `undefined` if the file was changed. */
export function joinName(
  text: string,
  { tag, name }: { readonly tag: string; readonly name: string },
): string | undefined {
  const head = /^const names: Readonly<Record<string, string>> = \{\n(?: {2}[^\n]*,\n)*(?=\};\n)/m
    .exec(text);
  if (head === null) return undefined;
  const end = head.index + head[0].length;
  return `${text.slice(0, end)}  ${nameMember(tag, name)}\n${text.slice(end)}`;
}

function nameMember(tag: string, name: string): string {
  return `${memberName(tag)}: ${JSON.stringify(name)},`;
}
