export const productionPt = {
  audit: {
    looking: "A examinar as configurações, as rotas, os tipos, o lint e as dependências",
    inOrder: "Em ordem:",
    summary: `{critical} {critical:crítico|críticos}, {warnings} {warnings:aviso|avisos}, {notes}
      {notes:nota|notas}, {ok} em ordem.`,

    settingsUnread: `Config ou Setup entrega as configurações a código que não é lido aqui
      Fix: O que esse código define não foi examinado: defina-o no próprio Config, ou verifique-o.`,

    envDev: `{where} põe o ambiente em dev, em que os clientes veem código-fonte e pilhas
      Fix: Remova isso. Sem FW_ENV o ambiente é prod.`,
    envDevHere: `FW_ENV é dev aqui
      Fix: Em produção não a defina, ou use prod.`,

    envFileSeen: `O git não ignora .env: os segredos entram no histórico
      Fix: Escreva /.env em .gitignore. Se já houve commit, execute \`git rm --cached .env\` e
      troque os segredos: já são conhecidos.`,

    secretMissing: `{variable} não está definida aqui[[, e o código assina com ela ({calls?})]]
      Fix: Onde a aplicação é executada, defina-a com 32 bytes ou mais, por exemplo o que \`openssl rand
      -base64 48\` escreve; sem ela a assinatura falha em produção.`,
    secretShort: `{name} tem {bytes} bytes; menos de 32 podem ser adivinhados
      Fix: Use 32 bytes ou mais, por exemplo o que \`openssl rand -base64 48\` escreve.`,
    secretInCode: `{name} está escrito no código, para todos os que o veem
      Fix: Leia-o de uma variável, e troque-o: o valor já é conhecido.`,
    secretByCode: `{name} é gerado por código; o seu tamanho não foi examinado
      Fix: Garanta que tenha 32 bytes ou mais; senão a aplicação recusa-se a iniciar.`,

    contrastLow: `{front} sobre {ground} tem um contraste de {ratio}, e precisa de {least}
      Fix: Mude uma das duas em public/ui.theme.css, ou use fw ui --brand com a sua cor.`,
    metricsOpen: `As métricas em {path} não têm token nem rede confiável
      Fix: Defina FW_OBS_TOKEN com 32 bytes ou mais, ou observability.trusted (FW_OBS_TRUSTED) com a
      rede do coletor. Se é a produção que os define, execute audit com as variáveis dela.`,
    somePath: "um caminho gerado por código",

    trustedEverybody: `observability.trusted contém {networks}: todos leem métricas e detalhes
      Fix: Liste as redes que recolhem métricas e fazem sondagens.`,

    proxiesNone: `Nenhum proxy é confiável, logo X-Forwarded-For e X-Forwarded-Proto são ignorados
      Fix: Atrás de um proxy defina FW_TRUSTED_PROXIES com o endereço dele: senão cada cliente tem o
      endereço do proxy, e o HTTPS não é detetado. Sem proxy está tudo bem.`,
    proxiesEverybody: `trustedProxies contém {networks}: qualquer cliente pode alegar qualquer
      endereço, e HTTPS
      Fix: Liste os endereços dos proxies.`,

    hostsNone: `Nenhum host permitido está definido: um pedido pode alegar qualquer host
      Fix: Defina FW_ALLOWED_HOSTS com os nomes pelos quais a aplicação é chamada.`,

    headersOff: `Há cabeçalhos de segurança desligados: {names}
      Fix: Ligue-os de novo, a menos que o que está à frente da aplicação os escreva.`,

    healthUnchecked: `Nenhuma verificação de saúde está registada: a prontidão passa sempre
      Fix: Em Setup chame app.check("database", …) para cada coisa de que a aplicação precisa.`,

    generatedStale: `fw_gen.ts está desatualizado: há rotas em falta ou erradas
      Fix: Execute \`deno task gen\` e faça commit do ficheiro.`,
    generatedBroken:
      `fw_gen.ts não pode ser gerado: {count} {count:problema|problemas}, o primeiro: {first}
      Fix: Execute \`deno task gen\`, que os lista com as suas correções.`,

    kindsMissing: `Nenhum Kind abrange rotas que escrevem, numa aplicação que também serve páginas:
      essas rotas não verificam o token de CSRF e só recusam pedidos de outros sites com cookies
      Fix: Ponha um kind.ts na pasta delas: \`export const Kind = "page";\` para formulários de
      páginas (o token é verificado, os erros são HTML), \`export const Kind = "api";\` para uma API
      (os erros são JSON). Se scripts chamam a API com o cookie de uma sessão, ponha também
      \`config.csrfForApi = true\`, que verifica o token deles.`,

    csrfOff: `Há rotas que dispensam a verificação de CSRF (CSRF = false): aceitam pedidos de outros
      sites com cookies
      Fix: Cada uma tem de identificar de outro modo quem a chama: por uma assinatura ou um token.`,

    signInSecret: `O login assina cookies ou tokens, e a produção não tem FW_SECRET: isso falha
      Fix: Defina FW_SECRET com 32 bytes ou mais, igual em todas as réplicas.`,
    signInPasskeys: `As chaves de acesso ficam na memória: reiniciar apaga-as
      Fix: Escreva provideStores(app, sqliteStores(db)) em Setup sem armazenamento em passkeys().`,
    signInRedirect: `O provedor de identidade devolve o navegador por HTTP sem TLS
      Fix: Registe e defina um URL https como redirectUrl.`,
    signInMemory: `As sessões ficam na memória: reiniciar termina-as, e as réplicas não as partilham
      Fix: Dê stored: true a createSessions() e escreva provideStores(app, sqliteStores(db)) em
      Setup.`,
    signInCookies: `As sessões ou os tokens são assinados e não guardados: se forem roubados, não
      podem ser revogados antes de expirarem
      Fix: Onde isso importa, dê stored: true a createSessions ou a createTokens.`,
    signInRoles:
      `As sessões ficam só em cookies, que levam 4.096 bytes: um utilizador a quem o provedor de
      identidade dá muitos papéis ou grupos (uns 70 do Entra ID) não entra e recebe um 500
      Fix: Dê-lhes stored: true e chame provideStores(app, …) em Setup.`,
    guardsFloating: `Uma proteção numa função não é aguardada: a função continua para todos
      Fix: Escreva \`await\` antes dela, como em \`await sessions.require(c)\`.`,
    guardsMissing: `Uma rota sem proteção fica ao lado de uma pasta protegida: cobre só essa pasta
      Fix: Suba o middleware.ts, ou proteja a rota na sua função. Se é pública, ponha as protegidas
      num grupo, como members-: ao lado dele, as rotas que só leem são públicas. Um formulário
      para todos pode ficar.`,
    guardsWriting: `Uma rota que escreve não tem proteção, numa aplicação com pastas protegidas
      Fix: Proteja-a com um middleware.ts ou na sua função. Um formulário para todos pode ficar.`,
    signInUnlimited: `Uma palavra-passe pode ser tentada sem limite
      Fix: Acrescente \`export const MiddlewarePOST = limit(0.1, 10);\` a um middleware.ts na pasta
      deste ficheiro, com \`import {{ limit }} from "@fw/fw";\`.`,
    sharedGuarded: `O código de uma rota protegida deixa caches partilhados guardarem a resposta
      Fix: Chame \`c.cacheControl("private")\` aqui, ou retire a proteção de uma resposta pública.`,

    replicasMemory: `FW_REPLICAS é {count}, e cada réplica guarda na sua memória limites, caches,
      canais e o que só pode ser usado uma vez
      Fix: Chame \`provideStores(app, …)\` em Setup, como no guia "More than one process".`,

    socketsOpen: `Uma rota abre um WebSocket sem proteção: qualquer cliente pode manter ligações
      abertas e enviar mensagens que ficam inteiras na memória
      Fix: Proteja-a com um middleware.ts ou na sua função, e limite o tráfego no proxy.`,

    permissionsAll: `Tudo é permitido (-A) na tarefa {tasks}
      Fix: Nomeie as permissões: --allow-net=0.0.0.0,127.0.0.1,[::] --allow-env=FW_*,PORT,ADDR
      --allow-read=public e o que mais o log pedir.`,
    permissionsWide: `A tarefa start permite mais do que nomes: {flags}
      Fix: Acrescente os nomes depois de =, como --allow-read=public.`,

    envRefused: `O código lê {names}, o que a tarefa start não permite
      Fix: Escreva {flag} na tarefa start; sem isso a leitura lança um erro.`,

    netRefused: `{name} está em {host}, que a tarefa start não pode alcançar
      Fix: Escreva {flag} na tarefa start; sem isso cada pedido a ele lança um erro.`,

    lockOff: `deno.json desliga o lock file: duas compilações podem conter pacotes diferentes
      Fix: Remova "lock": false e faça commit do deno.lock.`,
    lockMissing: `Não há deno.lock: duas compilações podem conter pacotes diferentes
      Fix: Execute \`deno install\` e faça commit do ficheiro.`,

    versionsDiffer: `A biblioteca está na {library}, a linha de comando na {cli}
      Fix: Dê às duas a mesma versão no deno.json, depois execute \`deno task gen\`.`,
    versionsUnknown: `Não foi possível determinar a versão da biblioteca
      Fix: Execute \`deno install\`, que a obtém.`,

    denoOld: `O Deno {version} é anterior ao {oldest}, o mais antigo que o fw aceita
      Fix: Execute \`deno upgrade\`.`,

    lintPlugins: `Os plugins de lint do deno.json não foram executados: podem ler todos os ficheiros
      e variáveis do utilizador
      Fix: Execute \`deno lint\` se confiar neles.`,

    vulnerabilities: `Pacotes têm vulnerabilidades conhecidas ({counts}): {packages}
      Fix: Execute \`deno audit\`, que lista os avisos, e atualize as versões.`,
    vulnerabilitiesUnknown: `Os pacotes não foram examinados à procura de vulnerabilidades: {reason}
      Fix: Execute \`deno audit\` onde o registo esteja ao alcance.`,
    unreachable: "o serviço do registo não está ao alcance",
  },
  build: {
    detachedList: `a tarefa start tem "{written}", cuja segunda palavra o Deno executa como ficheiro
      Fix: Escreva "{fixed}".`,
    outputLeaves: `não é possível gravar em "{folder}": um link leva-a para fora do projeto
      Fix: Remova o link, ou indique a pasta com {flag}.`,
    outputServed:
      `não é possível escrever o executável em "{path}": os clientes podem pedir os ficheiros de public/
      Fix: Indique outro caminho com --output.`,
    outputTaken:
      `não é possível escrever o executável em "{path}": o ficheiro que lá está não é um executável
      Fix: Indique outro caminho com --output.`,
    unreadFlag: `não é possível ler "{word}" da tarefa start: só um shell sabe o seu valor
      Fix: Escreva o valor por extenso.`,
    checking: "A verificar o ficheiro gerado e os ficheiros estáticos",
    checkingTypes: "A verificar os tipos",
    compiling: "A compilar {file} para {target}",
    testing: "A iniciar o executável numa pasta vazia",
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
    factsUsage: "Uso: {name} --fw {words}",
    noApi: `--fw openapi vai faltar, porque a API não pode ser descrita: {reason}
      Fix: Execute fw openapi, que lista todos os erros, e compile de novo.`,
    smokeUnstartable: "o executável não pode ser iniciado aqui: {reason}",
    smokeOutput: "O executável escreveu:",
    smokeFix: `Corrija o que ele indica. Se precisa de algo que esta máquina não tem, como uma base
      de dados, compile com --skip-smoke.`,
    built: "{path} compilado ({size}) para {target}.",
    started: "Iniciado numa pasta vazia: respondeu a {asked}, a primeira resposta em {ms} ms.",
    notTested: "Não iniciado: esta máquina não é {target}. Experimente-o lá antes de confiar nele.",
    skipped: "Não iniciado: --skip-smoke.",
    permissions: "Permissões: {flags}",
    dropped: "Deixado de fora, pois não tem efeito num executável: {flags}",
    variables: "A tarefa start define {names}: defina-as também onde o executável corre.",
  },
} as const;
