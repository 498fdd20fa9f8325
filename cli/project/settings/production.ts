import type { SourcePlace } from "@fw/fw/addon";
import type { Io } from "../../io.ts";
import { memberNamed, memberValue, unwrap } from "../sources/syntax.ts";
import { type KnownValue, type ValueScope, writtenValues } from "../sources/written_values.ts";
import { type Assignment, setupFile, type StaticConfig } from "./config.ts";
import ts from "npm:typescript@6.0.3";

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

const variables: Readonly<Record<string, { readonly name: string; readonly isList?: boolean }>> = {
  "basePath": { name: "FW_BASE_PATH" },
  "secret": { name: "FW_SECRET" },
  "previousSecret": { name: "FW_SECRET_PREVIOUS" },
  "trustedProxies": { name: "FW_TRUSTED_PROXIES", isList: true },
  "publicOrigin": { name: "FW_ORIGIN" },
  "allowedHosts": { name: "FW_ALLOWED_HOSTS", isList: true },
  "observability.token": { name: "FW_OBS_TOKEN" },
  "observability.metrics": { name: "FW_METRICS" },
  "observability.incidents": { name: "FW_INCIDENTS" },
  "observability.trusted": { name: "FW_OBS_TRUSTED", isList: true },
};

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
  const variable = Object.hasOwn(variables, path) ? variables[path] : undefined;
  const text = variable === undefined ? undefined : env[variable.name];
  if (variable === undefined || text === undefined || text === "") {
    return { kind: "known", value: undefined, source: { kind: "default" } };
  }
  const source: ValueSource = { kind: "variable", name: variable.name };
  return { kind: "known", value: variable.isList ? splitVariable(text) : text, source };
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

// The documented default of the runtime.
export const defaultBodyBytes = 1_048_576;

export function configuredBodyBytes(settings: ProductionSettings): number | undefined {
  const [first, ...others] = settings.possible("maxBodyBytes");
  if (first?.kind !== "known" || others.length > 0) return undefined;
  if (first.value === undefined) return defaultBodyBytes;
  return typeof first.value === "number" ? first.value : undefined;
}
