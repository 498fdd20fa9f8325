import type { Config } from "../base/config/config.ts";
import type { Logger } from "../base/logger.ts";
import { joinBase } from "../base/url/path.ts";
import type { Services } from "../base/services.ts";
import type { Ctx } from "../base/types.ts";
import { compileClient } from "../guard/client_ip.ts";
import { csrfToken } from "../guard/csrf.ts";
import { requestNonce } from "../guard/nonce.ts";
import { deferPart } from "../render/defer.ts";
import { createIslands } from "../render/island.ts";
import { renderAll, renderDocument, renderPage } from "../render/page.ts";
import type { RequestContext } from "../request/context.ts";
import type { ServiceParts } from "../pipeline/compile.ts";
import { type Sockets, upgradeRequest } from "../pipeline/upgrade.ts";

/** What contexts ask of the layers above them. They hand themselves in: there is one implementation. */
export function createServices(
  config: Config,
  parts: ServiceParts & {
    readonly sockets: Sockets;
    readonly log: Logger;
  },
): Services {
  const { errorPages, files, sockets, log } = parts;
  const { hasReload } = errorPages;
  const client = compileClient(config.trustedProxies);
  const asset = (c: Ctx, path: string): string => {
    const rooted = path.startsWith("/") ? path : `/${path}`;
    return joinBase(c.base, files?.asset(rooted) ?? rooted);
  };
  return {
    render: (c, status, node) => {
      const context = c as RequestContext;
      const layouts = context.route?.layouts ?? [];
      return renderPage(context, node, { status, layouts, hasReload });
    },
    renderAll: (c, status, nodes) => {
      const context = c as RequestContext;
      const layouts = context.route?.layouts ?? [];
      return renderAll(context, nodes, { status, layouts, hasReload });
    },
    document: (c, status, node) => renderDocument(c as RequestContext, status, node),
    csrfToken: (c) => csrfToken(c as RequestContext),
    defer: (c, part, options) => deferPart(c as RequestContext, part, options),
    upgrade: (c, options) => upgradeRequest(c as RequestContext, { ...options, sockets }),
    nonce: (c) => requestNonce(c, config.security),
    client: (c) => client(c as RequestContext),
    asset,
    island: createIslands({
      env: config.env,
      log,
      hasFile: (name) => files?.has(name) ?? false,
      fileNames: () => [...files?.list().files.keys() ?? []],
      asset,
    }),
  };
}
