import type { Application, Config as Settings } from "@fw/fw";
import { openAccounts } from "../lib/accounts.ts";
// if sample
import { openBookLoans } from "../lib/book_loans.ts";
// end
import { closeDatabase, openDatabase } from "../lib/database.ts";
// if sample
import { openJobs } from "../jobs/mod.ts";
// end
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
  // if accounts
  checkVariables(app);
  // end
  // if passwords
  openMail(app);
  // end
  // if database
  await openDatabase(app);
  // end
  // if sample
  openBookLoans(app);
  // end
  // if accounts
  openAccounts(app);
  // end
  // if sample
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
