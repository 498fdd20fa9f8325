import type { Io } from "../io.ts";
import { en } from "./en.ts";
import { pt } from "./pt.ts";
import { buildTexts, type Built } from "./texts.ts";

export type Messages = Built<typeof en>;

export type Language = "en" | "pt";

/**
 * Reads the language from the environment: the first of `FW_LANG`, `LC_ALL`, `LC_MESSAGES` and
 * `LANG` that is set. A value that starts with `pt` selects Portuguese, any other English.
 */
export function languageOf(env: Io["env"]): Language {
  const value = env["FW_LANG"] || env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "";
  return value.toLowerCase().startsWith("pt") ? "pt" : "en";
}

const tables = { en, pt };
const built = new Map<Language, Messages>();

export function messagesIn(language: Language): Messages {
  return built.getOrInsertComputed(language, () => buildTexts(tables[language], en));
}

export function messagesOf(io: Pick<Io, "env">): Messages {
  return messagesIn(languageOf(io.env));
}
