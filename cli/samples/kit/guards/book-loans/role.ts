import { sessions } from "../../lib/sessions.ts";

// The guard of the rows. If you change it, change app/nav.ts, app/page.ts and views/ too.
export const Middleware = sessions.requireRole("clerk");
