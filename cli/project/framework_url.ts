/** The URL of the module `@fw/fw/conventions`; `undefined` where it is not known at run time. */
export const conventionsUrl: string | undefined = urlOf("@fw/fw/conventions");

export const libraryUrl: string | undefined = urlOf("@fw/fw");

function urlOf(specifier: string): string | undefined {
  try {
    return import.meta.resolve(specifier);
  } catch {
    // In a published package only imports are rewritten: outside a project the name has no meaning.
    return undefined;
  }
}
