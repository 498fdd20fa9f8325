/** A stand-in for `@std/http`: the part in use. `tests/house/std_test.ts` compares it with std. */
export * from "./status.ts";
