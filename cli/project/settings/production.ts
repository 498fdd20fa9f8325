import type { Io } from "../../io.ts";
import type { Place, StaticConfig } from "./config.ts";
import { absent, type StaticValue } from "./value.ts";

export type KnownValue = string | number | boolean | undefined | readonly KnownValue[];

export type ValueSource =
  | { readonly kind: "default" }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "code"; readonly place: Place };

export type PossibleValue =
  & { readonly source: ValueSource }
  & (
    | { readonly kind: "known"; readonly value: KnownValue }
    /** Turned off with `Off` or `NoTimeout`. */
    | { readonly kind: "off" }
    /** Known only at run time. */
    | { readonly kind: "unknown" }
  );

export interface ProductionSettings {
  /** Returns the possible values of a setting; one if it is certain. */
  possible(path: string): readonly PossibleValue[];
  /** The first place where settings may be made that were not read. */
  readonly unread: Place | undefined;
}

/** The library's variables by setting. */
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

/** Combines the environment with the assignments of `Config` and `Setup`. */
export function productionSettings(config: StaticConfig, env: Io["env"]): ProductionSettings {
  return { possible: (path) => possibleValues(path, { config, env }), unread: config.unread };
}

function possibleValues(
  path: string,
  known: { readonly config: StaticConfig; readonly env: Io["env"] },
): readonly PossibleValue[] {
  let values: PossibleValue[] = [initialValue(path, known.env)];
  for (const { path: assigned, value, place, isSure, isFallback } of known.config.assignments) {
    const part = partOf(value, { assigned, path });
    if (part === undefined) continue;
    const made = resolve(part, { env: known.env, place });
    const after = isFallback ? values.map((before) => isAbsent(before) ? made : before) : [made];
    values = isSure ? after : [...new Set([...values, ...after])];
  }
  return values;
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

/** Returns the part of an assignment that concerns a setting; a group's assignment concerns its members. */
function partOf(
  value: StaticValue,
  names: { readonly assigned: string; readonly path: string },
): StaticValue | undefined {
  const { assigned, path } = names;
  if (assigned === path) return value;
  if (!path.startsWith(`${assigned}.`)) return undefined;
  let part: StaticValue | undefined = value;
  for (const name of path.slice(assigned.length + 1).split(".")) {
    if (part?.kind === "unknown") return part;
    part = part?.kind === "group" ? part.members.get(name) : undefined;
  }
  // The group was replaced as a whole: other members have their defaults.
  return part ?? absent;
}

function resolve(
  value: StaticValue,
  at: { readonly env: Io["env"]; readonly place: Place },
): PossibleValue {
  const { env, place } = at;
  const source: ValueSource = { kind: "code", place };
  switch (value.kind) {
    case "literal":
      return { kind: "known", value: value.value, source };
    case "off":
      return { kind: "off", source };
    case "variable": {
      const text = env[value.name] || undefined;
      if (text === undefined && value.otherwise !== absent) return resolve(value.otherwise, at);
      return { kind: "known", value: text, source: { kind: "variable", name: value.name } };
    }
    case "list":
      return resolveList(value.items.map((item) => resolve(item, at)), source);
    case "group":
    case "unknown":
      return { kind: "unknown", source };
  }
}

function resolveList(items: readonly PossibleValue[], source: ValueSource): PossibleValue {
  const values: KnownValue[] = [];
  for (const item of items) {
    if (item.kind !== "known") return { kind: "unknown", source };
    values.push(item.value);
  }
  return { kind: "known", value: values, source };
}

/** Returns the languages that `Config` lists; none where only a run can tell. */
export function configuredLanguages(settings: ProductionSettings): readonly string[] {
  const tags = settings.possible("languages").flatMap((value) =>
    value.kind === "known" && Array.isArray(value.value) ? value.value.map(String) : []
  );
  return [...new Set(tags)];
}

// The default of the runtime, which its documentation promises.
export const defaultBodyBytes = 1_048_576;

/** Returns the body limit of the settings; `undefined` if only running code knows it. */
export function configuredBodyBytes(settings: ProductionSettings): number | undefined {
  const [first, ...others] = settings.possible("maxBodyBytes");
  if (first?.kind !== "known" || others.length > 0) return undefined;
  if (first.value === undefined) return defaultBodyBytes;
  return typeof first.value === "number" ? first.value : undefined;
}
