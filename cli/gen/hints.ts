/** Finds code that compiles but does not do what its author meant. */
import ts from "npm:typescript@6.0.3";
import { type Place, type Problem, type ProblemText, sortProblems } from "../problem.ts";
import type { Project } from "../project/project.ts";
import { Names } from "../project/sources/names.ts";
import { nodePlace, positionAt, walk } from "../project/sources/syntax.ts";

const wrongElements = /\bimport\s*\*\s*as\s+h\s+from\s*["'](?:jsr:)?@fw\/fw(?:@[^"'/]*)?["']/;

export async function findHints(project: Project): Promise<readonly Problem[]> {
  const { routes } = await project.routes();
  const sources = await project.sources();
  const { messages: { problems: texts } } = project;
  const names = new Names(sources);
  const hints: Problem[] = [];
  const hint = (code: string, place: Place, text: ProblemText): void =>
    void hints.push({ code, severity: "warning", place, ...text });
  // The outermost layout writes the document, in whichever folder it is.
  for (const { path } of new Set(routes.flatMap(({ layouts }) => layouts.slice(1)))) {
    const layout = names.find(path, "Layout");
    if (layout === undefined) continue;
    walk(layout.node, (node) => {
      const isDocument = ts.isCallExpression(node)
        ? names.isFramework(layout.file, node.expression, { as: "html", entry: "h" })
        : ts.isJsxOpeningElement(node) && node.tagName.getText() === "html";
      if (isDocument) hint("E_NESTED_DOCUMENT", nodePlace(node), texts.nestedDocument());
    });
  }
  for (const file of sources.list()) {
    const source = sources.read(file);
    const at = source && wrongElements.exec(source.text)?.index;
    if (source === undefined || at === undefined) continue;
    hint("E_WRONG_ELEMENTS", { file, ...positionAt(source.tree, at) }, texts.wrongElements());
  }
  return sortProblems(hints);
}
