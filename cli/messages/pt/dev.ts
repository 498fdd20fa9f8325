import type { Shape } from "../texts.ts";
import type { devEn } from "../en/dev.ts";

export const devPt = {
  badAddress: `Não é possível escutar em "{text}": escreva um endereço como "3000",
    "127.0.0.1:3000" ou "[::1]:3000".`,
  badPort: `Não é possível escutar em "{text}": a porta está fora dos limites. Use uma de 0 a
    65535.`,
  addressMissing: `Não é possível escutar em "{text}": esta máquina não tem tal endereço. Escolha
    outro com --addr, como "fw dev --addr 3000".`,
  addressTaken: `Não é possível escutar em {address}: outro programa usa esta porta. Termine-o, ou
    escolha outra com --addr, como "fw dev --addr 3001".`,
  addressRefused: `Não é possível escutar em {address}: {reason}. Escolha outro endereço com
    --addr.`,
  noApp: `Não é possível executar "dev" aqui: {folder} não tem a pasta "app". Entre na pasta de um
    projeto, ou crie um com "fw new <nome>".`,
  ready: "A servir {url} (pronto em {ms} ms)",
  waiting: "A servir {url} (à espera da correção)",
  reloaded: "Recarregado {what} em {ms} ms",
  fixed: "Corrigido {what} em {ms} ms",
  recovered: "A aplicação iniciou de novo em {ms} ms",
  applied: "Aplicado {what} em {ms} ms",
  more: "{first}[[ e mais {others?}]]",
  crashed: "A aplicação terminou ({how}). Ela reinicia na próxima gravação.",
  unfollowed: `Não é possível acompanhar todos os ficheiros: {reason}. No Linux, aumente
    fs.inotify.max_user_watches e fs.inotify.max_user_instances; depois inicie "dev" de novo, que
    até lá perde gravações.`,
  stage: {
    config: "A configuração não pode ser lida",
    generate: "As rotas não podem ser geradas",
    bundle: "As ilhas não podem ser empacotadas",
    compile: "O código não compila",
    boot: "A aplicação não inicia",
    crash: "A aplicação terminou",
  },
  problemCount: "{count} problemas",
  stack: "Pilha",
  watching: "Esta página acompanha os seus ficheiros: grave a correção e ela desaparece.",
  watchingBoot: "Esta página acompanha os seus ficheiros: grave a correção e ela desaparece. " +
    "Se a causa está fora do código, elimine-a e recarregue esta página: isso inicia a " +
    "aplicação de novo.",
  watchingOff: "Grave a correção e recarregue esta página.",
  endedByCode: "código de saída {code}",
  endedBySignal: "sinal {signal}",
  endedEarly: "O processo terminou antes de servir: {how}",
  endedLate: "O processo terminou enquanto servia: {how}",
  fixSyntax: "Corrija a sintaxe no lugar marcado.",
  fixModule: 'Crie "{file}", ou corrija o import.',
  fixModuleNear: 'Queria dizer "{near}"? Senão, crie "{file}".',
  fixExport: 'Exporte "{name}" de "{file}", ou corrija o nome no import.',
  fixDependency: `Adicione com "deno add npm:{name}" ou "deno add jsr:{name}", ou corrija o
    import.`,
  fixPackage: "Confira o nome e a versão do pacote no import, e a rede.",
  fixConfig: "Corrija o ficheiro de configuração.",
  fixPending:
    "Algo que Setup ou um módulo espera no nível superior nunca se resolve; faça-o terminar.",
  fixLock:
    "Execute `deno install` onde a pasta pode ser escrita, e guarde o deno.lock com o projeto.",
  fixBrokenOff:
    "O projeto não foi lido ou gravado até ao fim: confira as permissões do ficheiro, e se há espaço " +
    "livre no disco.",
  fixExit: "Procure uma chamada que encerra o processo, como Deno.exit, e remova-a.",
  fixVariables: "Defina {names} como diz a mensagem, no ambiente, ou em .env para `deno task dev`.",
  fixThrown: "Corrija o que lança o erro no início da aplicação.",
  fixCrash:
    "Capture o erro onde é lançado, ou espere a promessa que rejeita; depois grave qualquer ficheiro.",
  starting: "A aplicação está a iniciar",
  startingText: "Ela não responde há {seconds} segundos. Esta página pergunta de novo sozinha.",
  startingFix: "Se isto continuar, procure em Setup algo que nunca termina.",
  gone: "A aplicação terminou antes de responder a este pedido",
  goneFix: "Envie o pedido de novo.",
  hostRefused: `Não há como servir o host "{host}": abra este servidor por localhost ou pelo
    endereço IP, ou inclua o nome em FW_ALLOWED_HOSTS.`,
} as const satisfies Shape<typeof devEn>;
