/** The URL of the module `@fw/fw/conventions`; `undefined` if it is not known at run time. */
export const conventionsUrl: string | undefined = urlOf("@fw/fw/conventions");

export const libraryUrl: string | undefined = urlOf("@fw/fw");

function urlOf(specifier: string): string | undefined {
  try {
    return import.meta.resolve(specifier);
  } catch {
    // A registry rewrites only imports, so outside a project the bare name does not resolve.
    return undefined;
  }
}
