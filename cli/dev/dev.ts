import { randomToken } from "@fw/fw/addon";
import { join } from "@std/path";
import { parseEnv } from "node:util";
import { type Io, writeBytes } from "../io.ts";
import type { Language } from "../messages/catalog.ts";
import { textOfFile } from "../project/files/look.ts";
import type { Project } from "../project/project.ts";
import { type DevAddress, listedHosts, urlOf } from "./address.ts";
import { DevApp } from "./app.ts";
import { ReloadEvents } from "./reload_events.ts";
import { createReport } from "./report.ts";
import { serveDev } from "./server.ts";
import { openDevState } from "./state.ts";
import { watchProject } from "./watch.ts";

// How long a request waits for the application.
const waitMs = 10_000;

/** Starts a development server. @throws The system's error if it cannot listen on the address. */
export async function startDev(
  { project, address, io, language }: {
    readonly project: Project;
    readonly address: DevAddress;
    readonly io: Io;
    readonly language: Language;
  },
): Promise<(graceMs: number) => Promise<void>> {
  const { root, messages } = project;
  const events = new ReloadEvents();
  const tell = (error: unknown): void => io.stderr(`${error}\n`);
  const readEnvFile = (): string => textOfFile(join(root, ".env"));
  // All processes share one signing key, so that a save does not sign users out.
  const secret = randomToken();
  const app = new DevApp({
    project,
    events,
    env: () => ({
      FW_ENV: "dev",
      // The port that browsers use, which the application puts into the links of its mails.
      PORT: String(server.port),
      ...io.env["FW_SECRET"] || "FW_SECRET" in parseEnv(readEnvFile()) ? {} : { FW_SECRET: secret },
    }),
    hasColours: Deno.stdout.isTerminal() && Deno.stderr.isTerminal() && !io.env["NO_COLOR"] &&
      !io.env["FORCE_COLOR"],
    onOutput: (bytes, to) => {
      state.log(bytes);
      writeBytes(Deno[to], bytes);
    },
    onEvent: (event) => {
      const { kind } = event;
      if (kind === "failed") state.change({ state: kind, failure: event.failure });
      else if (kind === "starting" || kind === "serving") state.change({ state: kind });
      report(event);
    },
  });
  const server = await serveDev(address, {
    app,
    events,
    pages: { messages, language, reloads: io.env["FW_DEV_RELOAD"]?.toLowerCase() !== "off" },
    // Read on demand, so that a saved .env takes effect at once.
    listedHosts: () => [
      ...listedHosts(io.env["FW_ALLOWED_HOSTS"], readEnvFile),
      ...address.hostname === undefined ? [] : [address.hostname],
    ],
    waitMs,
  });
  const url = urlOf({ ...address, port: server.port });
  const report = createReport(project, io, url);
  const state = openDevState(root, { url });
  const unwatch = watchProject(root, (batch) => void app.follow(batch).catch(tell), (error) => {
    const reason = error instanceof Error ? error.message : String(error);
    io.stderr(`${messages.dev.unfollowed(reason)}\n`);
  });
  app.start();
  return async (graceMs) => {
    events.close();
    await Promise.all([unwatch(), server.close(), app.stop(graceMs)]);
    await state.close();
  };
}
