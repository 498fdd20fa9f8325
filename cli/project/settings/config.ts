/**
 * Reads which settings `Config` and `Setup` of `app/setup.ts` make, by their syntax alone.
 * Understood are assignments to members of the configuration and conditions on `config.env`; where
 * the configuration is used in another way, its settings count as not read.
 *
 * @module
 */
import { appFolder } from "@fw/fw/conventions";
import type ts from "typescript";
import type { Position } from "../../problem.ts";
import { positionOf } from "../sources/exports.ts";
import type { Source, Sources } from "../sources/sources.ts";
import { readValue, type Scope, type StaticValue, unknown } from "./value.ts";

/** A place in a file of the project. */
export interface Place extends Position {
  /** The file, relative to the project, with `/`. */
  readonly file: string;
}

/** One assignment to a setting. */
export interface Assignment {
  /** The setting's name with dots, such as `observability.metrics`. */
  readonly path: string;
  /** What it is set to. */
  readonly value: StaticValue;
  /** Where. */
  readonly place: Place;
  /** Whether it is made at every start in production. */
  readonly isSure: boolean;
  /** Whether it is made only where nothing was set before: `??=` and `||=`. */
  readonly isFallback: boolean;
}

/** What both functions do, as far as their syntax tells. */
export interface StaticConfig {
  /** The assignments in order. */
  readonly assignments: readonly Assignment[];
  /** The first place at which settings may be made that are not in the list. */
  readonly unread: Place | undefined;
}

const setupFile = `${appFolder}/setup.ts`;

/** The settings that hold settings. */
const groups: ReadonlySet<string> = new Set([
  "",
  "bodyLimits",
  "cors",
  "csrf",
  "observability",
  "rateLimit",
  "security",
  "timeouts",
]);

/**
 * Reads the settings that `Config` makes, then those that `Setup` makes. Code for another environment
 * than production is passed over.
 */
export function readStaticConfig(sources: Sources): StaticConfig {
  const source = sources.read(setupFile);
  const reading: Reading = { assignments: [], unread: undefined };
  if (source === undefined) return reading;
  const scope = scopeOf(sources, source);
  // The configuration itself is the parameter of Config, and a member of that of Setup.
  for (const [name, holder] of [["Config", []], ["Setup", ["config"]]] as const) {
    const exported = source.exports.names.get(name);
    if (exported === undefined) continue;
    const found = findFunction(scope.ts, source.tree, name);
    const parameter = found?.parameters[0]?.name;
    if (found !== undefined && parameter === undefined) continue;
    if (found?.body === undefined || parameter === undefined || !scope.ts.isIdentifier(parameter)) {
      const { line, column } = exported;
      reading.unread ??= { file: setupFile, line, column };
      continue;
    }
    new Reader(reading, { scope, tree: source.tree, parameter: parameter.text, holder })
      .readBody(found.body);
  }
  return reading;
}

interface Reading {
  readonly assignments: Assignment[];
  unread: Place | undefined;
}

function scopeOf({ ts }: Sources, { tree }: Source): Scope {
  const constants = new Map<string, ts.Expression>();
  const imported = new Map<string, string>();
  for (const statement of tree.statements) {
    if (ts.isVariableStatement(statement)) {
      const { declarations, flags } = statement.declarationList;
      if ((flags & ts.NodeFlags.Const) === 0) continue;
      for (const { name, initializer } of declarations) {
        if (ts.isIdentifier(name) && initializer) constants.set(name.text, initializer);
      }
    } else if (ts.isImportDeclaration(statement)) {
      const bindings = statement.importClause?.namedBindings;
      if (bindings === undefined || !ts.isNamedImports(bindings)) continue;
      for (const { name, propertyName } of bindings.elements) {
        imported.set(name.text, (propertyName ?? name).text);
      }
    }
  }
  return { ts, constants, imported };
}

/** A function that the file declares, or a constant that is set to one. */
function findFunction(
  ts: Scope["ts"],
  tree: ts.SourceFile,
  name: string,
): ts.FunctionLikeDeclaration | undefined {
  for (const statement of tree.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name?.text === name) return statement;
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name: declared, initializer } of statement.declarationList.declarations) {
      if (!ts.isIdentifier(declared) || declared.text !== name || !initializer) continue;
      if (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)) {
        return initializer;
      }
    }
  }
  return undefined;
}

/** What the reader of one function needs. */
interface ReaderOptions {
  readonly scope: Scope;
  readonly tree: ts.SourceFile;
  /** The name of the function's parameter. */
  readonly parameter: string;
  /** The members of the parameter that lead to the configuration. */
  readonly holder: readonly string[];
}

/** Whether the function ends in a statement. */
type Flow = "ends" | "may-end" | "goes-on";

class Reader {
  readonly #reading: Reading;
  readonly #options: ReaderOptions;

  constructor(reading: Reading, options: ReaderOptions) {
    this.#reading = reading;
    this.#options = options;
  }

  readBody(body: ts.ConciseBody): void {
    const { ts } = this.#options.scope;
    if (ts.isBlock(body)) this.#readAll(body.statements, { isSure: true });
    else this.#visit(body, { isSure: true });
  }

