/**
 * The Portuguese texts about islands.
 *
 * @module
 */
import type { islandsEn } from "../en/islands.ts";

export const islandsPt: typeof islandsEn = {
  bundle: (detail) => ({
    message: `as ilhas não podem ser empacotadas: ${detail}`,
    fix: "Corrija neste ponto.",
  }),
  bundledStyle: () => ({
    message: "uma ilha importa uma folha de estilo, que nenhuma página carregaria",
    fix: 'Ligue a folha no head de um layout, ou importe o texto `with { type: "text" }`.',
  }),
  bundledBuiltin: (name) => ({
    message: `uma ilha importa ${name}, que nenhum navegador tem`,
    fix: "Faça esse trabalho no servidor e passe o resultado nas props, ou use `import type`.",
  }),
  bundleTaken: (source) => ({
    message: `este ficheiro ocupa o lugar do pacote de ${source}, e não foi gerado`,
    fix: "Renomeie um dos dois, ou apague este ficheiro.",
  }),
  bundlesOutside: () => ({
    message: "um link neste caminho leva para fora do projeto, onde nenhum pacote é escrito",
    fix: "Ponha uma pasta no lugar do link.",
  }),
  missing: (file, near) => ({
    message: `não há o ficheiro ${file} para esta ilha`,
    fix: near === undefined
      ? "Crie-o, ou uma fonte em islands/ da qual ele é empacotado, ou corrija o nome."
      : `Queria dizer "${near}"? Senão crie-o, ou uma fonte em islands/ da qual ele é empacotado.`,
  }),
  unbundled: (file, source) => ({
    message: `não há o ficheiro ${file} para esta ilha`,
    fix: `Execute \`deno task gen\`, que o empacota a partir de ${source}.`,
  }),
  notPublic: () => ({
    message: "o módulo desta ilha não é um caminho da pasta public",
    fix: 'Escreva um como "/islands/counter.js".',
  }),
  isSource: (url) => ({
    message: "um navegador executa apenas JavaScript",
    fix: `Use o nome do pacote: "${url}".`,
  }),
  noDefault: (file) => ({
    message: `${file} não tem exportação default, logo esta ilha nada tem a montar`,
    fix: "Escreva `export default function (el, props) { … }` nele.",
  }),
  count: (count) =>
    `${count} ${count === 1 ? "problema" : "problemas"}; as ilhas não foram empacotadas.`,
  written: (file) => `Escrito ${file}.`,
  removed: (file) => `Removido ${file}, de que já nenhuma ilha precisa.`,
  fresh: (count) => count === 1 ? "1 ilha está em dia." : `${count} ilhas estão em dia.`,
  freshInDevelopment: () => ({
    message: "os pacotes são os do servidor de desenvolvimento, grandes e com source maps",
    fix: "Execute `deno task gen` antes de implantar a partir do código-fonte.",
  }),
  stale: () => ({
    message: "o pacote está desatualizado",
    fix: "Execute `deno task gen`, ou `deno task check --fix`.",
  }),
  unavailable: (files, reason) => ({
    message: `não é possível empacotar ${files}: o empacotador do Deno não está disponível ` +
      `(${reason}). Os pacotes que existiam ficam como estão`,
    fix: "O Deno obtém o esbuild do registo npm uma vez: verifique a rede e execute " +
      "`deno task gen` de novo.",
  }),
};
