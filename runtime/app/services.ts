import type { Config } from "../base/config/config.ts";
import type { Logger } from "../base/observe/logger.ts";
import { joinBase } from "../base/url/path.ts";
import type { Services } from "../base/ctx/services.ts";
import type { Ctx } from "../base/ctx/ctx.ts";
import { compileClient } from "../guard/client_ip.ts";
import { csrfToken } from "../guard/csrf_token.ts";
import { requestNonce } from "../guard/nonce.ts";
import { deferPart } from "../render/defer.ts";
import { createIslands } from "../render/island.ts";
import { renderAll, renderDocument, renderPage } from "../render/page.ts";
import type { Exchange } from "../request/exchange.ts";
import { createAssetCheck } from "./asset_check.ts";
import { createMarkupCheck } from "./markup_check.ts";
import type { ServiceParts } from "../pipeline/compile.ts";
import { type Sockets, upgradeRequest } from "../pipeline/upgrade.ts";

/**
 * Creates the services that contexts need from the layers above them, which pass themselves in: there is one
 * implementation.
 */
export function createServices(
  config: Config,
  parts: ServiceParts & {
    readonly sockets: Sockets;
    readonly log: Logger;
  },
): Services<Exchange> {
  const { errorPages, files, sockets, log } = parts;
  const { hasReload } = errorPages;
  const check = createAssetCheck({ env: config.env, files, log });
  const checkMarkup = createMarkupCheck({ env: config.env, log });
  const asset = (c: Ctx, path: string): string => {
    const rooted = path.startsWith("/") ? path : `/${path}`;
    check(rooted);
    return joinBase(c.base, files?.asset(rooted) ?? rooted);
  };
  return {
    render: (c, status, node) => {
      const layouts = c.route?.layouts ?? [];
      return renderPage(c, node, { status, layouts, hasReload, checkMarkup });
    },
    renderAll: (c, status, nodes) => {
      const layouts = c.route?.layouts ?? [];
      return renderAll(c, nodes, { status, layouts, hasReload, checkMarkup });
    },
    document: renderDocument,
    csrfToken,
    defer: deferPart,
    upgrade: (c, options) => upgradeRequest(c, { ...options, sockets }),
    nonce: (c) => requestNonce(c, config.security),
    client: compileClient(config.trustedProxies),
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
