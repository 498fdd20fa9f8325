import type { Application, Config as Settings } from "@fw/fw";
import { openAccounts } from "../lib/accounts.ts";
import { openBookLoans } from "../lib/book_loans.ts";
import { closeDatabase, openDatabase } from "../lib/database.ts";
import { openJobs } from "../jobs/mod.ts";
import { openMail } from "../lib/mail.ts";
import { checkVariables } from "../lib/variables.ts";

// if Config
/** Sets the languages; the first is the default. */
export function Config(config: Settings): void {
  config.languages = ["en", "pt"];
}

// end
// if Setup
/** Runs at boot; an error here stops the start. */
export async function Setup(app: Application): Promise<void> {
  // if variables
  checkVariables(app);
  // end
  // if mail
  openMail(app);
  // end
  // if database
  await openDatabase(app);
  // end
  // if store
  openBookLoans(app);
  // end
  // if accounts
  openAccounts(app);
  // end
  // if jobs
  await openJobs(app);
  // end
}

// end
// if Shutdown
/** Runs after the last request. */
export async function Shutdown(app: Application): Promise<void> {
  // if database
  await closeDatabase(app);
  // end
}
// end
