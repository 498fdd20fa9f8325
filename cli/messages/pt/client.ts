/**
 * The Portuguese texts about the written client of an API.
 *
 * @module
 */
import type { clientEn } from "../en/client.ts";

export const clientPt: typeof clientEn = {
  written: (file, methods) => `${file} escrito (métodos: ${methods}).`,
  fresh: (file) => `${file} está atualizado.`,
  stale: (file) => ({
    message: `${file} difere do cliente do documento`,
    fix: `Execute \`deno task openapi --client ${file}\` e faça commit do ficheiro.`,
  }),
  taken: (file) => ({
    message: `${file} não foi escrito por \`fw openapi --client\` e foi mantido`,
    fix: "Informe outro ficheiro, ou remova este.",
  }),
  unsure: (file) => ({
    message: `${file} não é comparado: tem o título desta API, mas não foi escrito neste caminho`,
    fix:
      `Se for um cliente desta API, execute \`deno task openapi --client ${file}\`; senão, dê outro título a uma das APIs.`,
  }),
  faults: (detail) => ({
    message: `não é possível escrever o cliente: ${detail}`,
    fix: "Corrija o documento, ou os tipos de que ele é feito.",
  }),
};
