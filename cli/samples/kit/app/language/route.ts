import { KindPage } from "@fw/fw";
import { switchLanguage } from "@fw/fw/i18n";

// A page's route: the CSRF token is checked.
export const Kind = KindPage;

/**
 * POST /language: stores the choice and redirects back to the page.
 *
 * openapi:omit
 */
export const POST = switchLanguage;
