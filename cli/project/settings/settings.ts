/**
 * Reads the settings that `Config` and `Setup` of `app/setup.ts` assign, from the syntax alone. It
 * understands assignments to members of the configuration and conditions on `config.env`. If the
 * configuration is used in any other way, the settings are unknown.
 */
import { settingRows, type SourcePlace } from "@fw/fw/addon";
import { appFolder } from "@fw/fw/conventions";
import ts from "npm:typescript@6.0.3";
import { Names } from "../sources/names.ts";
import type { Sources } from "../sources/sources.ts";
import {
  endsFunction,
  functionIn,
  isAssignment,
  memberNamed,
  memberValue,
  nodePlace,
  unwrap,
} from "../sources/syntax.ts";
import { nameOfRead } from "../sources/calls.ts";
import type { Io } from "../../io.ts";
import { type KnownValue, type ValueScope, writtenValues } from "../sources/written_values.ts";

export interface Assignment {
  readonly path: string;
  /** The assigned expression; `undefined` for an operator such as `+=`. */
  readonly value: ts.Expression | undefined;
  readonly node: ts.Node;
  readonly place: SourcePlace;
  /** The assignment runs at every start in production. */
  readonly isSure: boolean;
  /** The assignment applies only to an unset value: `??=` and `||=`. */
  readonly isFallback: boolean;
}

export interface StaticConfig {
  readonly assignments: readonly Assignment[];
  readonly unread: SourcePlace | undefined;
  readonly names: Names;
}

export const setupFile = `${appFolder}/setup.ts`;

const rows = new Map(settingRows());

/** Reports whether a path names the configuration or a group of settings, which other code may change. */
function isGroup(path: string): boolean {
  return path === "" || path === "rateLimit" ||
    [...rows.keys()].some((each) => each.startsWith(`${path}.`));
}

export function staticConfigOf(sources: Sources): StaticConfig {
  const source = sources.read(setupFile);
  const reading: Reading = { assignments: [], unread: undefined };
  const names = new Names(sources);
  // The configuration is the parameter of `Config` and a member of the parameter of `Setup`.
  for (const [name, holder] of [["Config", ""], ["Setup", "config."]] as const) {
    const exported = source?.exports.names.get(name);
    if (source === undefined || exported === undefined) continue;
    const found = functionIn(exported.node);
    const parameter = found?.parameters[0]?.name;
    if (found !== undefined && parameter === undefined) continue;
    if (found?.body === undefined || !parameter || !ts.isIdentifier(parameter)) {
      reading.unread ??= { file: setupFile, line: exported.line, column: exported.column };
      continue;
    }
    const reader = { reading, names, prefix: `${parameter.text}.${holder}` };
    if (ts.isBlock(found.body)) readAll(found.body.statements, sure, reader);
    else visit(found.body, sure, reader);
  }
  return { ...reading, names };
}

interface Reading {
  readonly assignments: Assignment[];
  unread: SourcePlace | undefined;
}

interface Reader {
  readonly reading: Reading;
  readonly names: Names;
  /** The configuration as the function writes it, such as `app.config.`. */
  readonly prefix: string;
}

/** `may-end` if only some branches of a statement end the function. */
type Flow = "ends" | "may-end" | "goes-on";

// Whether an assignment runs in every environment.
const sure = true;
const unsure = false;

function readAll(statements: readonly ts.Statement[], isSure: boolean, reader: Reader): Flow {
  let flow: Flow = "goes-on";
  for (const statement of statements) {
    const next = readStatement(statement, isSure && flow === "goes-on", reader);
    if (next === "ends") return flow === "goes-on" ? "ends" : flow;
    if (next === "may-end") flow = next;
  }
  return flow;
}

function readStatement(statement: ts.Statement, isSure: boolean, reader: Reader): Flow {
  if (ts.isReturnStatement(statement)) return "ends";
  if (ts.isBlock(statement)) return readAll(statement.statements, isSure, reader);
  if (ts.isIfStatement(statement)) {
    const holds = holdsInProduction(statement.expression, reader);
    const taken = holds === true ? statement.thenStatement : statement.elseStatement;
    if (holds !== undefined) {
      return taken === undefined ? "goes-on" : readStatement(taken, isSure, reader);
    }
  }
  if (ts.isExpressionStatement(statement)) visit(statement.expression, isSure, reader);
  else visit(statement, unsure, reader);
  return endsFunction(statement) ? "may-end" : "goes-on";
}

