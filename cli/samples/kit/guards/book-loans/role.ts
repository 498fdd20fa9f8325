import { sessions } from "../../lib/sessions.ts";

// The guard of the rows. If you change it, change app/nav.ts and app/page.ts too.
export const Middleware = sessions.requireRole("clerk");
