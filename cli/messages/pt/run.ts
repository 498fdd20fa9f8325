import type { ExportProblem, ExportProblemCode, SkippedRoute } from "@fw/fw";

export const runPt = {
  dev: {
    badAddress: `Não é possível escutar em "{text}": escreva um endereço como "3000",
      "127.0.0.1:3000" ou "[::1]:3000".`,
    addressTaken: `Não é possível escutar em {address}: outro programa usa esta porta. Termine-o, ou
      escolha outra com --addr, como \`deno task dev --addr 3001\`.`,
    addressRefused: `Não é possível escutar em {address}: {reason}. Escolha outro endereço com
      --addr.`,
    ready: "A servir {url} (pronto em {ms} ms)",
    waiting: "A servir {url} (à espera da correção)",
    reloaded: "Recarregado {what} em {ms} ms",
    applied: "Aplicado {what} em {ms} ms",
    more: "{first}[[ e mais {others?}]]",
    crashed: "A aplicação terminou ({how}). Reinicia quando gravar um ficheiro.",
    unfollowed: `Não é possível acompanhar todos os ficheiros: {reason}. Algumas gravações passarão
      despercebidas. No Linux, aumente fs.inotify.max_user_watches e
      fs.inotify.max_user_instances; depois inicie "dev" de novo.`,
    stage: {
      config: "A configuração não pode ser lida",
      generate: "As rotas não podem ser geradas",
      bundle: "As ilhas não podem ser empacotadas",
      compile: "O código não compila",
      boot: "A aplicação não arranca",
      crash: "A aplicação terminou",
    },
    problemCount: "{count} problemas",
    stack: "Pilha",
    watching:
      "Grave a correção, ou qualquer ficheiro para tentar de novo: esta página recarrega sozinha.",
    watchingOff: "Grave a correção e recarregue esta página.",
    endedByCode: "código de saída {code}",
    endedBySignal: "sinal {signal}",
    endedEarly: "O processo terminou antes de servir: {how}",
    endedLate: "O processo terminou enquanto servia: {how}",
    fixSyntax: "Corrija a sintaxe no lugar marcado.",
    fixModule: 'Crie "{file}", ou corrija o import.',
    fixExport: 'Exporte "{name}" de "{file}", ou corrija o nome no import.',
    fixDependency: `Adicione com "deno add npm:{name}" ou "deno add jsr:{name}", ou corrija o
      import.`,
    fixJsx: 'Defina "jsxImportSource": "@fw/fw" em compilerOptions do deno.json.',
    fixPackage: "Verifique o nome e a versão do pacote no import, e a rede.",
    fixConfig: "Corrija o ficheiro de configuração.",
    fixBrokenOff: `O projeto não foi lido ou gravado até ao fim: verifique as permissões do
      ficheiro, e se há espaço livre no disco.`,
    fixExit: "Procure uma chamada que encerra o processo, como Deno.exit, e remova-a.",
    fixPending:
      "Algo que Setup ou um módulo espera no nível superior nunca se resolve; faça-o terminar.",
    fixCircular:
      `Declare {name} acima do primeiro uso. Se for importado, os módulos importam-se um ao
      outro: mova {name} para um módulo que não importe nenhum deles.`,
    fixSchedule: "Corrija o agendamento, ou a lista de jobs, onde a aplicação chama provideJobs.",
    fixThrown: "Faça o que a mensagem diz, ou corrija o que lança o erro no arranque da aplicação.",
    fixCrash:
      "Capture o erro onde é lançado, ou espere a promessa que rejeita; depois grave qualquer ficheiro.",
    starting: "A aplicação está a arrancar",
    startingText: `Não responde há {seconds} segundos. Esta página volta a tentar sozinha. Se isto
      continuar, procure em Setup algo que nunca termina.`,
    gone: "A aplicação terminou antes de responder a este pedido: envie-o de novo.",
    hostRefused: `Não é possível servir o host "{host}": abra este servidor por localhost ou pelo
      endereço IP, ou inclua o nome em FW_ALLOWED_HOSTS.`,
  },
  export: {
    badUrl: `Não é possível exportar para "{text}": escreva o endereço do site sem utilizador,
      consulta nem fragmento, como https://example.com.`,
    comma: `não é possível exportar para "{folder}": o Deno não permite um caminho com vírgula
      Fix: Escolha outra pasta com --out.`,
    progress: "A exportar {done} de {total}: {path}",
    made: `Exportado: {pages} {pages:página|páginas},
      [[{redirects?} {redirects?:redirecionamento|redirecionamentos}, ]]{others}
      {others:outro ficheiro|outros ficheiros} em {folder}, em {seconds} s.`,
    skippedTitle: "Não exportado:",
    skipped: {
      no_paths:
        "uma página com parâmetros; exporte Paths do ficheiro, que indica as páginas existentes",
      no_extension: "o caminho não tem extensão pela qual um servidor saiba o tipo de um ficheiro",
      not_linked: "nenhuma página tem um link para ela, e os parâmetros não são conhecidos",
    } satisfies Record<SkippedRoute["reason"], string>,
    more: "e mais {count} assim",
    problem: ({ code, subject, detail, message }: ExportProblem): string =>
      // Another version of the library may report problems that this one does not know.
      Object.hasOwn(problems, code) ? problems[code](subject, detail) : message,
    fix: "Corrija o que a mensagem diz, e exporte de novo.",
    stopped: "Interrompido. Nada foi escrito.",
    died: "A aplicação terminou antes do fim da exportação ({how}).",
  },
  islands: {
    bundle: `as ilhas não podem ser empacotadas: {detail}
      Fix: Corrija neste ponto.`,
    foreign: `uma ilha importa {name}, que nenhuma página carrega num navegador
      Fix: Faça esse trabalho no servidor, use \`import type\`, ou ligue a folha num layout.`,
    bundleTaken: `este ficheiro ocupa o lugar do pacote de {source}, e não foi gerado
      Fix: Renomeie um dos dois, ou apague este ficheiro.`,
    bundlesOutside: `um link neste caminho leva para fora do projeto, onde nenhum pacote é escrito
      Fix: Ponha uma pasta no lugar do link.`,
    missing: `public/ não tem o módulo {src} desta ilha
      Fix: [[Queria dizer "{near?}"? Senão ]]crie a fonte em islands/ e execute \`deno task gen\`:
      islands/counter.ts passa a "/islands/counter.js".`,
    count: "{count} {count:problema|problemas}; as ilhas não foram empacotadas.",
    removed: "Removido {file}, de que já nenhuma ilha precisa.",
    fresh: "{count} {count:ilha está|ilhas estão} em dia.",
    stale: `o pacote está desatualizado
      Fix: Execute \`deno task gen\`, ou \`deno task check --fix\`.`,
    unavailable: `não é possível empacotar {files}: o empacotador do Deno não está disponível
      ({reason}). Os pacotes que existiam ficam como estão
      Fix: O Deno obtém o esbuild do registo npm uma vez: verifique a rede e execute \`deno task
      gen\` de novo.`,
  },
} as const;