/** Collects the assignments in a node, and records where other code gets the configuration. */
function visit(node: ts.Node, isSure: boolean, reader: Reader): void {
  // Nested functions run later, when the settings are frozen.
  if (ts.isFunctionLike(node)) return;
  if (ts.isParenthesizedExpression(node)) return visit(node.expression, isSure, reader);
  const path = isAssignment(node) ? settingOf(node.left, reader) : undefined;
  if (path && isAssignment(node)) {
    const { EqualsToken, QuestionQuestionEqualsToken, BarBarEqualsToken } = ts.SyntaxKind;
    const { kind } = node.operatorToken;
    const isFallback = kind === QuestionQuestionEqualsToken || kind === BarBarEqualsToken;
    const value = isFallback || kind === EqualsToken ? node.right : undefined;
    const place = nodePlace(node);
    reader.reading.assignments.push({ path, value, node, place, isSure, isFallback });
    return visit(node.right, unsure, reader);
  }
  if (ts.isIdentifier(node) && reader.prefix.startsWith(`${node.text}.`)) checkUse(node, reader);
  ts.forEachChild(node, (child) => visit(child, unsure, reader));
}

/** Records a use of the configuration or a group as a whole, which other code may change. */
function checkUse(parameter: ts.Identifier, reader: Reader): void {
  const { parent } = parameter;
  const isName = (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) &&
    parent.name === parameter;
  if (isName) return;
  let at: ts.Expression = parameter;
  while (ts.isPropertyAccessExpression(at.parent)) at = at.parent;
  const path = settingOf(at, reader);
  if (path === undefined || (!isGroup(path) && !ts.isDeleteExpression(at.parent))) return;
  // The library's `variable(config, "NAME")` does not change it.
  if (ts.isCallExpression(at.parent) && nameOfRead(at.parent, reader.names) !== undefined) return;
  reader.reading.unread ??= nodePlace(at);
}

/** Returns the name of a setting, such as `security.csp`; `""` for the configuration itself. */
function settingOf(expression: ts.Expression, { prefix }: Reader): string | undefined {
  const text = `${membersOf(expression) ?? ""}.`;
  return text.startsWith(prefix) ? text.slice(prefix.length).replace(/\.$/, "") : undefined;
}

function membersOf(expression: ts.Expression): string | undefined {
  if (ts.isIdentifier(expression)) return expression.text;
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  const owner = membersOf(expression.expression);
  return owner && `${owner}.${expression.name.text}`;
}

function holdsInProduction(condition: ts.Expression, { prefix }: Reader): boolean | undefined {
  if (!ts.isBinaryExpression(condition)) return undefined;
  const { left, right, operatorToken: { kind } } = condition;
  const [parameter = ""] = prefix.split(".");
  const isEnv = [`${parameter}.env`, `${parameter}.config.env`].includes(membersOf(left) ?? "");
  if (!isEnv || !ts.isStringLiteral(right)) return undefined;
  const isEqual = right.text === "prod";
  if (kind === ts.SyntaxKind.EqualsEqualsEqualsToken) return isEqual;
  return kind === ts.SyntaxKind.ExclamationEqualsEqualsToken ? !isEqual : undefined;
}

export type ValueSource =
  | { readonly kind: "default" }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "code"; readonly place: SourcePlace; readonly node: ts.Node };

export type PossibleValue =
  & { readonly source: ValueSource }
  & (
    | { readonly kind: "known"; readonly value: KnownValue }
    | { readonly kind: "off" }
    | { readonly kind: "unknown" }
  );

export interface ProductionSettings {
  /** Returns the possible values of a setting; exactly one if it is certain. */
  possible(path: string): readonly PossibleValue[];
  readonly unread: SourcePlace | undefined;
}

