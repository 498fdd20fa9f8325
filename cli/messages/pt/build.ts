import type { Shape } from "../texts.ts";
import type { buildEn } from "../en/build.ts";

export const buildPt = {
  badTarget: 'Não há como compilar para "{target}": escolha um destes: {targets}.',
  noEntry: `a tarefa start executa {file}, que não existe
    Fix: Crie o ficheiro, ou corrija a tarefa.`,
  noInclude: `não há como incluir "{path}": não existe ficheiro ou pasta com esse nome
    Fix: Corrija o caminho de --include.`,
  outputIsFolder: `Não há como gravar o executável em {path}: é uma pasta. Acrescente o nome do
    ficheiro a --output.`,
  outputIsHeld: `Não há como gravar o executável em {path}: tudo o que está em {folder} vai para
    dentro dele. Escolha um caminho fora dela com --output.`,
  outputLeaves: `não há como gravar em "{folder}": uma ligação leva-a para fora do projeto
    Fix: Remova a ligação, ou indique a pasta com {flag}.`,
  unreadFlag: `não há como ler "{word}" da tarefa start: só um shell sabe o que isso vale
    Fix: Escreva o valor por extenso.`,
  separateFlag: `não há como ler "{flag} {value}" da tarefa start: "{value}" poderia ser um
    ficheiro
    Fix: Escreva "{flag}={value}".`,
  checking: "A verificar o ficheiro gerado e os ficheiros estáticos",
  checkingTypes: "A verificar os tipos",
  compiling: "A compilar {file} para {target}",
  testing: "A iniciar o executável numa pasta vazia",
  faults: "{count} {count:problema|problemas}; nada foi compilado.",
  typesFix: "Corrija o tipo e compile de novo.",
  compileFailed: `o deno compile falhou:
{output}
    Fix: Corrija o que ele indica e compile de novo.`,
  noAsset: `{path} não existe
    Fix: Crie o ficheiro, ou corrija o nome.`,
  noBase:
    `não foi possível obter o denort {version} para {target}, a base de cada executável: {reason}
    Fix: Uma destas saídas:
- compile uma vez onde dl.deno.land esteja ao alcance; o Deno guarda o que transfere
- transfira esse pacote dos lançamentos do Deno e guarde-o como {archive}
- aponte DENORT_BIN para um denort descompactado desta versão e deste sistema`,
  smokeEnded: "o executável terminou com código de saída {code} antes de responder",
  smokeSilent: "o executável não respondeu em {seconds} segundos",
  smokeRefused: "o executável respondeu a {path} com {status}",
  smokeDiffers: "o executável respondeu a {path} com um conteúdo que não é o do ficheiro",
  factsUsage: "Uso: {name} --fw {words}",
  noApi: `--fw openapi vai faltar, porque a API não pode ser descrita: {reason}
    Fix: Execute fw openapi, que lista todos os erros, e construa de novo.`,
  smokeUnstartable: "o executável não pode ser iniciado aqui: {reason}",
  smokeOutput: "Ele escreveu:",
  smokeFix:
    "Corrija o que ele diz. Se ele precisa do que esta máquina não tem, como uma base de dados, " +
    "compile com --skip-smoke.",
  smokeBase: "DENORT_BIN aponta para {path}: tem de ser o denort desta versão, não o deno.",
  built: "{path} compilado ({size}) para {target}.",
  started:
    `Iniciado numa pasta vazia: respondeu a {asked}[[ para o host {host?}]], a primeira resposta
    em {ms} ms.`,
  notTested: "Não iniciado: esta máquina não é {target}. Experimente-o lá antes de confiar nele.",
  skipped: "Não iniciado: --skip-smoke.",
  permissions: "Permissões: {flags}",
  dropped: "Deixado de fora, pois nada significa num executável: {flags}",
  variables: "A tarefa start define {names}: defina também onde o executável é executado.",
  and: "e",
} as const satisfies Shape<typeof buildEn>;
