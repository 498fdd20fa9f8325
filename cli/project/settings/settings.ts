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
  readonly place: SourcePlace;
  /** The code that decides the value, with the statements that may end the function before. */
  readonly nodes: readonly ts.Node[];
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
    const prefix = `${parameter.text}.${holder}`;
    const reader: Reader = { reading, names, prefix, body: found.body, exits: [] };
    if (ts.isBlock(found.body)) readAll(found.body.statements, reader);
    else visit(found.body, reader, { isSure: true });
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
  readonly body: ts.ConciseBody;
  /** The statements so far that may end the function. */
  readonly exits: ts.Node[];
}

/** Reads statements in order; returns whether the function goes on after them. */
function readAll(statements: readonly ts.Statement[], reader: Reader): boolean {
  return statements.every((statement) => readStatement(statement, reader));
}

function readStatement(statement: ts.Statement, reader: Reader): boolean {
  if (ts.isReturnStatement(statement)) return false;
  if (ts.isBlock(statement)) return readAll(statement.statements, reader);
  if (ts.isIfStatement(statement)) {
    const holds = holdsInProduction(statement.expression, reader);
    const taken = holds === true ? statement.thenStatement : statement.elseStatement;
    if (holds !== undefined) return taken === undefined || readStatement(taken, reader);
  }
  const isSure = ts.isExpressionStatement(statement) && reader.exits.length === 0;
  visit(ts.isExpressionStatement(statement) ? statement.expression : statement, reader, { isSure });
  if (endsFunction(statement)) reader.exits.push(statement);
  return true;
}

/** Collects the assignments in a node, and records where other code gets the configuration. */
function visit(node: ts.Node, reader: Reader, { isSure = false } = {}): void {
  // Nested functions run later, when the settings are frozen.
  if (ts.isFunctionLike(node)) return;
  if (ts.isParenthesizedExpression(node)) return visit(node.expression, reader, { isSure });
  const path = isAssignment(node) ? settingOf(node.left, reader) : undefined;
  if (path && isAssignment(node)) {
    const operator = node.operatorToken.getText();
    const isFallback = operator === "??=" || operator === "||=";
    const value = isFallback || operator === "=" ? node.right : undefined;
    const statement = ts.findAncestor(node, (at) => at.parent === reader.body) ?? node;
    const nodes = isSure ? [node] : [...reader.exits, statement];
    reader.reading.assignments.push({
      path,
      value,
      place: nodePlace(node),
      nodes,
      isSure,
      isFallback,
    });
    return visit(node.right, reader);
  }
  if (ts.isIdentifier(node) && reader.prefix.startsWith(`${node.text}.`)) checkUse(node, reader);
  ts.forEachChild(node, (child) => visit(child, reader));
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
  const text = `${membersOf(expression)}.`;
  return text.startsWith(prefix) ? text.slice(prefix.length).replace(/\.$/, "") : undefined;
}

/** Returns `parameter.a.b` without blanks; `""` for other expressions. */
function membersOf(expression: ts.Expression): string {
  const text = expression.getText().replaceAll(/\s+/g, "");
  return /^[\w$.]+$/.test(text) ? text : "";
}

function holdsInProduction(condition: ts.Expression, { prefix }: Reader): boolean | undefined {
  if (!ts.isBinaryExpression(condition)) return undefined;
  const { left, right, operatorToken: { kind } } = condition;
  const [parameter = ""] = prefix.split(".");
  const isEnv = [`${parameter}.env`, `${parameter}.config.env`].includes(membersOf(left));
  if (!isEnv || !ts.isStringLiteral(right)) return undefined;
  const isEqual = right.text === "prod";
  if (kind === ts.SyntaxKind.EqualsEqualsEqualsToken) return isEqual;
  return kind === ts.SyntaxKind.ExclamationEqualsEqualsToken ? !isEqual : undefined;
}

export type ValueSource =
  | { readonly kind: "default" }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "code"; readonly place: SourcePlace; readonly nodes: readonly ts.Node[] };

