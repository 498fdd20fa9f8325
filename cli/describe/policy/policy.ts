/**
 * The policy of a project: one line for each route method and action, with its guards, limits and
 * caching; and `policy.txt`, which holds it.
 */
import { escapeLines } from "@fw/fw/addon";
import { nodePlace } from "../../project/sources/syntax.ts";
import {
  configuredBodyBytes,
  defaultNumber,
  isSetTrue,
  type ProductionSettings,
} from "../../project/settings/settings.ts";
import { type Operation, type Operations, reachOperations } from "../../facts/operations.ts";
import { fingerprint } from "../../facts/fingerprint.ts";
import { type Protection, protectionOf } from "../../facts/protection.ts";
import type { Reach } from "../../facts/reach.ts";
import type { Project } from "../../project/project.ts";
import { join } from "@std/path";
import type { Messages } from "../../messages/catalog.ts";
import type { Place, Problem } from "../../problem.ts";
import { readTextIfThere } from "../../project/files/look.ts";

const policyFields = [
  "kind",
  "csrf",
  "cors",
  "body",
  "rate",
  "read",
  "write",
  "cache",
  "guards",
  "middleware",
] as const;

export type PolicyField = typeof policyFields[number];

export interface PolicyLine {
  /** The method and the pattern, with the name of an action: `POST /events/{id}?/join`. */
  readonly name: string;
  readonly fields: Readonly<Record<PolicyField, string>>;
  /** The file of the route, relative to the project; absent in a line parsed from `policy.txt`. */
  readonly file?: string;
  readonly line?: number;
}

/** The value of an unset field. */
export const none = "-";

/** Reads the policy from the code, ignoring environment variables. */
export async function readPolicy(project: Project): Promise<PolicyLine[]> {
  const operations = await reachOperations(project);
  const settings = await project.settings({});
  return operations.list.map((operation) => {
    const line = lineOf(operation, operations, settings);
    // A guard's role or a limit's name may contain what a terminal interprets.
    const fields = Object.entries(line.fields).map(([name, text]) => [name, escapeLines(text)]);
    return { ...line, fields: Object.fromEntries(fields) };
  });
}

/** Returns the possible values of a setting as one word. @param show Formats a number. */
type SettingText = (path: string, show?: (value: number) => string) => string;

function lineOf(
  operation: Operation,
  operations: Operations,
  settings: ProductionSettings,
): PolicyLine {
  const { route, method, action, handler, isWrite } = operation;
  const { reach } = operations;
  const protection = protectionOf(operation, operations, {
    maxBodyBytes: configuredBodyBytes(settings),
    isMarked: true,
  });
  const start = handler && nodePlace(handler.node);
  const setting: SettingText = (path, show) => {
    const texts = settings.possible(path).map((value) => {
      if (value.kind === "off") return "off";
      // An unknown value is shown as a fingerprint of its code.
      if (value.kind === "unknown") {
        const { source } = value;
        if (source.kind !== "code") return "?";
        return fingerprint([{ file: source.place.file, node: source.node }], reach.fromAll([]));
      }
      // Only numbers have a default worth a word.
      const known = value.value ?? (show && defaultNumber(path));
      if (known === undefined) return none;
      return typeof known === "number" && show ? show(known) : String(known);
    });
    return [...new Set(texts)].map((text) => text.replaceAll(/\s+/g, "") || none).join("|");
  };
  const seconds = (ms: number): string => ms % 1_000 === 0 ? `${ms / 1_000}s` : `${ms}ms`;
  const deadline = (name: string): string => setting(`timeouts.${name}`, seconds);
  return {
    name: `${method} ${route.pattern}${action === undefined ? "" : `?/${action}`}`,
    file: handler?.file ?? route.file.path,
    ...(start === undefined ? {} : { line: start.line }),
    fields: {
      kind: route.kind,
      csrf: csrfOf(operation, settings),
      cors: corsOf(operation, reach) ?? setting("cors.origins"),
      body: isWrite ? bodyOf(protection, setting) : none,
      rate: listOf([...appRate(settings, setting), ...protection.limits]),
      read: !isWrite ? none : protection.dropsReadDeadline ? "off" : deadline("readMs"),
      write: protection.dropsWriteDeadline ? "off" : deadline("writeMs"),
      cache: listOf(protection.cache),
      guards: listOf(protection.guards),
      middleware: listOf([...new Set(operation.middleware.map(({ file }) => file))]),
    },
  };
}

/** Returns a list as one word, so that a line has as many words as fields. */
function listOf(values: readonly string[]): string {
  return values.length === 0 ? none : values.map((value) => value.replaceAll(/\s+/g, "")).join("+");
}

function csrfOf({ route, isWrite }: Operation, settings: ProductionSettings): string {
  if (!isWrite) return none;
  if (!route.checksCsrf) return "off";
  if (route.kind === "page" || route.kindFile?.kind === "page") return "token";
  const values = settings.possible("csrfForApi");
  if (values.every(isSetTrue)) return "token";
  return values.some((value) => isSetTrue(value) || value.kind === "unknown") ? "site?" : "site";
}

