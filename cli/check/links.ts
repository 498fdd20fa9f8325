/**
 * Finds links, form actions and redirects that are written by hand and lead to no route.
 *
 * @module
 */
import { join } from "@std/path";
import type ts from "npm:typescript@6.0.3";
import { errorAt, type Problem, sortProblems } from "../problem.ts";
import { textOfFile } from "../project/files/look.ts";
import type { Project } from "../project/project.ts";
import { anySegment } from "../project/routes/match.ts";
import { positionOf } from "../project/sources/exports.ts";
import type { Source } from "../project/sources/sources.ts";
import { createTargets } from "./targets.ts";

/** A written link. */
interface WrittenLink {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** The functions whose argument is a link, on anything but a request's context. */
const linkFunctions: ReadonlySet<string> = new Set(["href", "action", "formaction"]);
const linkNames: ReadonlySet<string> = new Set(["href", "action", "formaction", "formAction"]);

/**
 * Checks the links of the sources and templates. Links made by `c.href` are checked by the compiler.
 *
 * @param project The project.
 * @param options `files`: the files to look at. @default all
 */
export async function findBrokenLinks(
  project: Project,
  options: { readonly files?: ReadonlySet<string> | undefined } = {},
): Promise<Problem[]> {
  const { files } = options;
  const sources = await project.sources();
  const targets = await createTargets(project);
  const problems: Problem[] = [];
  const add = (file: string, links: readonly WrittenLink[]): void => {
    for (const { path, line, column } of links) {
      // A form's method is often elsewhere: a route of any method will do.
      const fault = targets.matcher.match(path.split(/[?#]/)[0] ?? "") === undefined
        ? targets.fault({ method: "GET", path })
        : undefined;
      if (fault !== undefined) problems.push(errorAt({ file, line, column }, "E_LINK", fault));
    }
  };
  for (const file of sources.list()) {
    const source = files === undefined || files.has(file) ? sources.read(file) : undefined;
    // A file without a text that starts with a slash has no such link.
    if (source !== undefined && /["'`=]\//.test(source.text)) {
      add(file, linksIn(sources.ts, source));
    }
  }
  for (const file of listTemplates(project.root)) {
    if (files !== undefined && !files.has(file)) continue;
    add(file, linksInMarkup(textOfFile(join(project.root, file))));
  }
  return sortProblems(problems);
}

function linksIn(parser: typeof ts, { tree }: Source): WrittenLink[] {
  const found: WrittenLink[] = [];
  const add = (node: ts.Expression | undefined): void => {
    const path = node === undefined ? undefined : pathOf(parser, node);
    if (node !== undefined && path !== undefined) found.push({ path, ...positionOf(tree, node) });
  };
  const visit = (node: ts.Node): void => {
    if (parser.isCallExpression(node)) add(linkArgument(parser, node));
    else if (parser.isJsxAttribute(node) && linkNames.has(node.name.getText())) {
      const value = node.initializer;
      add(
        value === undefined
          ? undefined
          : parser.isJsxExpression(value)
          ? value.expression
          : parser.isStringLiteral(value)
          ? value
          : undefined,
      );
    } else if (
      parser.isPropertyAssignment(node) && parser.isIdentifier(node.name) &&
      node.name.text === "href"
    ) add(node.initializer);
    else if (parser.isTaggedTemplateExpression(node)) {
      const { line } = positionOf(tree, node);
      for (const link of linksInMarkup(node.template.getText())) {
        found.push({ ...link, line: line + link.line - 1 });
      }
    }
    parser.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Returns the link of a call: of `h.href("/x")`, `redirect("/x")` and `c.redirect("/x")`. */
function linkArgument(parser: typeof ts, node: ts.CallExpression): ts.Expression | undefined {
  const [first] = node.arguments;
  const callee = node.expression;
  if (parser.isIdentifier(callee)) {
    return callee.text === "redirect" ||
        node.arguments.length === 1 && linkFunctions.has(callee.text)
      ? first
      : undefined;
  }
  if (!parser.isPropertyAccessExpression(callee)) return undefined;
  const isContext = /^(?:c|ctx|context)$/.test(callee.expression.getText());
  if (callee.name.text === "redirect") return isContext ? first : undefined;
  const isLink = !isContext && node.arguments.length === 1 && linkFunctions.has(callee.name.text);
  return isLink ? first : undefined;
}

/** Returns the path of a text or a template; `undefined` for other expressions and other sites. */
function pathOf(parser: typeof ts, node: ts.Expression): string | undefined {
  if (parser.isStringLiteralLike(node)) return localPath(node.text);
  if (!parser.isTemplateExpression(node)) return undefined;
  const rest = node.templateSpans.map(({ literal }) => anySegment + literal.text).join("");
  return node.head.text === "" ? undefined : localPath(node.head.text + rest);
}

function localPath(text: string): string | undefined {
  return /^\/(?![/\\])/.test(text) && !/[\s<>]/.test(text) ? text : undefined;
}

/** Finds the links of HTML whose value is written out, holes of templates included. */
function linksInMarkup(text: string): WrittenLink[] {
  const found: WrittenLink[] = [];
  const written = /\s(?:href|action|formaction)=(["'])(\/(?:(?!\1)[^<>])*)\1/gi;
  for (const match of text.matchAll(written)) {
    const [whole, , value = ""] = match;
    const path = localPath(
      value.replaceAll(/\$\{[^}]*\}|\{\{.*?\}\}/g, anySegment).replaceAll("&amp;", "&"),
    );
    if (path === undefined) continue;
    const before = text.slice(0, match.index + whole.indexOf("="));
    const line = before.split("\n").length;
    found.push({ path, line, column: before.length - before.lastIndexOf("\n") });
  }
  return found;
}

/** Lists the templates of a project. */
export function listTemplates(root: string): string[] {
  const found: string[] = [];
  const folders = [""];
  const others = /^(?:\.|_|node_modules$|dist$|public$|testdata$|tests?$|vendor$)/;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const { name, isDirectory, isFile } of Deno.readDirSync(join(root, folder))) {
      if (others.test(name)) continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      if (isDirectory) folders.push(path);
      else if (isFile && /\.(?:tmpl|gohtml|html)$/.test(name)) found.push(path);
    }
  }
  return found.sort();
}
