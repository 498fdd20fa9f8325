/**
 * Bundles the islands of a project and says what became of them.
 *
 * @module
 */
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { createBundler } from "./bundler.ts";
import { formatProblem } from "../problem.ts";

/**
 * Brings the bundles of islands up to date for production, and says what became of them.
 *
 * @param options `write`: whether to, instead of saying which are out of date.
 * @returns 0; 1 when they are not up to date afterwards.
 */
export async function bundleIslands(
  root: string,
  options: { readonly io: Io; readonly write: boolean },
): Promise<number> {
  const { io, write } = options;
  const messages = messagesOf(io);
  const texts = messages.islands;
  const outcome = await createBundler(root, { write, messages }).bundle();
  switch (outcome.kind) {
    case "fresh":
      if (outcome.islands > 0) io.stdout(`${texts.fresh(outcome.islands)}\n`);
      // Not a failure: they are made again with every save while the development server runs.
      if (outcome.form === "development") io.stderr(`${texts.freshInDevelopment}\n`);
      return exitCodes.ok;
    case "written":
      for (const file of outcome.written) io.stdout(`${texts.written(file)}\n`);
      for (const file of outcome.removed) io.stdout(`${texts.removed(file)}\n`);
      return exitCodes.ok;
    case "stale":
      io.stderr(`${texts.stale(outcome.files.join(", "))}\n`);
      return exitCodes.failure;
    case "unavailable":
      io.stderr(`${texts.unavailable(outcome.files.join(", "), outcome.reason)}\n`);
      return exitCodes.failure;
    case "failed":
      for (const problem of outcome.problems) io.stderr(formatProblem(problem));
      io.stderr(`${texts.count(outcome.problems.length)}\n`);
      return exitCodes.failure;
  }
}
