import type { CommandArgs } from "../args.ts";
import { chooseAddress, parseDevAddress } from "../dev/address.ts";
import { startDev } from "../dev/dev.ts";
import { exitCodes, type Io } from "../io.ts";
import { languageOf } from "../messages/catalog.ts";
import { requireApp } from "../project/project.ts";
import { Stop, UsageError } from "../stop.ts";

// Enough for an application's Shutdown, and short enough for Ctrl-C.
const stopGraceMs = 2_000;

export async function dev(args: CommandArgs, io: Io): Promise<number> {
  const text = chooseAddress(args.value("addr"), io.env);
  const address = parseDevAddress(text);
  if (address === undefined) throw new UsageError(({ dev }) => dev.badAddress(text));
  const project = await requireApp("dev", io);
  // Read before the start, so that a stop during it is noticed.
  const { signal } = io;
  try {
    const language = languageOf(io.env);
    const stopAll = await startDev({ project, address, io, language });
    if (!signal.aborted) {
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    }
    await stopAll(stopGraceMs);
    return exitCodes.ok;
  } catch (error) {
    throw new Stop(explainListen(error));
  }

  function explainListen(error: unknown): string {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === undefined || !(error instanceof Error)) throw error;
    if (code === "EADDRINUSE") return project.messages.dev.addressTaken(text);
    return project.messages.dev.addressRefused(text, error.message);
  }
}