  #readAll(statements: readonly ts.Statement[], { isSure }: Sureness): Flow {
    let flow: Flow = "goes-on";
    for (const statement of statements) {
      const next = this.#readStatement(statement, { isSure: isSure && flow === "goes-on" });
      if (next === "ends") return flow === "goes-on" ? "ends" : flow;
      if (next === "may-end") flow = next;
    }
    return flow;
  }

  #readStatement(statement: ts.Statement, sureness: Sureness): Flow {
    const { ts } = this.#options.scope;
    if (ts.isReturnStatement(statement)) return "ends";
    if (ts.isBlock(statement)) return this.#readAll(statement.statements, sureness);
    if (ts.isExpressionStatement(statement)) this.#visit(statement.expression, sureness);
    else if (ts.isIfStatement(statement)) return this.#readIf(statement, sureness);
    else this.#visit(statement, { isSure: false });
    return this.#returns(statement) ? "may-end" : "goes-on";
  }

  #readIf(statement: ts.IfStatement, sureness: Sureness): Flow {
    const { expression, thenStatement, elseStatement } = statement;
    const isTrue = this.#holdsInProduction(expression);
    if (isTrue === undefined) {
      this.#visit(statement, { isSure: false });
      return this.#returns(statement) ? "may-end" : "goes-on";
    }
    const taken = isTrue ? thenStatement : elseStatement;
    return taken === undefined ? "goes-on" : this.#readStatement(taken, sureness);
  }

  /** Notes the assignments in a node, and where the configuration goes to code that is not read. */
  #visit(node: ts.Node, { isSure }: Sureness): void {
    const { ts } = this.#options.scope;
    // Its own statements run later, when the settings are fixed.
    if (ts.isFunctionLike(node)) return;
    if (ts.isParenthesizedExpression(node)) return this.#visit(node.expression, { isSure });
    if (ts.isBinaryExpression(node) && isAssignment(ts, node)) {
      const path = this.#settingOf(node.left);
      if (path !== undefined && path !== "") {
        this.#assign(path, node, { isSure });
        return this.#visit(node.right, { isSure: false });
      }
    }
    if (ts.isIdentifier(node) && node.text === this.#options.parameter) this.#checkUse(node);
    ts.forEachChild(node, (child) => this.#visit(child, { isSure: false }));
  }

  #assign(path: string, node: ts.BinaryExpression, { isSure }: Sureness): void {
    const { scope, tree } = this.#options;
    const { SyntaxKind } = scope.ts;
    const { kind } = node.operatorToken;
    const isFallback = kind === SyntaxKind.QuestionQuestionEqualsToken ||
      kind === SyntaxKind.BarBarEqualsToken;
    // Any other operator makes something of the value before, which only a run can tell.
    const isRead = isFallback || kind === SyntaxKind.EqualsToken;
    const value = isRead ? readValue(scope, node.right) : unknown;
    const place = { file: setupFile, ...positionOf(tree, node) };
    this.#reading.assignments.push({ path, value, place, isSure, isFallback });
  }

  /** A setting that is read is harmless; a group or the whole may be changed by what gets it. */
  #checkUse(parameter: ts.Identifier): void {
    const { ts } = this.#options.scope;
    const outer = outermostMember(ts, parameter);
    if (outer === undefined) return;
    const path = this.#settingOf(outer);
    const isChanged = outer.parent !== undefined && ts.isDeleteExpression(outer.parent);
    if (path === undefined || (!groups.has(path) && !isChanged)) return;
    this.#reading.unread ??= {
      file: setupFile,
      ...positionOf(this.#options.tree, outer),
    };
  }

  /** The name of a setting, such as `security.csp`; `""` for the configuration itself. */
  #settingOf(expression: ts.Expression): string | undefined {
    const names = this.#membersOf(expression);
    const { holder } = this.#options;
    if (names === undefined || holder.some((name, index) => names[index] !== name)) {
      return undefined;
    }
    return names.slice(holder.length).join(".");
  }

  /** The members in `parameter.a.b`. */
  #membersOf(expression: ts.Expression): readonly string[] | undefined {
    const { scope: { ts }, parameter } = this.#options;
    if (ts.isIdentifier(expression)) return expression.text === parameter ? [] : undefined;
    if (!ts.isPropertyAccessExpression(expression)) return undefined;
    const names = this.#membersOf(expression.expression);
    return names === undefined ? undefined : [...names, expression.name.text];
  }

  /** Whether `config.env === "prod"` and the like hold in production. */
  #holdsInProduction(condition: ts.Expression): boolean | undefined {
    const { scope: { ts } } = this.#options;
    if (!ts.isBinaryExpression(condition)) return undefined;
    const { left, right, operatorToken: { kind } } = condition;
    if (this.#membersOf(left)?.at(-1) !== "env" || !ts.isStringLiteral(right)) return undefined;
    const isEqual = right.text === "prod";
    if (kind === ts.SyntaxKind.EqualsEqualsEqualsToken) return isEqual;
    return kind === ts.SyntaxKind.ExclamationEqualsEqualsToken ? !isEqual : undefined;
  }

  #returns(node: ts.Node): boolean {
    const { ts } = this.#options.scope;
    if (ts.isFunctionLike(node)) return false;
    return ts.isReturnStatement(node) ||
      ts.forEachChild(node, (child) => this.#returns(child) || undefined) === true;
  }
}

interface Sureness {
  /** Whether the code runs at every start in production. */
  readonly isSure: boolean;
}

/** The whole of `parameter.a.b`; `undefined` where the name is only a member of something else. */
function outermostMember(ts: Scope["ts"], name: ts.Identifier): ts.Expression | undefined {
  const { parent } = name;
  if (ts.isPropertyAccessExpression(parent) && parent.name === name) return undefined;
  if (ts.isPropertyAssignment(parent) && parent.name === name) return undefined;
  let at: ts.Expression = name;
  while (ts.isPropertyAccessExpression(at.parent)) at = at.parent;
  return at;
}

function isAssignment(ts: Scope["ts"], { operatorToken }: ts.BinaryExpression): boolean {
  const { FirstAssignment, LastAssignment } = ts.SyntaxKind;
  return operatorToken.kind >= FirstAssignment && operatorToken.kind <= LastAssignment;
}
