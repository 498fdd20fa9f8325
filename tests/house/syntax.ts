/** Syntax trees for house rules. */
import ts from "npm:typescript@6.0.3";

/** Caches parsed sources, because several rules read the same files. */
const parsed = new Map<string, ts.SourceFile>();

/** Parses a source without its doc comments; the same path and text are parsed once. */
export function parseSource(source: string, path: string): ts.SourceFile {
  const known = parsed.get(path);
  if (known?.text === source) return known;
  const file = ts.createSourceFile(path, source, {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  });
  parsed.set(path, file);
  return file;
}
