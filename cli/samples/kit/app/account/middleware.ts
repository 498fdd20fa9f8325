import { sessions } from "../../lib/sessions.ts";

export const Middleware = sessions.require;
