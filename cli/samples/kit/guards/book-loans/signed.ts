import { sessions } from "../../lib/sessions.ts";

// Only for signed-in users. For a role, write sessions.requireRole("editor") here, and check it in
// app/nav.ts and app/page.ts too.
export const Middleware = sessions.require;
