/**
 * The guides and the exported surface of this version as text, for tools that search them offline:
 * `fw docs <words>` and coding agents. Outside the API promise.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { guides } from "@fw/fw/docs";
 *
 * assert(guides.some(({ name, title }) => name === "routing" && title !== ""));
 * ```
 *
 * @module
 */
import surface from "../api/current.txt" with { type: "text" };
import agentsGuide from "./agents.md" with { type: "text" };
import aiGuide from "./ai.md" with { type: "text" };
import apiGuide from "./api.md" with { type: "text" };
import api_clientGuide from "./api_client.md" with { type: "text" };
import authGuide from "./auth.md" with { type: "text" };
import cachingGuide from "./caching.md" with { type: "text" };
import cliGuide from "./cli.md" with { type: "text" };
import databaseGuide from "./database.md" with { type: "text" };
import deployGuide from "./deploy.md" with { type: "text" };
import exportGuide from "./export.md" with { type: "text" };
import formsGuide from "./forms.md" with { type: "text" };
import fragmentsGuide from "./fragments.md" with { type: "text" };
import handlersGuide from "./handlers.md" with { type: "text" };
import htmlGuide from "./html.md" with { type: "text" };
import islandsGuide from "./islands.md" with { type: "text" };
import jobsGuide from "./jobs.md" with { type: "text" };
import languagesGuide from "./languages.md" with { type: "text" };
import mailGuide from "./mail.md" with { type: "text" };
import mcpGuide from "./mcp.md" with { type: "text" };
import observabilityGuide from "./observability.md" with { type: "text" };
import openid_connectGuide from "./openid_connect.md" with { type: "text" };
import passkeysGuide from "./passkeys.md" with { type: "text" };
import resourcesGuide from "./resources.md" with { type: "text" };
import routingGuide from "./routing.md" with { type: "text" };
import scalingGuide from "./scaling.md" with { type: "text" };
import schemasGuide from "./schemas.md" with { type: "text" };
import securityGuide from "./security.md" with { type: "text" };
import servingGuide from "./serving.md" with { type: "text" };
import sessionsGuide from "./sessions.md" with { type: "text" };
import streamsGuide from "./streams.md" with { type: "text" };
import templatesGuide from "./templates.md" with { type: "text" };
import testingGuide from "./testing.md" with { type: "text" };
import uiGuide from "./ui.md" with { type: "text" };
import uploadsGuide from "./uploads.md" with { type: "text" };

/** A guide in Markdown. */
export interface Guide {
  /** Its file name without extension, such as `routing`. */
  readonly name: string;
  /** Its first heading. */
  readonly title: string;
  /** The whole text. */
  readonly text: string;
}

function guide(name: string, text: string): Guide {
  return { name, title: /^# (.+)$/m.exec(text)?.[1] ?? name, text };
}

/** The guides, sorted by name. */
export const guides: readonly Guide[] = [
  guide("agents", agentsGuide),
  guide("ai", aiGuide),
  guide("api", apiGuide),
  guide("api_client", api_clientGuide),
  guide("auth", authGuide),
  guide("caching", cachingGuide),
  guide("cli", cliGuide),
  guide("database", databaseGuide),
  guide("deploy", deployGuide),
  guide("export", exportGuide),
  guide("forms", formsGuide),
  guide("fragments", fragmentsGuide),
  guide("handlers", handlersGuide),
  guide("html", htmlGuide),
  guide("islands", islandsGuide),
  guide("jobs", jobsGuide),
  guide("languages", languagesGuide),
  guide("mail", mailGuide),
  guide("mcp", mcpGuide),
  guide("observability", observabilityGuide),
  guide("openid_connect", openid_connectGuide),
  guide("passkeys", passkeysGuide),
  guide("resources", resourcesGuide),
  guide("routing", routingGuide),
  guide("scaling", scalingGuide),
  guide("schemas", schemasGuide),
  guide("security", securityGuide),
  guide("serving", servingGuide),
  guide("sessions", sessionsGuide),
  guide("streams", streamsGuide),
  guide("templates", templatesGuide),
  guide("testing", testingGuide),
  guide("ui", uiGuide),
  guide("uploads", uploadsGuide),
];

/** The exported surface: one line for each symbol, with its entry and its type. */
export const apiReference: string = surface;