function corsOf({ route }: Operation, reach: Reach): string | undefined {
  if (!route.file.names.has("CORS")) return undefined;
  const declared = reach.find(route.file.path, "CORS");
  if (declared === undefined) return "route";
  const text = /\borigins\s*:\s*\[([^[\]]*)\]/.exec(declared.node.getText())?.[1];
  const shown = text?.replaceAll(/[\s"'`]+/g, "").replace(/,$/, "") ?? "";
  // A constant in the list may change without a change in this text.
  const isWhole = text !== undefined && literalList.test(text);
  const rest = isWhole ? [] : [fingerprint([declared], reach.fromAll([]))];
  return `route:${[...shown === "" ? [] : [shown], ...rest].join(",")}`;
}

const literalList = /^\s*(?:(?:"[^"]*"|'[^']*'|`[^`$]*`)\s*(?:,\s*|$))*$/;

function bodyOf({ allowedBytes }: Protection, setting: SettingText): string {
  if (typeof allowedBytes === "number") return sizeText(allowedBytes);
  return allowedBytes ?? setting("maxBodyBytes", sizeText);
}

function sizeText(bytes: number): string {
  const kib = bytes / 1_024;
  if (Number.isInteger(kib / 1_024)) return `${kib / 1_024}MiB`;
  return Number.isInteger(kib) ? `${kib}KiB` : `${bytes}B`;
}

function appRate(settings: ProductionSettings, setting: SettingText): readonly string[] {
  const rate = settings.possible("rateLimit.rate");
  const isSet = rate.some((value) => value.kind === "unknown" || value.source.kind !== "default");
  const isOff = rate.every((value) => value.kind === "known" && value.value === undefined);
  if (!isSet || isOff) return [];
  return [`app(${setting("rateLimit.rate")},${setting("rateLimit.burst")})`];
}

export const policyFile = "policy.txt";

const head = "# Who may call what, and how much. Written by `fw policy`; commit it.\n";

/** Returns the text of the file. Fields without a setting are omitted, which keeps lines short. */
export function formatPolicy(lines: readonly PolicyLine[]): string {
  const texts = lines.map(({ name, fields }) => {
    const shown = policyFields.filter((field) => fields[field] !== none);
    return [name, ...shown.map((field) => `${field}=${fields[field]}`)].join(" ");
  });
  return head + texts.map((text) => `${text}\n`).join("");
}

/** Parses the text of the file; other lines are skipped. */
export function parsePolicy(text: string): (PolicyLine & { readonly at: number })[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const [, name = "", rest = ""] = /^([A-Z]+ \/\S*)(.*)$/s.exec(line) ?? [];
    if (name === "") return [];
    const given = new Map(
      rest.trim().split(/\s+/).map((part) => {
        const equals = part.indexOf("=");
        return [part.slice(0, equals), part.slice(equals + 1)];
      }),
    );
    const fields = Object.fromEntries(policyFields.map((key) => [key, given.get(key) ?? none]));
    return [{ at: index + 1, name, fields: fields as PolicyLine["fields"] }];
  });
}

/** Reads the file, with the line ends that {@linkcode formatPolicy} writes. */
export async function readPolicyFile(root: string): Promise<string | undefined> {
  return (await readTextIfThere(join(root, policyFile)))?.replaceAll("\r\n", "\n");
}

export interface PolicyChange {
  readonly name: string;
  /** The change in readable form: `POST /x: guards requireRole(editor) → -`. */
  readonly text: string;
}

/** Lists the changed lines, each with its changed fields. */
export function diffPolicies(
  before: readonly PolicyLine[],
  after: readonly PolicyLine[],
  texts: Messages["describe"]["policy"],
): PolicyChange[] {
  const old = new Map(before.map(({ name, fields }) => [name, fields]));
  const now = new Set(after.map(({ name }) => name));
  const found = [
    ...after.map(({ name, fields }) => {
      const was = old.get(name);
      const differing = policyFields.filter((field) => was?.[field] !== fields[field]);
      const what = was === undefined
        ? texts.added(fields.guards)
        : differing.map((field) => `${field} ${was[field]} → ${fields[field]}`).join("; ");
      return { name, what };
    }),
    ...before.filter(({ name }) => !now.has(name)).map(({ name }) => ({
      name,
      what: texts.removed,
    })),
  ];
  return found.filter(({ what }) => what !== "")
    .map(({ name, what }) => ({ name, text: `${name}: ${what}` }));
}

export async function checkPolicy(project: Project): Promise<{
  readonly changes: readonly PolicyChange[];
  readonly problems: readonly Problem[];
  /** The policy of the code; absent without a file to compare it with. */
  readonly lines?: readonly PolicyLine[];
}> {
  const texts = project.messages.describe.policy;
  const written = await readPolicyFile(project.root);
  const start = { file: policyFile, line: 1 };
  const failure = { code: "E_POLICY", severity: "error" } as const;
  if (written === undefined) {
    const text = project.messages.stale(policyFile, "policy");
    return { changes: [], problems: [{ ...failure, place: start, ...text }] };
  }
  const before = parsePolicy(written);
  const after = await readPolicy(project);
  const changes = diffPolicies(before, after, texts);
  const places = new Map<string, Place>([
    ...before.map(({ name, at }) => [name, { ...start, line: at }] as const),
    ...after.map(({ name, file = policyFile, line = 1 }) =>
      [name, { file, line, column: 1 }] as const
    ),
  ]);
  const problems = changes.map(({ name, text }): Problem => {
    const place = places.get(name) ?? start;
    return { ...failure, place, message: text, fix: texts.fix };
  });
  return { changes, problems, lines: after };
}
