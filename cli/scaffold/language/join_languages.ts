import { emptySetup } from "../setup.ts";
import { addImport, addTypeImport, endOfImports } from "../imports.ts";

/** Adds a language to `app/setup.ts`; `undefined` where they are set in another form. */
export function joinLanguages(
  text: string | undefined,
  { tag, present }: { readonly tag: string; readonly present: readonly string[] },
): string | undefined {
  const list = JSON.stringify([...present, tag]).replaceAll(",", ", ");
  const line = `config.languages = ${list};`;
  if (text === undefined) {
    return `import type { Config as Settings } from "@fw/fw";\n\n${configSource(line)}\n` +
      `/** Runs at boot: what throws here stops it. */\n${emptySetup}`;
  }
  const written = /(\.languages = \[)([^\]]*?),?(\s*\])/;
  if (written.test(text)) {
    return text.replace(
      written,
      (_, head: string, tags: string, end: string) =>
        `${head}${tags}, ${JSON.stringify(tag)}${end}`,
    );
  }
  if (/\blanguages\b/.test(text)) return undefined;
  const head = /^export function Config\((\w+): \w+\): void \{\n/m.exec(text);
  if (head !== null) {
    const at = head.index + head[0].length;
    return `${text.slice(0, at)}  ${line.replace("config", () => head[1] ?? "config")}\n${
      text.slice(at)
    }`;
  }
  if (/\bConfig\b/.test(text)) return undefined;
  const imported = addTypeImport(text, "Config as Settings");
  const end = endOfImports(imported);
  return `${imported.slice(0, end)}\n${configSource(line)}${imported.slice(end)}`;
}

function configSource(line: string): string {
  return "/** Sets the languages; the first answers who asks for none of them. */\n" +
    `export function Config(config: Settings): void {\n  ${line}\n}\n`;
}

/** Adds a language to the names of the switch; `undefined` where they have another form. */
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

export function nameMember(tag: string, name: string): string {
  return `${/^[a-z]+$/.test(tag) ? tag : JSON.stringify(tag)}: ${JSON.stringify(name)},`;
}

/** Puts the switch into the layout of a new project; `undefined` for another layout. */
export function placeSwitch(layout: string, module: string): string | undefined {
  const call = "!c.isExport && languageSwitch(c),";
  const places = [/(?=ui\.themeToggle\(\))/, /(?=\n\s*\),\n\s*h\.main\(children\))/];
  const place = places.find((each) => each.test(layout));
  if (place === undefined) return undefined;
  // A static site has no route that takes the choice.
  return addImport(layout.replace(place, `${call} `), "languageSwitch", module);
}
