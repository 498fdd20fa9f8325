/** Reads JSON that may come from anywhere: own members only, and no getter of a prototype. */
import { isJsonObject, type JsonObject } from "@fw/fw/addon";

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

export function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(objectOf(value) ?? {});
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textsOf(value: unknown): readonly string[] {
  return listOf(value).filter((each) => typeof each === "string");
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
