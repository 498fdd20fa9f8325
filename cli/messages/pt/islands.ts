import type { Shape } from "../texts.ts";
import type { islandsEn } from "../en/islands.ts";

export const islandsPt = {
  bundle: `as ilhas não podem ser empacotadas: {detail}
    Fix: Corrija neste ponto.`,
  bundledStyle: `uma ilha importa uma folha de estilo, que nenhuma página carregaria
    Fix: Ligue a folha no head de um layout, ou importe o texto \`with {{ type: "text" }}\`.`,
  bundledBuiltin: `uma ilha importa {name}, que nenhum navegador tem
    Fix: Faça esse trabalho no servidor e passe o resultado nas props, ou use \`import type\`.`,
  bundleTaken: `este ficheiro ocupa o lugar do pacote de {source}, e não foi gerado
    Fix: Renomeie um dos dois, ou apague este ficheiro.`,
  bundlesOutside: `um link neste caminho leva para fora do projeto, onde nenhum pacote é escrito
    Fix: Ponha uma pasta no lugar do link.`,
  missing: `não há o ficheiro {file} para esta ilha
    Fix: [[Queria dizer "{near?}"? Senão ]]crie-o, ou uma fonte em islands/ da qual ele é empacotado.`,
  unbundled: `não há o ficheiro {file} para esta ilha
    Fix: Execute \`deno task gen\`, que o empacota a partir de {source}.`,
  notPublic: `o módulo desta ilha não é um caminho da pasta public
    Fix: Escreva um como "/islands/counter.js".`,
  isSource: `um navegador executa apenas JavaScript
    Fix: Use o nome do pacote: "{url}".`,
  noDefault: `{file} não tem exportação default, logo esta ilha nada tem a montar
    Fix: Escreva \`export default function (el, props) {{ … }}\` nele.`,
  count: "{count} {count:problema|problemas}; as ilhas não foram empacotadas.",
  written: "Escrito {file}.",
  removed: "Removido {file}, de que já nenhuma ilha precisa.",
  fresh: "{count} {count:ilha está|ilhas estão} em dia.",
  freshInDevelopment: `os pacotes são os do servidor de desenvolvimento, grandes e com source maps
    Fix: Execute \`deno task gen\` antes de implantar a partir do código-fonte.`,
  stale: `o pacote está desatualizado
    Fix: Execute \`deno task gen\`, ou \`deno task check --fix\`.`,
  unavailable: `não é possível empacotar {files}: o empacotador do Deno não está disponível
    ({reason}). Os pacotes que existiam ficam como estão
    Fix: O Deno obtém o esbuild do registo npm uma vez: verifique a rede e execute \`deno task
    gen\` de novo.`,
} as const satisfies Shape<typeof islandsEn>;
