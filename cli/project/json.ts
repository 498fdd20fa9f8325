/** Reads JSON that may come from anywhere: own members only, and no getter of a prototype. */
import { isJsonObject, type JsonObject } from "@fw/fw/addon";

/** Parses a string; `undefined` for one that is not JSON, or is nested deeper than the engine allows. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function objectOf(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** Returns an own member of an object; `undefined` for anything else. */
export function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Returns the own members of an object; none for anything else. */
export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(objectOf(value) ?? {});
}

/** Returns an array; an empty one for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textsOf(value: unknown): readonly string[] {
  return listOf(value).filter((each) => typeof each === "string");
}

/** Returns a string; `undefined` for anything else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
