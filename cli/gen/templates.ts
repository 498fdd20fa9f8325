/**
 * Checks the templates of a project. Each set that `must` and `parse` create is parsed and escaped, and
 * what a template reads is looked up in the type of the data that `node`, `text` and a shell pass.
 *
 * @module
 */
import { findNearest } from "@fw/fw/addon";
import { type Inspection, inspectTemplates } from "@fw/fw/tmpl/syntax";
import { join } from "@std/path";
import type ts from "npm:typescript@6.0.3";
import type { Messages } from "../messages/catalog.ts";
import { errorAt, type Place, type Problem, sortProblems } from "../problem.ts";
import type { Project } from "../project/project.ts";
import type { Sources } from "../project/sources/sources.ts";
import { sourcesOfSet, type TemplateCall, templateCalls } from "./template_calls.ts";
import { followMembers, type TypeReader } from "./template_types.ts";
import { findMembers, findMissing, type TemplatePlace } from "./template_uses.ts";
import { unwrap } from "../project/sources/functions.ts";

/** A set of templates that a module creates. */
interface TemplateSet {
  readonly inspection: Inspection;
  /** Where a place of a source is: in its file, or where the set is created. */
  readonly placeIn: (source: TemplatePlace) => Place;
}

/** A template with the data that it is rendered with. */
interface Rendering {
  readonly set: ts.Expression;
  readonly name: ts.Expression;
  readonly data: ts.Expression | undefined;
  readonly file: ts.SourceFile;
}

/**
 * Checks the templates of a project.
 *
 * @param project The project.
 * @returns The problems, sorted by place.
 */
export async function checkTemplates(project: Project): Promise<readonly Problem[]> {
  const { root, messages: { problems: texts } } = project;
  const sources = await project.sources();
  const calls = sources.list().flatMap((path) => {
    const source = sources.read(path);
    return source?.text.includes("@fw/fw/tmpl") ? templateCalls(sources.ts, source.tree) : [];
  });
  const sets = new Map<ts.Node, TemplateSet>();
  const problems: Problem[] = [];
  for (const call of calls) {
    if (call.name !== "must" && call.name !== "parse") continue;
    try {
      const set = readSet(sources, call, root);
      if (set === undefined) continue;
      sets.set(call.call, set);
      problems.push(...faultsOf(set, { calls, texts, ts: sources.ts }));
    } catch (error) {
      // A folder that is not there, or that has no template.
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
      problems.push(errorAt(
        placeOf(call.file, call.call),
        "E_TEMPLATE",
        texts.template(
          error.message,
          "correct the folder or the patterns",
        ),
      ));
    }
  }
  if (sets.size === 0) return sortProblems(problems);
  const types = await project.types();
  if (types === undefined) return sortProblems(problems);
  const reader = { ts: sources.ts, checker: types.checker };
  for (const rendering of renderings(reader, { calls, sources })) {
    const made = resolveCall(reader, rendering.set);
    const set = made === undefined ? undefined : sets.get(made);
    if (set !== undefined) problems.push(...misspeltIn(rendering, { reader, set, texts }));
  }
  return sortProblems(problems);
}

function readSet(sources: Sources, call: TemplateCall, root: string): TemplateSet | undefined {
  const found = sourcesOfSet(sources, call, root);
  if (found === undefined) return undefined;
  const { source, files, ...options } = found;
  const created = placeOf(call.file, call.call);
  return {
    inspection: inspectTemplates(typeof source === "string" ? join(root, source) : source, options),
    placeIn: ({ template, line, column }) => {
      const file = typeof source === "string" ? `${source}/${template}` : files.get(template);
      return file === undefined ? created : { file, line, column };
    },
  };
}

function placeOf(file: ts.SourceFile, node: ts.Node): Place {
  const { line, character } = file.getLineAndCharacterOfPosition(node.getStart(file));
  return { file: file.fileName, line: line + 1, column: character + 1 };
}

interface Checking {
  readonly calls: readonly TemplateCall[];
  readonly texts: Messages["problems"];
  readonly ts: Sources["ts"];
}

