import { sessions } from "../../lib/sessions.ts";

// Signed-in users alone; for those with a role: sessions.requireRole("editor").
export const Middleware = sessions.require;
