import type { Shape } from "../texts.ts";
import type { incidentEn } from "../en/incident.ts";

export const incidentPt = {
  none: `Nenhum incidente em {folder} tem o id de pedido "{requestId}". Liste-os com \`deno task
    incident\`, ou indique a pasta com --from.`,
  empty: `Não há incidentes em {folder}. A aplicação guarda-os onde config.observability.incidents
    (FW_INCIDENTS) indica uma pasta; --from lê outra.`,
} as const satisfies Shape<typeof incidentEn>;
