import {
  type Application,
  type Config as Settings,
  provide,
  use,
  validationMessages,
  variable,
} from "@fw/fw";
import { Cache } from "@fw/fw/cache";
import { Attendance, Guests } from "@/lib/attendance.ts";
import { cityClock } from "@/lib/clock.ts";
import { findDataFolder, makeFolders, readOrMakeKey } from "@/lib/data_folder.ts";
import { Database, openDatabase } from "@/lib/database.ts";
import { Desk, EventDesk } from "@/lib/events/desk.ts";
import { photoSize } from "@/lib/events/form.ts";
import { EventLists, Lists } from "@/lib/events/lists.ts";
import { EventStore, Store } from "@/lib/events/store.ts";
import { openJobs } from "@/lib/jobs.ts";
import { firstEmail, OrganiserAccounts, Organisers } from "@/lib/organisers.ts";
import { PartnerGate, Partners } from "@/lib/partner_gate.ts";
import { PhotoFiles, Photos } from "@/lib/photo_files.ts";
import { fillWithSamples } from "@/lib/samples/fill.ts";
import { findProvider, Provider } from "@/lib/sign_in.ts";

/** Sets the options that the environment does not. */
export function Config(config: Settings): void {
  const folder = findDataFolder({
    database: variable(config, "EVENTS_DB"),
    folder: variable(config, "EVENTS_DATA"),
  });
  makeFolders(folder);
  // Messages such as "the event was saved" are kept in a signed cookie, which needs a secret.
  // Without FW_SECRET one is created and stored in a file, so that the example runs unconfigured and
  // sessions survive a restart. Set FW_SECRET for several servers, or if others can read the data.
  config.secret ??= readOrMakeKey(folder.key);
  // The process may write only to its data folder, not to the system's temporary folder.
  config.spoolDir = folder.incoming;
  // Covers are not logged, because a page requests a dozen of them.
  config.logRequest = (c, status) => status >= 400 || !covers.has(c.pattern);
  // Each page also has a URL per language, such as /pt-PT/events; otherwise the request decides.
  config.languages = ["en", "pt-PT"];
  config.languagePrefix = true;
  config.labels = { problems: "Some things to fix" };
  config.languageTexts = {
    "pt-PT": {
      labels: { problems: "Algumas coisas a corrigir" },
      validationMessages: {
        filetype: "deve ser uma imagem JPEG, PNG ou WebP",
        filemax: `deve ter no máximo ${photoSize}`,
      },
    },
  };
  // http://localhost:3000/metrics, for this machine; other clients need the token of FW_OBS_TOKEN.
  config.observability.metrics ??= "/metrics";
  config.observability.trusted = ["127.0.0.1", "::1", ...config.observability.trusted];
}

const covers: ReadonlySet<string> = new Set(["/events/{slug}/cover.svg", "/events/{slug}/photo"]);

/** Opens the database and, on the first start, creates it with sample events. */
export async function Setup(app: Application): Promise<void> {
  validationMessages["filetype"] = "must be a JPEG, PNG or WebP image";
  validationMessages["filemax"] = `must be at most ${photoSize}`;
  const folder = findDataFolder({
    database: variable(app, "EVENTS_DB"),
    folder: variable(app, "EVENTS_DATA"),
  });
  const clock = cityClock(variable(app, "EVENTS_NOW"));
  const isDurable = variable(app, "EVENTS_SYNC") !== "off";
  const db = await openDatabase(folder.database, { isDurable });
  await fillWithSamples(db, clock().toPlainDate());
  const store = new EventStore(db, clock);
  const lists = new EventLists(
    store,
    new Cache({ name: "lists", maxEntries: 500, metrics: app.metrics }),
  );
  const forgetLists = (): void => lists.forget();
  app.check("database", () => store.check());
  provide(app, Database, db);
  provide(app, Store, store);
  provide(app, Lists, lists);
  provide(app, Desk, new EventDesk(db, forgetLists));
  provide(app, Partners, new PartnerGate(variable(app, "EVENTS_API_KEY")));
  provide(app, Guests, new Attendance(db, forgetLists));
  provide(app, Photos, new PhotoFiles(folder.photos));
  const password = variable(app, "EVENTS_PASSWORD") ?? readOrMakeKey(folder.password);
  provide(app, Organisers, new OrganiserAccounts(db, password));
  provide(app, Provider, findProvider(app));
  await openJobs(app);
  app.log.info("organisers sign in with the password in a file, or in EVENTS_PASSWORD", {
    email: firstEmail,
    file: folder.password,
  });
}

/** Closes the database after the last response. */
export async function Shutdown(app: Application): Promise<void> {
  await use(app, Database).close();
}
