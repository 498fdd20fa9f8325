import { type App, createLogger } from "@fw/fw";
import { withUser } from "@fw/fw/auth/testing";
import type { RequestPlan } from "@fw/fw/testing";
import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { findDataFolder } from "@/lib/data_folder.ts";
import { openDatabase } from "@/lib/database.ts";
import { fillWithSamples } from "@/lib/samples/fill.ts";
import { sessions } from "@/lib/sign_in.ts";
import { newApp } from "@/fw_gen.ts";
import { makeTempFolder } from "./temp_folder.ts";

/** The time of every test, on the Thursday on which the sample events start. */
export const now = "2026-05-14T10:00";

/** The password of the first organiser. */
export const password = "correct horse battery";

/** The files of a test's application. */
export interface TestFolder {
  /** The folder of the images. */
  readonly photos: string;
  /** Lists the images; fails if an upload is still in progress. */
  readonly list: () => Promise<string[]>;
}

/** Options of a test's application. */
export interface TestAppOptions {
  /** The date and time of the test. @default {@link now} */
  readonly at?: string;
  /** The partner key. @default none */
  readonly apiKey?: string;
  /** Whether requests without a session get an organiser's session. @default true */
  readonly isSignedIn?: boolean;
  /** More variables, such as those of an identity provider. @default {} */
  readonly variables?: Readonly<Record<string, string>>;
}

/**
 * Runs a test on a new application, with sample data and images in a temporary folder, and shuts it down. Its
 * settings are values and not environment variables, so that test files can run concurrently in one process.
 *
 * @param run Receives the application.
 * @param options The time of the test, the partner key, and whether requests are signed in.
 */
export async function withApp(
  run: (app: App, folder: TestFolder) => Promise<void>,
  options: TestAppOptions = {},
): Promise<void> {
  const { app, folder, stop } = await startApp(options);
  try {
    await run(app, folder);
  } finally {
    await stop();
  }
}

/**
 * Starts one application for the tests of a file that only read or send refused requests, because
 * starting takes longer than such a test.
 *
 * @param options As in {@link withApp}.
 * @returns A function that runs a test on it.
 */
export function shareApp(
  options: TestAppOptions = {},
): (run: (app: App) => Promise<void>) => Promise<void> {
  let started: StartedApp | undefined;
  Deno.test.beforeAll(async () => {
    started = await startApp(options);
  });
  Deno.test.afterAll(() => started?.stop());
  return async (run) => {
    assert(started);
    await run(started.app);
  };
}

interface StartedApp {
  readonly app: App;
  readonly folder: TestFolder;
  readonly stop: () => Promise<void>;
}

async function startApp(options: TestAppOptions): Promise<StartedApp> {
  const home = makeTempFolder();
  try {
    return await startAppIn(home, options);
  } catch (error) {
    // The test must report the first error.
    await Deno.remove(home, { recursive: true }).catch(() => {});
    throw error;
  }
}

async function startAppIn(home: string, options: TestAppOptions): Promise<StartedApp> {
  const database = join(home, "events.sqlite");
  const { photos, incoming } = findDataFolder({ database, folder: home });
  const at = options.at ?? now;
  await Deno.writeFile(database, await sampleDatabase(at));
  const variables = {
    EVENTS_DB: database,
    // The file is temporary, and waiting for the disk would take longer than the test.
    EVENTS_SYNC: "off",
    EVENTS_DATA: home,
    EVENTS_NOW: at,
    EVENTS_API_KEY: options.apiKey ?? "",
    EVENTS_PASSWORD: password,
    ...options.variables,
  };
  const app = await newApp({ variables, logger: createLogger({ write: () => {} }) });
  if (options.isSignedIn !== false) signIn(app);
  return {
    app,
    folder: { photos, list: () => listKept(photos, incoming) },
    stop: async () => {
      await app.shutdown();
      await Deno.remove(home, { recursive: true });
    },
  };
}

/** The bytes of sample databases, by the day on which they were filled. */
const images = new Map<string, Uint8Array<ArrayBuffer>>();

/** Returns the database of a first start on a day, filled once and copied for each test. */
async function sampleDatabase(at: string): Promise<Uint8Array<ArrayBuffer>> {
  const day = Temporal.PlainDate.from(at);
  const known = images.get(day.toString());
  if (known !== undefined) return known;
  const home = makeTempFolder();
  try {
    const path = join(home, "samples.sqlite");
    const db = await openDatabase(path, { isDurable: false });
    await fillWithSamples(db, day);
    // Moves the content of the log into the file.
    db.raw.exec("pragma wal_checkpoint(truncate)");
    await db.close();
    const image = await Deno.readFile(path);
    images.set(day.toString(), image);
    return image;
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

/** Adds the session of an organiser to every request without one. */
function signIn(app: App): void {
  const plan: RequestPlan = {
    headers: new Headers(),
    cookies: new Map(),
    signed: new Map(),
    own: [],
    hasCsrf: true,
    maxEvents: 0,
  };
  withUser(sessions, { subject: "1", email: "test@example.org", roles: ["organiser", "admin"] })(
    plan,
  );
  const cookie = `fw_session=${plan.own[0]?.value}`;
  const { fetch } = app;
  const signedIn: typeof fetch = (request, info) => {
    const given = request.headers.get("cookie") ?? "";
    if (given.includes("fw_session=")) return fetch(request, info);
    const headers = new Headers(request.headers);
    headers.set("cookie", given === "" ? cookie : `${given}; ${cookie}`);
    return fetch(new Request(request, { headers }), info);
  };
  replaceFetch(app, signedIn);
}

function replaceFetch(app: App, value: App["fetch"]): void {
  Object.defineProperty(app, "fetch", { value });
}

/** Lists the stored images. Temporary upload files must be gone once the response has arrived. */
async function listKept(photos: string, incoming: string): Promise<string[]> {
  assertEquals(await Array.fromAsync(Deno.readDir(incoming)), []);
  const kept = await Array.fromAsync(Deno.readDir(photos));
  return kept.map(({ name }) => name).sort();
}