/** A value that a condition decides is unknown, and not sure to be set. */
export type SettingValue =
  & { readonly source: ValueSource }
  & (
    | { readonly kind: "known"; readonly value: KnownValue }
    | { readonly kind: "off" }
    | { readonly kind: "unknown"; readonly isSure: boolean }
  );

export interface ProductionSettings {
  read(path: string): SettingValue;
  readonly unread: SourcePlace | undefined;
}

export function productionSettings(config: StaticConfig, env: Io["env"]): ProductionSettings {
  const scope = { names: config.names, env };
  return {
    unread: config.unread,
    read: (path) => {
      let value = initialValue(path, env);
      for (const assignment of config.assignments) {
        const made = valueAt(path, assignment, scope);
        if (made === undefined) continue;
        const { isSure, isFallback, place, nodes } = assignment;
        if (isFallback && !isAbsent(value)) continue;
        const before = value.source.kind === "code" ? value.source.nodes : [];
        const source = { kind: "code", place, nodes: [...before, ...nodes] } as const;
        value = isSure ? made : { kind: "unknown", isSure, source };
      }
      return value;
    },
  };
}

export function knownText(settings: ProductionSettings, path: string): string | undefined {
  const value = settings.read(path);
  return value.kind === "known" && typeof value.value === "string" ? value.value : undefined;
}

export function isSetTrue(value: SettingValue): boolean {
  return value.kind === "known" && value.value === true;
}

export function isAbsent(value: SettingValue): boolean {
  return value.kind === "known" && (value.value === undefined || value.value === "");
}

/** Reports whether a setting may have a value other than its empty default. */
export function mayBeSet(value: SettingValue): boolean {
  if (value.kind !== "known") return value.kind === "unknown";
  return Array.isArray(value.value) ? value.value.length > 0 : Boolean(value.value);
}

/** Reports whether a setting has a value at every start. */
export function isSurelySet(value: SettingValue): boolean {
  return mayBeSet(value) && (value.kind !== "unknown" || value.isSure);
}

function initialValue(path: string, env: Io["env"]): SettingValue {
  const [kind, , variable] = rows.get(path) ?? [];
  const text = variable === undefined ? undefined : env[variable];
  if (variable === undefined || text === undefined || text === "") {
    return { kind: "known", value: undefined, source: { kind: "default" } };
  }
  const source: ValueSource = { kind: "variable", name: variable };
  return { kind: "known", value: kind === "texts" ? splitVariable(text) : text, source };
}

function splitVariable(text: string): string[] {
  return text.split(",").map((entry) => entry.trim()).filter((entry) => entry !== "");
}

type Scope = Pick<ValueScope, "names"> & { readonly env: Io["env"] };

/** Returns the value that an assignment gives a setting, directly or through its group. */
function valueAt(
  path: string,
  { path: assigned, value, place, nodes }: Assignment,
  scope: Scope,
): SettingValue | undefined {
  const source: ValueSource = { kind: "code", place, nodes };
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
): SettingValue {
  const [value, ...others] = written === undefined
    ? []
    : writtenValues(written, { file: setupFile, ...scope });
  if (value === undefined || others.length > 0) return { kind: "unknown", isSure: true, source };
  if (value.kind === "off" || value.variable === undefined) return { ...value, source };
  return { ...value, source: { kind: "variable", name: value.variable } };
}

export function configuredLanguages(settings: ProductionSettings): readonly string[] {
  const tags = settings.read("languages");
  return tags.kind === "known" && Array.isArray(tags.value)
    ? [...new Set(tags.value.map(String))]
    : [];
}

/** Returns the language without script and region, which a catalog may leave out. */
export function primaryLanguage(tag: string): string {
  return tag.toLowerCase().split("-")[0] ?? tag;
}

/** Returns the default of a setting that is a number. */
export function defaultNumber(path: string): number {
  return Number(rows.get(path)?.[1]);
}

export function configuredBodyBytes(settings: ProductionSettings): number | undefined {
  const bytes = settings.read("maxBodyBytes");
  if (bytes.kind !== "known") return undefined;
  if (bytes.value === undefined) return defaultNumber("maxBodyBytes");
  return typeof bytes.value === "number" ? bytes.value : undefined;
}
