/**
 * Reads which settings `Config` and `Setup` of `app/setup.ts` make, by their syntax alone.
 *
 * @module
 */
import type ts from "typescript";
import type { TypeScript } from "../sources/exports.ts";
import { findSetupFunction, type FoundFunction } from "./setup_function.ts";
import { readValue, type Scope, type StaticValue, unknown } from "./static_value.ts";
import type { Position } from "../../problem.ts";

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
  /** Where settings are handed to code that is not read; `undefined` where they never are. */
  readonly unread: Place | undefined;
}

/**
 * Reads the settings that the application's `Config` makes, then those that its `Setup` makes. Code for
 * another environment than production is passed over.
 *
 * @param root The project's folder, absolute.
 */
export async function readStaticConfig(root: string): Promise<StaticConfig> {
  const { default: ts } = await import("typescript");
  const config = await readFunction(root, { ts, name: "Config", parameter: "" });
  const setup = await readFunction(root, { ts, name: "Setup", parameter: application });
  return {
    assignments: [...config.assignments, ...setup.assignments],
    unread: config.unread ?? setup.unread,
  };
}

async function readFunction(
  root: string,
  options: { readonly ts: TypeScript; readonly name: string; readonly parameter: string },
): Promise<StaticConfig> {
  const { ts, name, parameter } = options;
  const lookup = await findSetupFunction(root, { ts, name });
  if (lookup.kind === "missing") return { assignments: [], unread: undefined };
  if (lookup.kind === "unread") {
    return { assignments: [], unread: { file: lookup.file, line: 1, column: 1 } };
  }
  const reader = new ConfigReader(ts, lookup.found);
  reader.read(parameter);
  return { assignments: reader.assignments, unread: reader.unread };
}

/** The path of the application itself, of which the configuration is a part. */
const application = "<application>";

/** Walks the function once, statement by statement. */
class ConfigReader {
  readonly assignments: Assignment[] = [];
  unread: Place | undefined = undefined;
  readonly #ts: TypeScript;
  readonly #found: FoundFunction;
  readonly #constants = new Map<string, ts.Expression>();
  readonly #imported = new Map<string, string>();
  /** Names that stand for the configuration or for a group of it, with the group's path. */
  readonly #groups = new Map<string, string>();
  readonly #scope: Scope;
  #isSure = true;

