import { sessions } from "../../lib/sessions.ts";

// Only for users with the role, as in app/nav.ts and app/page.ts.
export const Middleware = sessions.requireRole("clerk");
