/**
 * Recognises the framework behind the specifiers of a project.
 *
 * @module
 */

/**
 * Returns the entry of the framework that a specifier names, through an import map or a registry: `""` for
 * `@fw/fw`, `"auth"` for `jsr:@fw/fw@^0.1/auth`; `undefined` for any other module.
 */
export function frameworkEntry(specifier: string): string | undefined {
  const found = /(?:^|[:/])@fw\/fw(?:@[^/]+)?(?:\/(.+))?$/.exec(specifier);
  return found === null ? undefined : found[1] ?? "";
}
