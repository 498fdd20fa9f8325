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
  const stop = listenForStop(io);
  try {
    const language = languageOf(io.env);
    const stopAll = await startDev({ project, address, io, language });
    await stop.asked;
    await stopAll(stopGraceMs);
    return exitCodes.ok;
  } catch (error) {
    throw new Stop(explainListen(error));
  } finally {
    stop.close();
  }

  function explainListen(error: unknown): string {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === undefined || !(error instanceof Error)) throw error;
    if (code === "EADDRINUSE") return project.messages.dev.addressTaken(text);
    return project.messages.dev.addressRefused(text, error.message);
  }
}

function listenForStop(io: Io): { readonly asked: Promise<void>; close(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = (): void => resolve();
  const hangsUp = Deno.build.os !== "windows";
  if (hangsUp) Deno.addSignalListener("SIGHUP", stop);
  if (io.signal.aborted) stop();
  io.signal.addEventListener("abort", stop, { once: true });
  return {
    asked: promise,
    close: () => {
      if (hangsUp) Deno.removeSignalListener("SIGHUP", stop);
      io.signal.removeEventListener("abort", stop);
    },
  };
}
