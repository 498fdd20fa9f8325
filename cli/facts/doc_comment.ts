import ts from "npm:typescript@6.0.3";

export interface Directive {
  readonly name: string;
  readonly text: string;
  readonly line: number;
}

export interface DocComment {
  readonly summary: string;
  readonly description: string;
  readonly directives: readonly Directive[];
  /** The tags; a text has its line breaks. */
  readonly tags: readonly Omit<Directive, "line">[];
  readonly isDeprecated: boolean;
}

export function docCommentOf(declaration: ts.Node | undefined): DocComment {
  let at = declaration;
  // `export const { GET, POST } = …` has one comment for both.
  while (at !== undefined && (ts.isBindingElement(at) || ts.isObjectBindingPattern(at))) {
    at = at.parent;
  }
  const comment = at && ts.getJSDocCommentsAndTags(at).findLast((each) => ts.isJSDoc(each));
  if (comment === undefined) return parseComment("", 1);
  const source = comment.getSourceFile();
  const first = source.getLineAndCharacterOfPosition(comment.getStart(source)).line + 1;
  return parseComment(comment.getText(source), first);
}

export function parseComment(text: string, firstLine: number): DocComment {
  const directives: Directive[] = [];
  const prose: string[] = [];
  const sections: { name: string; lines: string[] }[] = [];
  let isCode = false;
  for (const [index, line] of linesOf(text).entries()) {
    const directive = /^\s*openapi:(\w+)(?:\s+(.*))?$/.exec(line);
    if (directive !== null) {
      const [, name = "", rest = ""] = directive;
      directives.push({ name, text: rest, line: firstLine + index });
      continue;
    }
    if (line.split("```").length % 2 === 0) isCode = !isCode;
    const isExample = sections.at(-1)?.name === "example";
    const split = (): string[] => line.replace(tagInLine, (code) => code || "\n").split("\n");
    for (const part of isCode || isExample ? [line] : split()) {
      const tag = /^@(\w+)\s?(.*)$/.exec(part);
      if (tag !== null) sections.push({ name: tag[1] ?? "", lines: [tag[2] ?? ""] });
      else (sections.at(-1)?.lines ?? prose).push(part);
    }
  }
  const { summary, description } = splitProse(prose.join("\n").trim());
  return {
    summary,
    description,
    directives,
    tags: sections.map(({ name, lines }) => ({ name, text: lines.join("\n") })),
    isDeprecated: sections.some(({ name }) => name === "deprecated"),
  };
}

/** Known tags in mid-line; other names with `@` are packages and people. */
const tagInLine =
  /`[^`]*`|(?<=\s)(?=@(?:deprecated|example|exception|param|returns?|see|throws)(?![\w/]))/g;

/** Returns the trimmed lines. All line breaks end a line, so `.` matches every character. */
function linesOf(text: string): string[] {
  return text.replace(/^\/\*\*/, "").replace(/\*\/$/, "").split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd());
}

/** The method and path at the start of a comment, which the document already contains. */
const leadingPath = /^(?:GET|POST|PUT|PATCH|DELETE|OPTIONS) \/\S*\s*/;

function splitProse(text: string): { readonly summary: string; readonly description: string } {
  const own = text.replace(leadingPath, "").trim();
  const [, first = "", rest = ""] = /^([\s\S]*?[.!?](?=\s|$)|[\s\S]*?(?=\n\n|$))([\s\S]*)$/.exec(
    own,
  ) ?? [];
  const summary = first.replace(/\s+/g, " ").trim().replace(/\.$/, "");
  const description = rest.trim().split(/\n{2,}/)
    .map((paragraph) =>
      /^\s*(?:[-*|]|\d+\.|```)/.test(paragraph) ? paragraph : paragraph.replace(/\s+/g, " ").trim()
    )
    .join("\n\n");
  return { summary: summary.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()), description };
}