function faultsOf(
  { inspection, placeIn }: TemplateSet,
  { calls, texts, ts }: Checking,
): readonly Problem[] {
  const slots = calls.flatMap(({ name, call }) => {
    const slot = name === "wrap" ? call.arguments[2] : undefined;
    return slot !== undefined && ts.isStringLiteralLike(slot) ? [slot.text] : [];
  });
  const missing = findMissing(inspection.trees).filter(({ name }) => !slots.includes(name));
  return [
    ...inspection.faults.map((fault) =>
      errorAt(placeIn(fault), "E_TEMPLATE", texts.template(fault.description, fault.fix))
    ),
    ...missing.map((each) =>
      errorAt(placeIn(each), "E_TEMPLATE_NAME", nameProblem(each.name, { inspection, texts }))
    ),
  ];
}

function nameProblem(
  name: string,
  { inspection, texts }: Pick<TemplateSet, "inspection"> & Pick<Checking, "texts">,
): ReturnType<Messages["problems"]["templateName"]> {
  return texts.templateName(name, findNearest(name, [...inspection.trees.keys()]));
}

/** Lists what `node` and `text` render, and the shells of `wrap`. */
function* renderings(
  reader: TypeReader,
  { calls, sources }: { readonly calls: readonly TemplateCall[]; readonly sources: Sources },
): Generator<Rendering> {
  for (const { name: callee, call, file } of calls) {
    const [set, name, data] = call.arguments;
    if (callee !== "node" && callee !== "text") continue;
    if (set !== undefined && name !== undefined) yield { set, name, data, file };
  }
  const wraps = new Map(calls.filter(({ name }) => name === "wrap").map((one) => [one.call, one]));
  if (wraps.size === 0) return;
  for (const path of sources.list()) {
    const source = sources.read(path);
    if (!source?.text.includes(".node(")) continue;
    for (const call of shellCalls(reader.ts, source.tree)) {
      const { expression } = call.expression as ts.PropertyAccessExpression;
      const made = resolveCall(reader, expression);
      const [set, name] = made !== undefined && wraps.has(made) ? made.arguments : [];
      const [data] = call.arguments;
      if (set !== undefined && name !== undefined) {
        yield { set, name, data, file: name.getSourceFile() };
      }
    }
  }
}

/** Finds the calls of a method `node`. */
function shellCalls(
  ts: Sources["ts"],
  file: ts.SourceFile,
): readonly ts.CallExpression[] {
  const found: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    const isCall = ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression);
    if (isCall && node.expression.name.text === "node") found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Returns the call that made the value of an expression, through constants and imports. */
function resolveCall(
  { ts, checker }: TypeReader,
  written: ts.Expression,
  followed: ReadonlySet<ts.Node> = new Set(),
): ts.CallExpression | undefined {
  const expression = unwrap(ts, written);
  if (ts.isCallExpression(expression)) return expression;
  const symbol = checker.getSymbolAtLocation(expression);
  if (symbol === undefined) return undefined;
  const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  const [declared] = (isAlias ? checker.getAliasedSymbol(symbol) : symbol).declarations ?? [];
  // Constants may refer to each other in a circle.
  if (declared === undefined || followed.has(declared)) return undefined;
  const value = ts.isVariableDeclaration(declared)
    ? declared.initializer
    : ts.isExportAssignment(declared)
    ? declared.expression
    : undefined;
  return value && resolveCall({ ts, checker }, value, new Set([...followed, declared]));
}

interface Checked {
  readonly reader: TypeReader;
  readonly set: TemplateSet;
  readonly texts: Messages["problems"];
}

function misspeltIn(
  { name, data, file }: Rendering,
  { reader, set, texts }: Checked,
): readonly Problem[] {
  const { inspection, placeIn } = set;
  if (!reader.ts.isStringLiteralLike(name)) return [];
  if (!inspection.trees.has(name.text)) {
    // Of a set that cannot be parsed the names are not known.
    if (inspection.faults.length > 0) return [];
    const problem = nameProblem(name.text, { inspection, texts });
    return [errorAt(placeOf(file, name), "E_TEMPLATE_NAME", problem)];
  }
  if (data === undefined) return [];
  const type = reader.checker.getTypeAtLocation(data);
  return findMembers(inspection.trees, name.text).flatMap((use): Problem[] => {
    const followed = followMembers(reader, type, use.path);
    // A name before the last is a use of its own.
    if (followed.kind === "fine" || !followed.isLast) return [];
    const near = findNearest(followed.name, followed.members);
    const problem = texts.templateMember(followed.name, followed.type, near);
    return [errorAt(placeIn(use), "E_TEMPLATE_MEMBER", problem)];
  });
}
