/**
 * Reads the settings that `Config` and `Setup` of `app/setup.ts` make, from the syntax alone. It
 * understands assignments to members of the configuration and conditions on `config.env`. If the
 * configuration is used in another way, the settings count as not read.
 */
import { appFolder } from "@fw/fw/conventions";
import type ts from "npm:typescript@6.0.3";
import type { Position } from "../../problem.ts";
import { functionIn } from "../sources/functions.ts";
import { positionOf, type TypeScript } from "../sources/module_names.ts";
import type { Sources } from "../sources/sources.ts";
import { nameOfRead } from "../sources/variables.ts";

export interface Place extends Position {
  readonly file: string;
}

export interface Assignment {
  readonly path: string;
  /** The assigned expression; `undefined` where an operator such as `+=` makes the value. */
  readonly value: ts.Expression | undefined;
  readonly place: Place;
  /** It is made at every start in production. */
  readonly isSure: boolean;
  /** It applies only to an unset value: `??=` and `||=`. */
  readonly isFallback: boolean;
}

export interface StaticConfig {
  readonly assignments: readonly Assignment[];
  readonly unread: Place | undefined;
  readonly sources: Sources;
}

export const setupFile = `${appFolder}/setup.ts`;

const groups = /^(?:|bodyLimits|openLimits|cors|csrf|observability|rateLimit|security|timeouts)$/;

export function staticConfigOf(sources: Sources): StaticConfig {
  const source = sources.read(setupFile);
  const reading: Reading = { assignments: [], unread: undefined };
  // The configuration is the parameter of Config, and a member of the parameter of Setup.
  for (const [name, holder] of [["Config", ""], ["Setup", "config."]] as const) {
    const exported = source?.exports.names.get(name);
    if (source === undefined || exported === undefined) continue;
    const found = functionIn(sources.ts, exported.node);
    const parameter = found?.parameters[0]?.name;
    if (found !== undefined && parameter === undefined) continue;
    if (found?.body === undefined || !parameter || !sources.ts.isIdentifier(parameter)) {
      reading.unread ??= { file: setupFile, line: exported.line, column: exported.column };
    } else new Reader(sources.ts, reading, `${parameter.text}.${holder}`).readBody(found.body);
  }
  return { ...reading, sources };
}

interface Reading {
  readonly assignments: Assignment[];
  unread: Place | undefined;
}

/** `may-end` where a branch of the statement ends the function. */
type Flow = "ends" | "may-end" | "goes-on";

// Whether an assignment runs whatever the environment is.
const sure = true;
const unsure = false;

class Reader {
  readonly #ts: TypeScript;
  readonly #reading: Reading;
  readonly #prefix: string;

  constructor(parser: TypeScript, reading: Reading, prefix: string) {
    this.#ts = parser;
    this.#reading = reading;
    this.#prefix = prefix;
  }

  readBody(body: ts.ConciseBody): void {
    if (this.#ts.isBlock(body)) this.#readAll(body.statements, sure);
    else this.#visit(body, sure);
  }

  #readAll(statements: readonly ts.Statement[], isSure: boolean): Flow {
    let flow: Flow = "goes-on";
    for (const statement of statements) {
      const next = this.#readStatement(statement, isSure && flow === "goes-on");
      if (next === "ends") return flow === "goes-on" ? "ends" : flow;
      if (next === "may-end") flow = next;
    }
    return flow;
  }

