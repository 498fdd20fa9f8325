import { auth } from "../../lib/auth.ts";

export const Middleware = auth.require;
