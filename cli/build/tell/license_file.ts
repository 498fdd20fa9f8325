/**
 * The license files of packages.
 *
 * @module
 */

/** The largest license file that an executable holds: bytes of a registry's file, characters of a local one. */
export const maxLicenseFileSize = 65_536;

/** Finds the license file among the names of a folder. */
export function findLicenseFile(names: readonly string[]): string | undefined {
  return names.filter((name) => /^(?:licen[cs]e|copying)(?:\.(?:md|txt))?$/i.test(name)).sort()[0];
}
