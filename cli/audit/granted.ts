import { splitVariable } from "../project/settings/production.ts";
import { isAllowAll } from "../project/start_task.ts";

/**
 * Returns what flags list behind a permission.
 *
 * @returns `undefined` if the flags grant all of it, or name it in another file.
 */
export function listGranted(
  flags: readonly string[],
  names: readonly string[],
): readonly string[] | undefined {
  const granted: string[] = [];
  for (const flag of flags) {
    const [, name = "", list] = /^([^=]+)(?:=(.*))?$/s.exec(flag) ?? [];
    const isGrant = names.includes(name);
    const isSet = name === "--permission-set" || name === "-P";
    if (isAllowAll(flag) || isSet || (isGrant && list === undefined)) return undefined;
    if (isGrant) granted.push(...splitVariable(list ?? ""));
  }
  return granted;
}