const problems: Readonly<Record<ExportProblemCode, (s: string, d: string) => string>> = {
  paths_failed: (s, d) => `Paths de ${s} falhou: ${d}`,
  paths_value: (s, d) =>
    `Paths de ${s} dá ${d}; dê a cada parâmetro, e a nada mais, um número ou um texto sem "/", "." e "..".`,
  paths_duplicate: (s, d) => `Paths de ${s} dá ${d} duas vezes; dê uma só.`,
  too_many: (s, d) => `Paths de ${s} dá mais de ${d} páginas; acabe a lista.`,
  bad_name: (s, d) =>
    `${s} não pode ser um ficheiro, pois "${d}" não é nome em todos os sistemas; mude o caminho, ou ` +
    "deixe-o de fora.",
  reserved_name: (s, d) =>
    `${s} seria "${d}", que os servidores leem como instrução; dê outro valor ao parâmetro.`,
  collision: (s, d) =>
    `${s} e ${d} seriam um só ficheiro, ou um a pasta onde o outro é ficheiro; mude o nome de um. ` +
    "Maiúsculas e minúsculas contam como iguais.",
  page_failed: (s, d) => `${s} falha: ${d}`,
  not_html: (s, d) =>
    `${s} responde com ${d}, tipo que um servidor não deduz do nome; use um route.ts cujo caminho tenha ` +
    "uma extensão, ou exclua-o.",
  redirect_target: (s, d) =>
    `${s} redireciona para "${d}", que não leva a nenhuma página; redirecione para um caminho, ou exclua-o.`,
  redirect_loop: (s) =>
    `${s} redireciona para si mesmo: um ficheiro não conhece consultas nem cookies; responda com uma ` +
    "página, ou exclua o caminho.",
  link_missing: (s, d) => `${s} -> ${d}: não existe tal página ou ficheiro`,
  link_not_exported: (s, d) =>
    `${s} -> ${d}: a rota não está no site; acrescente o destino ao seu Paths, ou use --elsewhere`,
  link_no_extension: (s, d) =>
    `${s} -> ${d}: a rota não tem extensão, pela qual um servidor sabe o tipo; termine o caminho com uma, ` +
    'como "/cover.png", ou com um nome de ficheiro, como "/covers/{file}", ou use --elsewhere',
  link_excluded: (s, d) => `${s} -> ${d}: a rota está excluída`,
  link_outside_base: (s, d) => `${s} -> ${d}: sai do caminho base; construa com c.href`,
  form_post: (s, d) =>
    `${s} tem um formulário que envia para ${d}, a que nenhum ficheiro responde; deixe-o de fora onde ` +
    "c.isExport é verdadeiro.",
  cookie: (s, d) => `${s} define o cookie ${d}, o que um ficheiro não pode.`,
  query: (s, d) =>
    `${s} tem um link para ${d}, mas um ficheiro dá a mesma página qualquer que seja a consulta.`,
  fragment: (s, d) => `${s} tem um link para ${d}, mas lá nenhum elemento tem esse id.`,
  no_base_url: (s) =>
    `${s} tem um URL absoluto do site, cujo endereço não se conhece; dê --base-url.`,
  redirect_file: (s, d) =>
    `${s} redireciona para ${d}, o que só fazem servidores que leem _redirects: o nome não é de página.`,
  unlisted: (s) =>
    `${s} não pode ser listado: dos ficheiros de lá, estão no site os que têm link numa página.`,
  no_not_found: (_, d) => `Não há 404.html: um caminho desconhecido responde ${d} em vez de 404.`,
  link_left_out: (s, d) => `${s} -> ${d}: "only" deixa a página de fora`,
  unused_only: (s) => `Não há nenhuma página em "${s}" nem abaixo para exportar.`,
  unused_exclude: (s) => `Não há nada em "${s}" nem abaixo para excluir.`,
};