export function productionSettings(config: StaticConfig, env: Io["env"]): ProductionSettings {
  const { names } = config;
  return {
    unread: config.unread,
    possible: (path) => {
      let values: PossibleValue[] = [initialValue(path, env)];
      for (const assignment of config.assignments) {
        const made = valueAt(path, assignment, { names, env });
        if (made === undefined) continue;
        const { isFallback, isSure } = assignment;
        const after = isFallback ? values.map((each) => isAbsent(each) ? made : each) : [made];
        values = isSure ? after : [...new Set([...values, ...after])];
      }
      return values;
    },
  };
}

export function knownTexts(settings: ProductionSettings, path: string): string[] {
  return settings.possible(path).flatMap((value) =>
    value.kind === "known" && typeof value.value === "string" ? [value.value] : []
  );
}

export function isSetTrue(value: PossibleValue): boolean {
  return value.kind === "known" && value.value === true;
}

export function isAbsent(value: PossibleValue): boolean {
  return value.kind === "known" && (value.value === undefined || value.value === "");
}

function initialValue(path: string, env: Io["env"]): PossibleValue {
  const [kind, , variable] = rows.get(path) ?? [];
  const text = variable === undefined ? undefined : env[variable];
  if (variable === undefined || text === undefined || text === "") {
    return { kind: "known", value: undefined, source: { kind: "default" } };
  }
  const source: ValueSource = { kind: "variable", name: variable };
  return { kind: "known", value: kind === "texts" ? splitVariable(text) : text, source };
}

export function splitVariable(text: string): string[] {
  return text.split(",").map((entry) => entry.trim()).filter((entry) => entry !== "");
}

type Scope = Pick<ValueScope, "names"> & { readonly env: Io["env"] };

/** Returns the value that an assignment gives a setting, directly or through its group. */
function valueAt(
  path: string,
  { path: assigned, value, node, place }: Assignment,
  scope: Scope,
): PossibleValue | undefined {
  const source: ValueSource = { kind: "code", place, node };
  if (assigned === path) return evaluate(value, source, scope);
  if (!path.startsWith(`${assigned}.`)) return undefined;
  let part: ts.Expression | null | undefined = value;
  for (const name of path.slice(assigned.length + 1).split(".")) {
    part &&= memberOf(part, name);
  }
  return part === null
    ? { kind: "known", value: undefined, source }
    : evaluate(part, source, scope);
}

/** Returns a member of an object literal: `null` if it is missing, `undefined` if unknown. */
function memberOf(written: ts.Expression, name: string): ts.Expression | null | undefined {
  const literal = unwrap(written);
  if (!ts.isObjectLiteralExpression(literal)) return undefined;
  // Spread and computed members may have any name.
  if (literal.properties.some((each) => !each.name || ts.isComputedPropertyName(each.name))) {
    return undefined;
  }
  const found = memberNamed(literal, name);
  return found === undefined ? null : memberValue(found);
}

function evaluate(
  written: ts.Expression | undefined,
  source: ValueSource,
  scope: Scope,
): PossibleValue {
  const [value, ...others] = written === undefined
    ? []
    : writtenValues(written, { file: setupFile, ...scope });
  if (value === undefined || others.length > 0) return { kind: "unknown", source };
  if (value.kind === "off" || value.variable === undefined) return { ...value, source };
  return { ...value, source: { kind: "variable", name: value.variable } };
}

export function configuredLanguages(settings: ProductionSettings): readonly string[] {
  const tags = settings.possible("languages").flatMap((value) =>
    value.kind === "known" && Array.isArray(value.value) ? value.value.map(String) : []
  );
  return [...new Set(tags)];
}

/** Returns the language without script and region, which a catalog may leave out. */
export function primaryLanguage(tag: string): string {
  return tag.toLowerCase().split("-")[0] ?? tag;
}

export function defaultNumber(path: string): number {
  return Number(rows.get(path)?.[1]);
}

export function configuredBodyBytes(settings: ProductionSettings): number | undefined {
  const [first, ...others] = settings.possible("maxBodyBytes");
  if (first?.kind !== "known" || others.length > 0) return undefined;
  if (first.value === undefined) return defaultNumber("maxBodyBytes");
  return typeof first.value === "number" ? first.value : undefined;
}