  #readStatement(statement: ts.Statement, isSure: boolean): Flow {
    const ts = this.#ts;
    if (ts.isReturnStatement(statement)) return "ends";
    if (ts.isBlock(statement)) return this.#readAll(statement.statements, isSure);
    const holds = ts.isIfStatement(statement) && this.#holdsInProduction(statement.expression);
    if (ts.isIfStatement(statement) && typeof holds === "boolean") {
      const taken = holds ? statement.thenStatement : statement.elseStatement;
      return taken === undefined ? "goes-on" : this.#readStatement(taken, isSure);
    }
    if (ts.isExpressionStatement(statement)) this.#visit(statement.expression, isSure);
    else this.#visit(statement, unsure);
    return this.#returns(statement) ? "may-end" : "goes-on";
  }

  /** Collects the assignments in a node, and notes where the configuration leaves the function. */
  #visit(node: ts.Node, isSure: boolean): void {
    const ts = this.#ts;
    const { SyntaxKind } = ts;
    // Nested functions run later, when the settings are frozen.
    if (ts.isFunctionLike(node)) return;
    if (ts.isParenthesizedExpression(node)) return this.#visit(node.expression, isSure);
    const path = ts.isBinaryExpression(node) ? this.#settingOf(node.left) : undefined;
    const kind = ts.isBinaryExpression(node) ? node.operatorToken.kind : SyntaxKind.Unknown;
    const isAssignment = kind >= SyntaxKind.FirstAssignment && kind <= SyntaxKind.LastAssignment;
    if (path && ts.isBinaryExpression(node) && isAssignment) {
      const isFallback = kind === SyntaxKind.QuestionQuestionEqualsToken ||
        kind === SyntaxKind.BarBarEqualsToken;
      const value = isFallback || kind === SyntaxKind.EqualsToken ? node.right : undefined;
      const place = this.#placeOf(node);
      this.#reading.assignments.push({ path, value, place, isSure, isFallback });
      return this.#visit(node.right, unsure);
    }
    if (ts.isIdentifier(node) && this.#prefix.startsWith(`${node.text}.`)) this.#checkUse(node);
    ts.forEachChild(node, (child) => this.#visit(child, unsure));
  }

  /** Notes a use of the configuration as a whole or of a group, which other code may change. */
  #checkUse(parameter: ts.Identifier): void {
    const ts = this.#ts;
    const { parent } = parameter;
    const isName = (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) &&
      parent.name === parameter;
    if (isName) return;
    let at: ts.Expression = parameter;
    while (ts.isPropertyAccessExpression(at.parent)) at = at.parent;
    const path = this.#settingOf(at);
    if (path === undefined || (!groups.test(path) && !ts.isDeleteExpression(at.parent))) return;
    // `variable(config, "NAME")` of the library changes nothing.
    if (ts.isCallExpression(at.parent) && nameOfRead(ts, at.parent) !== undefined) return;
    this.#reading.unread ??= this.#placeOf(at);
  }

  #placeOf(node: ts.Node): Place {
    return { file: setupFile, ...positionOf(node.getSourceFile(), node) };
  }

  /** Returns the name of a setting, such as `security.csp`; `""` for the configuration itself. */
  #settingOf(expression: ts.Expression): string | undefined {
    const text = `${this.#membersOf(expression) ?? ""}.`;
    return text.startsWith(this.#prefix)
      ? text.slice(this.#prefix.length).replace(/\.$/, "")
      : undefined;
  }

  /** Returns `parameter.a.b` without blanks. */
  #membersOf(expression: ts.Expression): string | undefined {
    if (this.#ts.isIdentifier(expression)) return expression.text;
    if (!this.#ts.isPropertyAccessExpression(expression)) return undefined;
    const owner = this.#membersOf(expression.expression);
    return owner && `${owner}.${expression.name.text}`;
  }

  #holdsInProduction(condition: ts.Expression): boolean | undefined {
    const ts = this.#ts;
    if (!ts.isBinaryExpression(condition)) return undefined;
    const { left, right, operatorToken: { kind } } = condition;
    const [parameter = ""] = this.#prefix.split(".");
    const isEnv = new RegExp(`^${parameter}\\.(?:config\\.)?env$`)
      .test(this.#membersOf(left) ?? "");
    if (!isEnv || !ts.isStringLiteral(right)) return undefined;
    const isEqual = right.text === "prod";
    if (kind === ts.SyntaxKind.EqualsEqualsEqualsToken) return isEqual;
    return kind === ts.SyntaxKind.ExclamationEqualsEqualsToken ? !isEqual : undefined;
  }

  #returns(node: ts.Node): boolean {
    const ts = this.#ts;
    if (ts.isFunctionLike(node)) return false;
    return ts.isReturnStatement(node) ||
      ts.forEachChild(node, (child) => this.#returns(child) || undefined) === true;
  }
}
