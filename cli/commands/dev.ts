/**
 * `fw dev`: serves the project and restarts it after each save.
 */
import { acceptArgs } from "../args.ts";
import { chooseAddress, isPortTooHigh, parseDevAddress } from "../dev/address.ts";
import { isMissingAddress } from "../dev/listen.ts";
import { startDev } from "../dev/dev.ts";
import { exitCodes, type Io } from "../io.ts";
import { languageOf, messagesOf } from "../messages/catalog.ts";
import { requireApp } from "../project/open.ts";

// Enough for an application's Shutdown, and short enough for Ctrl-C.
const stopGraceMs = 2_000;

/**
 * Runs the development server until SIGINT, SIGTERM or SIGHUP.
 *
 * @returns 0 after a signal, 1 if the server cannot run here, 2 for a wrong command line.
 */
export async function dev(args: readonly string[], io: Io): Promise<number> {
  const messages = messagesOf(io);
  const help = messages.help.dev;
  const spec = { strings: ["addr"], meant: { port: "addr", p: "addr", host: "addr" } };
  const read = acceptArgs(args, spec, { command: "dev", help, messages, io });
  if (!read.ok) return read.code;
  const text = chooseAddress(read.args.value("addr"), io.env);
  const address = parseDevAddress(text);
  if (address === undefined) {
    const { badAddress, badPort } = messages.dev;
    return fail(isPortTooHigh(text) ? badPort(text) : badAddress(text), exitCodes.usage);
  }
  const project = await requireApp("dev", io);
  if (project === undefined) return exitCodes.failure;
  const stop = listenForStop(io);
  try {
    const language = languageOf(io.env);
    const stopAll = await startDev({ project, address, io, language });
    await stop.asked;
    await stopAll(stopGraceMs);
    return exitCodes.ok;
  } catch (error) {
    return fail(explainListen(error), exitCodes.failure);
  } finally {
    stop.close();
  }

  function fail(message: string, code: number): number {
    io.stderr(`${message}\n`);
    return code;
  }

  function explainListen(error: unknown): string {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === undefined || !(error instanceof Error)) throw error;
    if (code === "EADDRINUSE") return messages.dev.addressTaken(text);
    if (isMissingAddress(error)) return messages.dev.addressMissing(text);
    return messages.dev.addressRefused(text, error.message);
  }
}

/** Listens for signals that stop the command, including a closed terminal. */
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
