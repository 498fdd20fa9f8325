import { labelOf } from "../languages.ts";

export const uploadTypes = ["image", "file"] as const;

export interface UploadField {
  readonly name: string;
  readonly label: string;
  readonly type: typeof uploadTypes[number];
  /** Whether a new row needs the upload; an edited row keeps its own. */
  readonly isRequired: boolean;
  readonly maxKiB: number;
}

export const uploadRules: readonly string[] = ["required", "optional", "max"];

/** The accepted values of `max`; larger files belong in a folder, not a database. */
export const uploadLimit = { pattern: /^(?:[1-9]\d{0,4}kb|[1-9]\d?mb)$/i, example: "2mb" };

const defaultKiB = 512;

export function isUploadType(type: string): type is UploadField["type"] {
  return uploadTypes.some((each) => each === type);
}

export function uploadOf(
  name: string,
  type: UploadField["type"],
  rules: ReadonlyMap<string, string>,
): UploadField {
  const [, digits, unit] = /^(\d+)(kb|mb)$/i.exec(rules.get("max") ?? "") ?? [];
  const isMega = unit?.toLowerCase() === "mb";
  const maxKiB = digits === undefined ? defaultKiB : Number(digits) * (isMega ? 1_024 : 1);
  return { name, label: labelOf(name), type, isRequired: rules.has("required"), maxKiB };
}

/** Returns the expression of a size in bytes: `2_048 * 1_024`. */
export function sizeText(kib: number): string {
  return `${String(kib).replaceAll(/\B(?=(?:\d{3})+$)/g, "_")} * 1_024`;
}
