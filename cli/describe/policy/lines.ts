/**
 * The policy of a project: one line for each method of each route and each action, with everything
 * that decides who may call it and how much.
 *
 * @module
 */
import type { PossibleValue, ProductionSettings } from "../../project/settings/production.ts";
import {
  type Operation,
  type Operations,
  reachOperations,
} from "../../project/reach/operations.ts";
import { type Protection, protectionOf } from "../../project/reach/protection.ts";
import type { Project } from "../../project/project.ts";

/** The members of a line, in their order. */
export const policyFields = [
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

/** The policy of one operation. */
export interface PolicyLine {
  /** The method and the pattern, for an action with its name: `POST /events/{id}?/join`. */
  readonly name: string;
  readonly fields: Readonly<Record<PolicyField, string>>;
  /** The file of the route, relative to the project; absent in a line that was read from the file. */
  readonly file?: string;
  /** The line of the handler. */
  readonly line?: number;
}

/** The value of a field without any setting. */
export const none = "-";

/** Reads the policy from the code. Variables of the environment are not part of it. */
export async function readPolicy(project: Project): Promise<PolicyLine[]> {
  const operations = await reachOperations(project);
  const settings = await project.settings({});
  return operations.list.map((operation) => lineOf(operation, { operations, settings }));
}

interface LineOptions {
  readonly operations: Operations;
  readonly settings: ProductionSettings;
}

function lineOf(operation: Operation, { operations, settings }: LineOptions): PolicyLine {
  const { route, method, action, handler } = operation;
  const protection = protectionOf(operation, operations);
  const tree = handler?.node.getSourceFile();
  const start = tree && handler && tree.getLineAndCharacterOfPosition(handler.node.getStart(tree));
  return {
    name: `${method} ${route.pattern}${action === undefined ? "" : `?/${action}`}`,
    file: handler?.file ?? route.file.path,
    ...(start === undefined ? {} : { line: start.line + 1 }),
    fields: {
      kind: route.kind,
      csrf: csrfOf(operation, settings),
      cors: corsOf(operation, { operations, settings }),
      body: bodyOf(operation, { protection, settings }),
      rate: rateOf(protection, settings),
      read: operation.isWrite
        ? deadlineOf(settings, { name: "readMs", isDropped: protection.dropsReadDeadline })
        : none,
      write: deadlineOf(settings, { name: "writeMs", isDropped: protection.dropsWriteDeadline }),
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
  if (values.every(isTrue)) return "token";
  return values.some((value) => isTrue(value) || value.kind === "unknown") ? "site?" : "site";
}

function isTrue(value: PossibleValue): boolean {
  return value.kind === "known" && value.value === true;
}

function corsOf({ route }: Operation, { operations: { reach }, settings }: LineOptions): string {
  if (route.file.names.has("CORS")) {
    const declared = reach.find(route.file.path, "CORS");
    if (declared === undefined) return "route";
    const text = /\borigins\s*:\s*\[([^\]]*)\]/.exec(declared.node.getText())?.[1] ?? "?";
    return `route:${text.replaceAll(/[\s"'`]+/g, "").replace(/,$/, "")}`;
  }
  return settingText(settings.possible("cors.origins"));
}

function bodyOf(
  { isWrite }: Operation,
  { protection, settings }: {
    readonly protection: Protection;
    readonly settings: ProductionSettings;
  },
): string {
  if (!isWrite) return none;
  if (protection.allowedBytes === "?") return "?";
  if (protection.allowedBytes !== undefined) return sizeText(protection.allowedBytes);
  return textsOf(settings.possible("maxBodyBytes"), {
    fallback: sizeText(defaultBodyBytes),
    show: (value) => typeof value === "number" ? sizeText(value) : String(value),
  });
}

// The defaults of the runtime, which its documentation promises.
const defaultBodyBytes = 1_048_576;
const defaultDeadlineMs = 60_000;

function sizeText(bytes: number): string {
  const kib = bytes / 1_024;
  if (Number.isInteger(kib / 1_024)) return `${kib / 1_024}MiB`;
  return Number.isInteger(kib) ? `${kib}KiB` : `${bytes}B`;
}

function rateOf({ limits }: Protection, settings: ProductionSettings): string {
  const own = [...limits];
  const rate = settings.possible("rateLimit.rate");
  const isSet = rate.some((value) => value.kind === "unknown" || value.source.kind !== "default");
  const isOff = rate.every((value) => value.kind === "known" && value.value === undefined);
  if (isSet && !isOff) {
    const burst = settingText(settings.possible("rateLimit.burst"));
    own.unshift(`app(${settingText(rate)},${burst})`);
  }
  return listOf(own);
}

function deadlineOf(
  settings: ProductionSettings,
  { name, isDropped }: { readonly name: string; readonly isDropped: boolean },
): string {
  if (isDropped) return "off";
  return textsOf(settings.possible(`timeouts.${name}`), {
    fallback: secondsText(defaultDeadlineMs),
    show: (value) => typeof value === "number" ? secondsText(value) : String(value),
  });
}

function secondsText(ms: number): string {
  return ms % 1_000 === 0 ? `${ms / 1_000}s` : `${ms}ms`;
}

function settingText(values: readonly PossibleValue[]): string {
  return textsOf(values, { fallback: none, show: String });
}

/** Returns the possible values of a setting as one word; `?` for one known only at run time. */
function textsOf(
  values: readonly PossibleValue[],
  { fallback, show }: {
    readonly fallback: string;
    readonly show: (value: unknown) => string;
  },
): string {
  const texts = values.map((value) => {
    if (value.kind === "off") return "off";
    if (value.kind === "unknown") return "?";
    return value.value === undefined ? fallback : show(value.value);
  });
  return [...new Set(texts)].map((text) => text.replaceAll(/\s+/g, "") || none).join("|");
}
