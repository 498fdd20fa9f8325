import { KindPage } from "@fw/fw";
import { switchLanguage } from "@fw/fw/i18n";

// A page's route: the CSRF token is checked.
export const Kind = KindPage;

/**
 * POST /language: keeps the choice and leads back to the page that sent it.
 *
 * openapi:omit
 */
export const POST = switchLanguage;
