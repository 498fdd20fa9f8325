/**
 * Every route of the application with its parameters: the generated file fills it, so that the
 * compiler checks `href`.
 */
// deno-lint-ignore no-empty-interface -- the generated file adds the members
export interface Routes {}

/** A pattern that `href` takes: any of the application's routes, or any text before generation. */
export type HrefPattern = keyof Routes extends never ? string : keyof Routes & string;

/** The parameters that `href` wants for a pattern: none for a literal path. */
export type HrefParams<P extends string> = P extends keyof Routes
  ? keyof Routes[P] extends never ? [] : [params: Routes[P]]
  : [params?: Readonly<Record<string, string | number>>];
