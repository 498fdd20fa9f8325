/**
 * Reads the settings that `Config` and `Setup` of `app/setup.ts` make, from the syntax alone. It
 * understands assignments to members of the configuration and conditions on `config.env`. If the
 * configuration is used in another way, the settings count as not read.
 */
import { appFolder } from "@fw/fw/conventions";
import type ts from "npm:typescript@6.0.3";
import type { Position } from "../../problem.ts";
import { positionOf } from "../sources/module_names.ts";
import type { Source, Sources } from "../sources/sources.ts";
import { nameOfRead } from "../sources/variables.ts";
import { type Scope, type StaticValue, staticValueOf, unknown } from "./value.ts";
import { functionIn } from "../sources/functions.ts";

export interface Place extends Position {
  /** The file, relative to the project, with `/`. */
  readonly file: string;
}

export interface Assignment {
  /** The setting's name with dots, such as `observability.metrics`. */
  readonly path: string;
  readonly value: StaticValue;
  readonly place: Place;
  /** It is made at every start in production. */
  readonly isSure: boolean;
  /** It applies only to an unset value: `??=` and `||=`. */
  readonly isFallback: boolean;
}

/** Both functions together, as far as the syntax tells. */
export interface StaticConfig {
  readonly assignments: readonly Assignment[];
  /** The first place where settings may be made that are not in the list. */
  readonly unread: Place | undefined;
}

const setupFile = `${appFolder}/setup.ts`;

const groups: ReadonlySet<string> = new Set([
  "",
  "bodyLimits",
  "openLimits",
  "cors",
  "csrf",
  "observability",
  "rateLimit",
  "security",
  "timeouts",
]);

/** Reads the settings of `Config`, then those of `Setup`, without code for development. */
export function staticConfigOf(sources: Sources): StaticConfig {
  const source = sources.read(setupFile);
  const reading: Reading = { assignments: [], unread: undefined };
  if (source === undefined) return reading;
  const scope = scopeOf(sources, source);
  // The configuration is the parameter of Config, and a member of the parameter of Setup.
  for (const [name, holder] of [["Config", []], ["Setup", ["config"]]] as const) {
    const exported = source.exports.names.get(name);
    if (exported === undefined) continue;
    const found = functionIn(scope.ts, exported.node);
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

function scopeOf({ ts }: Sources, { exports: { declared, imported } }: Source): Scope {
  const constants = [...declared].flatMap(([name, node]) =>
    ts.isVariableDeclaration(node) && node.initializer !== undefined &&
      (ts.getCombinedNodeFlags(node) & ts.NodeFlags.Const) !== 0
      ? [[name, node.initializer] as const]
      : []
  );
  const names = [...imported].map(([local, { name }]) => [local, name] as const);
  return { ts, constants: new Map(constants), imported: new Map(names) };
}

interface ReaderOptions {
  readonly scope: Scope;
  readonly tree: ts.SourceFile;
  /** The name of the function's parameter. */
  readonly parameter: string;
  /** The members of the parameter that lead to the configuration. */
  readonly holder: readonly string[];
}

/** Reports whether a node is a call of the library's `variable(config, "NAME")`, which changes nothing. */
function readsVariable({ scope: { ts } }: ReaderOptions, node: ts.Node): boolean {
  return ts.isCallExpression(node) && nameOfRead(ts, node) !== undefined;
}

/** `may-end` where a branch of the statement ends the function. */
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

  /** Collects the assignments in a node, and notes where the configuration leaves the function. */
  #visit(node: ts.Node, { isSure }: Sureness): void {
    const { ts } = this.#options.scope;
    // Nested functions run later, when the settings are frozen.
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
    // The result of any other operator is only known at run time.
    const isRead = isFallback || kind === SyntaxKind.EqualsToken;
    const value = isRead ? staticValueOf(scope, node.right) : unknown;
    const place = { file: setupFile, ...positionOf(tree, node) };
    this.#reading.assignments.push({ path, value, place, isSure, isFallback });
  }

  /** Notes a use of the configuration as a whole or of a group, which other code may change. */
  #checkUse(parameter: ts.Identifier): void {
    const { ts } = this.#options.scope;
    const outer = outermostMember(ts, parameter);
    if (outer === undefined) return;
    const path = this.#settingOf(outer);
    const isChanged = outer.parent !== undefined && ts.isDeleteExpression(outer.parent);
    if (path === undefined || (!groups.has(path) && !isChanged)) return;
    if (outer.parent !== undefined && readsVariable(this.#options, outer.parent)) return;
    this.#reading.unread ??= {
      file: setupFile,
      ...positionOf(this.#options.tree, outer),
    };
  }

  /** Returns the name of a setting, such as `security.csp`; `""` for the configuration itself. */
  #settingOf(expression: ts.Expression): string | undefined {
    const names = this.#membersOf(expression);
    const { holder } = this.#options;
    if (names === undefined || holder.some((name, index) => names[index] !== name)) {
      return undefined;
    }
    return names.slice(holder.length).join(".");
  }

  /** Returns the members of `parameter.a.b`. */
  #membersOf(expression: ts.Expression): readonly string[] | undefined {
    const { scope: { ts }, parameter } = this.#options;
    if (ts.isIdentifier(expression)) return expression.text === parameter ? [] : undefined;
    if (!ts.isPropertyAccessExpression(expression)) return undefined;
    const names = this.#membersOf(expression.expression);
    return names === undefined ? undefined : [...names, expression.name.text];
  }

  /** Evaluates `config.env === "prod"` and similar conditions for production. */
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
  /** The code runs at every start in production. */
  readonly isSure: boolean;
}

/** Returns the whole of `parameter.a.b`; `undefined` if the name is a member of something else. */
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
