/**
 * The English texts about the written client of an API.
 *
 * @module
 */
import type { ProblemText } from "../../problem.ts";

export const clientEn = {
  written: (file: string, methods: string): string => `Wrote ${file} (methods: ${methods}).`,
  fresh: (file: string): string => `${file} is up to date.`,
  stale: (file: string): ProblemText => ({
    message: `${file} differs from the client of the document`,
    fix: `Run \`deno task openapi --client ${file}\` and commit the file.`,
  }),
  taken: (file: string): ProblemText => ({
    message: `${file} was not written by \`fw openapi --client\` and is kept`,
    fix: "Name another file, or remove this one.",
  }),
  unsure: (file: string): ProblemText => ({
    message:
      `${file} is not compared: it has the title of this API, but was not written to this path`,
    fix:
      `If it is a client of this API, run \`deno task openapi --client ${file}\`; else give one of the APIs another title.`,
  }),
  faults: (detail: string): ProblemText => ({
    message: `the client cannot be written: ${detail}`,
    fix: "Correct the document, or the types that it is made from.",
  }),
};