  constructor(ts: TypeScript, found: FoundFunction) {
    this.#ts = ts;
    this.#found = found;
    this.#scope = {
      ts,
      constants: this.#constants,
      imported: this.#imported,
      inProduction: (condition) => this.#inProduction(condition),
    };
  }

  /** Reads the file's constants, then the function, whose parameter stands for a path. */
  read(path: string): void {
    const { source, node } = this.#found;
    for (const statement of source.statements) this.#readTopLevel(statement);
    const [parameter] = node.parameters;
    if (parameter === undefined || node.body === undefined) return;
    this.#bind(parameter.name, path);
    if (this.#ts.isBlock(node.body)) this.#walk(node.body.statements);
    else this.#readExpression(node.body);
  }

  #readTopLevel(statement: ts.Statement): void {
    const ts = this.#ts;
    if (ts.isVariableStatement(statement)) return this.#readConstants(statement);
    if (!ts.isImportDeclaration(statement)) return;
    const bindings = statement.importClause?.namedBindings;
    if (bindings === undefined || !ts.isNamedImports(bindings)) return;
    for (const { name, propertyName } of bindings.elements) {
      this.#imported.set(name.text, (propertyName ?? name).text);
    }
  }

  #readConstants(statement: ts.VariableStatement): void {
    const ts = this.#ts;
    const { declarations, flags } = statement.declarationList;
    for (const { name, initializer } of declarations) {
      if (initializer === undefined) continue;
      const path = this.#pathOf(initializer);
      if (path !== undefined) this.#bind(name, path);
      else if (ts.isIdentifier(name) && (flags & ts.NodeFlags.Const) !== 0) {
        this.#constants.set(name.text, initializer);
      }
    }
  }

  /** Remembers the names of a pattern as parts of the configuration. */
  #bind(name: ts.BindingName, path: string): void {
    const ts = this.#ts;
    if (ts.isIdentifier(name)) {
      this.#groups.set(name.text, path);
      return;
    }
    for (const element of name.elements) {
      if (!ts.isBindingElement(element)) continue;
      const key = element.propertyName ?? element.name;
      if (ts.isIdentifier(key)) this.#bind(element.name, joinPath(path, key.text));
    }
  }

  /** Gives whether the function ends in one of the statements. */
  #walk(statements: readonly ts.Statement[]): boolean {
    return statements.some((statement) => this.#readStatement(statement));
  }

  /** Gives whether the function ends here. */
  #readStatement(statement: ts.Statement): boolean {
    const ts = this.#ts;
    if (ts.isReturnStatement(statement)) return true;
    if (ts.isBlock(statement)) return this.#walk(statement.statements);
    if (ts.isIfStatement(statement)) return this.#readIf(statement);
    if (ts.isVariableStatement(statement)) {
      this.#readConstants(statement);
      for (const { initializer } of statement.declarationList.declarations) {
        if (initializer !== undefined) this.#findEscapes(initializer);
      }
    } else if (ts.isExpressionStatement(statement)) {
      this.#readExpression(statement.expression);
    } else if (ts.isTryStatement(statement)) {
      this.#walk(statement.tryBlock.statements);
      this.#perhaps(() => void this.#walk(statement.catchClause?.block.statements ?? []));
      this.#walk(statement.finallyBlock?.statements ?? []);
    } else {
      // Loops and switches: what is in them may run or not.
      this.#perhaps(() => ts.forEachChild(statement, (child) => this.#readInner(child)));
    }
    if (this.#returns(statement)) this.#isSure = false;
    return false;
  }

  #readInner(node: ts.Node): void {
    const ts = this.#ts;
    if (ts.isStatement(node)) this.#readStatement(node);
    else ts.forEachChild(node, (child) => this.#readInner(child));
  }

  #readIf(statement: ts.IfStatement): boolean {
    const { expression, thenStatement, elseStatement } = statement;
    const isTrue = this.#inProduction(expression);
    if (isTrue === undefined) {
      this.#perhaps(() => {
        this.#readStatement(thenStatement);
        if (elseStatement !== undefined) this.#readStatement(elseStatement);
      });
      if (this.#returns(thenStatement) || this.#returns(elseStatement)) this.#isSure = false;
      return false;
    }
    const taken = isTrue ? thenStatement : elseStatement;
    return taken !== undefined && this.#readStatement(taken);
  }

  #perhaps(work: () => void): void {
    const before = this.#isSure;
    this.#isSure = false;
    work();
    this.#isSure = before;
  }

  #returns(node: ts.Node | undefined): boolean {
    const ts = this.#ts;
    if (node === undefined || ts.isFunctionLike(node)) return false;
    return ts.isReturnStatement(node) ||
      ts.forEachChild(node, (child) => this.#returns(child) || undefined) === true;
  }

  #readExpression(expression: ts.Expression): void {
    const ts = this.#ts;
    if (ts.isParenthesizedExpression(expression) || ts.isAwaitExpression(expression)) {
      return this.#readExpression(expression.expression);
    }
    if (ts.isBinaryExpression(expression) && isAssignment(ts, expression)) {
      const path = this.#pathOf(expression.left);
      if (path !== undefined) {
        const { kind } = expression.operatorToken;
        const isFallback = kind === ts.SyntaxKind.QuestionQuestionEqualsToken ||
          kind === ts.SyntaxKind.BarBarEqualsToken;
        // Any other operator makes something of the value before, which only a run can tell.
        const value = isFallback || kind === ts.SyntaxKind.EqualsToken
          ? readValue(this.#scope, expression.right)
          : unknown;
        this.#assign(path, { value, node: expression, isFallback });
        return this.#findEscapes(expression.right);
      }
    }
    if (this.#readObjectAssign(expression)) return;
    this.#findEscapes(expression);
  }

  /** `Object.assign(config.security, { … })`. */
  #readObjectAssign(expression: ts.Expression): boolean {
    const ts = this.#ts;
    if (!ts.isCallExpression(expression)) return false;
    const [target, ...sources] = expression.arguments;
    if (expression.expression.getText() !== "Object.assign" || target === undefined) return false;
    const path = this.#pathOf(target);
    if (path === undefined) return false;
    for (const source of sources) {
      const value = readValue(this.#scope, source);
      if (value.kind !== "group") this.#markUnread(source);
      else {
        for (const [name, member] of value.members) {
          this.#assign(joinPath(path, name), { value: member, node: source });
        }
      }
    }
    return true;
  }

  #assign(
    path: string,
    given: {
      readonly value: StaticValue;
      readonly node: ts.Node;
      readonly isFallback?: boolean;
    },
  ): void {
    const { value, node, isFallback = false } = given;
    if (path === "") return this.#markUnread(node);
    const place = this.#placeOf(node);
    this.assignments.push({ path, value, place, isSure: this.#isSure, isFallback });
  }

  /** Notices where the configuration, or a group of it, is handed to a function or set inside a value. */
  #findEscapes(node: ts.Node): void {
    const ts = this.#ts;
    if (ts.isFunctionLike(node)) return;
    // Whether it is made here, the code around it decides.
    const isHidden = ts.isBinaryExpression(node) && isAssignment(ts, node) &&
      this.#pathOf(node.left) !== undefined;
    if (isHidden) this.#markUnread(node);
    if (ts.isCallExpression(node)) {
      for (const argument of node.arguments) {
        const path = this.#pathOf(argument);
        if (path !== undefined && (path === "" || groups.has(path))) this.#markUnread(node);
      }
    }
    ts.forEachChild(node, (child) => this.#findEscapes(child));
  }

  #markUnread(node: ts.Node): void {
    this.unread ??= this.#placeOf(node);
  }

  #placeOf(node: ts.Node): Place {
    const { source, file } = this.#found;
    const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source));
    return { file, line: line + 1, column: character + 1 };
  }

  /** The path of `config.security.csp`; `""` for the configuration itself. */
  #pathOf(expression: ts.Expression): string | undefined {
    const ts = this.#ts;
    if (ts.isIdentifier(expression)) return this.#groups.get(expression.text);
    if (ts.isNonNullExpression(expression) || ts.isParenthesizedExpression(expression)) {
      return this.#pathOf(expression.expression);
    }
    if (ts.isPropertyAccessExpression(expression)) {
      const path = this.#pathOf(expression.expression);
      return path === undefined ? undefined : joinPath(path, expression.name.text);
    }
    if (!ts.isElementAccessExpression(expression)) return undefined;
    const path = this.#pathOf(expression.expression);
    const key = expression.argumentExpression;
    return path === undefined || !ts.isStringLiteralLike(key)
      ? undefined
      : joinPath(path, key.text);
  }

  /** Whether `config.env === "prod"` and the like hold in production. */
  #inProduction(condition: ts.Expression): boolean | undefined {
    const ts = this.#ts;
    if (ts.isParenthesizedExpression(condition)) return this.#inProduction(condition.expression);
    if (!ts.isBinaryExpression(condition)) return undefined;
    const { left, right, operatorToken } = condition;
    const path = this.#pathOf(left);
    const isEnv = path === "env" || path === joinPath(application, "env");
    if (!isEnv || !ts.isStringLiteralLike(right)) return undefined;
    const isEqual = right.text === "prod";
    if (operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken) return isEqual;
    return operatorToken.kind === ts.SyntaxKind.ExclamationEqualsEqualsToken ? !isEqual : undefined;
  }
}

/** The settings that hold settings. */
const groups: ReadonlySet<string> = new Set([
  "bodyLimits",
  "cors",
  "csrf",
  "observability",
  "rateLimit",
  "security",
  "timeouts",
]);

function joinPath(path: string, name: string): string {
  if (path === application && name === "config") return "";
  return path === "" ? name : `${path}.${name}`;
}

function isAssignment(ts: TypeScript, { operatorToken }: ts.BinaryExpression): boolean {
  const { FirstAssignment, LastAssignment } = ts.SyntaxKind;
  return operatorToken.kind >= FirstAssignment && operatorToken.kind <= LastAssignment;
}
