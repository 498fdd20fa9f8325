export const importLine = /^import (type )?(?:\{([^}]*)\}|\* as (\w+)|(\w+)) from (.*);\n/gm;

/** Adds the imports that a source lacks, to those from the same modules if there are any. */
export function addImports(text: string, added: string): string {
  return Array.from(added.matchAll(importLine)).reduce((whole, [line, type, list, , , from]) => {
    const own = [...whole.matchAll(importLine)].find((each) =>
      each[5] === from && each[2] !== undefined
    );
    if (own === undefined || list === undefined) {
      const end = endOfImports(whole);
      return whole.includes(line) ? whole : whole.slice(0, end) + line + whole.slice(end);
    }
    const names = new Set([...importedNames(own[1], own[2]), ...importedNames(type, list)]);
    const needed = [...names].filter((name) => !/^type /.test(name) || !names.has(name.slice(5)));
    return whole.replace(own[0], () => importText(needed, from));
  }, text);
}

export function addImport(text: string, name: string, module: string): string {
  return addImports(text, `import { ${name} } from "${module}";\n`);
}

function importedNames(type = "", list = ""): readonly string[] {
  return list.split(",").map((name) => name.trim()).filter((name) => name !== "")
    .map((name) => type + name);
}

function importText(names: readonly string[], from: string | undefined): string {
  // With `verbatimModuleSyntax`, an import with only inline types would be kept at run time.
  const isType = names.every((name) => name.startsWith("type "));
  const shown = isType ? names.map((name) => name.slice("type ".length)) : names;
  return `import ${isType ? "type " : ""}{ ${shown.join(", ")} } from ${from};\n`;
}

export function endOfImports(text: string): number {
  const last = [...text.matchAll(/^import [^;]*;\n/gm)].at(-1);
  return last === undefined ? 0 : last.index + last[0].length;
}

/** Makes a function asynchronous if it contains an `await`. */
export function awaken(text: string, name: string): string {
  const parameters = "\\((?:[^()]|\\([^()]*\\))*\\)";
  const head = new RegExp(
    `^((?:export )?)(function ${name}${parameters}): (?!Promise)(.*) (?=\\{\\n(?: .*\\n|\\n)*? .*\\bawait )`,
    "m",
  );
  return text.replace(head, "$1async $2: Promise<$3> ");
}

export function pruneImports(text: string): string {
  const code = text.replaceAll(importLine, "")
    .replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "")
    .replaceAll(/"(?:[^"\\\n]|\\.)*"/g, '""')
    // The key of a member does not use an import.
    .replaceAll(/((?:^|[{,])\s*)\w+(?=\??:\s)/gm, "$1");
  // Behind a slash, it is a part of a path in a template.
  const isUsed = (name: string): boolean =>
    new RegExp(`(?<![\\w/]|(?<!\\.\\.)\\.)${name}\\b`).test(code);
  return text.replaceAll(
    importLine,
    (line, type: string | undefined, list: string | undefined, space = "", own = "", from = "") => {
      if (list === undefined) return isUsed(space || own) ? line : "";
      const names = importedNames(type, list);
      const kept = names.filter((name) => isUsed(name.replace(/^(?:type )?(?:.* as )?/, "")));
      if (kept.length === names.length) return line;
      return kept.length === 0 ? "" : importText(kept, from);
    },
  );
}
