/** The generation errors of the specification. */
export const generationErrors: readonly string[] = [
  ..."E_PAGE_AND_ROUTE E_NO_PAGE_FUNC E_NO_METHOD E_NO_LAYOUT_FUNC".split(" "),
  ..."E_NO_MIDDLEWARE_FUNC E_NO_NOT_FOUND_FUNC E_NO_ERROR_FUNC E_NO_SETUP_FUNC".split(" "),
  ..."E_AMBIGUOUS_SEGMENT E_CATCHALL_NOT_LEAF E_BAD_SEGMENT E_DUPLICATE_ROUTE".split(" "),
  ..."E_UNUSED_METHOD_MIDDLEWARE E_PARSE E_NO_APP E_HIDDEN_ROUTE E_UNROUTABLE_METHOD".split(" "),
  ..."E_BAD_ACTIONS E_BAD_CSRF E_CORS_ON_PAGE E_MISPLACED_EXPORT".split(" "),
];

/** Lists the codes that none of the texts holds as a whole word. */
export function findMissing(codes: readonly string[], texts: readonly string[]): string[] {
  return codes.filter((code) => !texts.some((text) => new RegExp(`\\b${code}\\b`).test(text)));
}
