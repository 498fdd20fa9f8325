export const problemsPt = {
  noApp: `{root} não tem a pasta app/
    Fix: Crie app/page.ts, ou comece um projeto com \`fw new <nome>\`.`,
  parse: `o ficheiro tem erro de sintaxe: {detail}
    Fix: Corrija a sintaxe neste ponto.`,
  pageAndRoute: `{page} e {route} respondem ao mesmo URL
    Fix: Mantenha um deles; mova o outro para uma pasta própria.`,
  pageInRoute: `{file} é uma rota e também exporta Page
    Fix: Mova Page para um page.ts noutra pasta, ou exporte GET em vez de Page.`,
  twoFiles: `{first} e {second} são o mesmo ficheiro de convenção
    Fix: Mantenha um dos dois.`,
  noFunction: `{file} não exporta {expected}[[, mas exporta {near?}]]
    Fix: Exporte uma função chamada {expected}, ou renomeie o ficheiro.`,
  badIslandName: `"{file}" não é nome de uma ilha
    Fix: Use letras, algarismos, "-", "_" e ".", com letra, algarismo ou, num auxiliar, "_" primeiro.`,
  twoIslands: `{first} e {second} são empacotados no mesmo ficheiro
    Fix: Renomeie um dos dois; um auxiliar começa com "_".`,
  noIslandFunction:
    `{file} não tem exportação default, logo nada pode ser montado[[; exporta {near?}]]
    Fix: Escreva \`export default [[{near?}\`, ou \`export default ]]function (el, props) {{ … }}\`; um
    auxiliar começa com "_".`,
  notFunction: `{name} em {file} não é uma função
    Fix: Escreva \`export function {name}(…) {{ … }}\`.`,
  noMethod: `{file} não exporta nenhum método[[, mas exporta {near?}]]
    Fix: Exporte pelo menos uma função com um dos nomes {methods}.`,
  noKind: `{file} não exporta Kind
    Fix: Escreva \`export const Kind = "api";\` ou \`"page"\`, ou apague o ficheiro.`,
  badActions: `Actions não é um objeto de funções[[: veja {name?}]]
    Fix: Escreva \`export const Actions = {{ borrow, giveBack }};\`, com uma função para cada nome.`,
  badAction: `uma ação não pode chamar-se "{name}"
    Fix: Use letras, dígitos e "_", com uma letra no início: o nome faz parte do URL.`,
  badCsrf: `o valor de CSRF não serve[[: {value?}]]
    Fix: Apague-o: uma página verifica sempre o token, e uma rota verifica-o com
    \`export const Kind = "page";\`. Só \`export const CSRF = false;\` desliga isso.`,
  badKind: `Kind é {value}
    Fix: Escreva \`export const Kind = "api";\` ou \`export const Kind = "page";\`.`,
  problemsOfPages: `Problems não tem efeito com Kind = "page"
    Fix: Apague Kind, ou escreva \`export const Kind = "api";\`; os erros das páginas têm error.ts.`,
  duplicateKind: `o Kind desta pasta já está declarado em {other}
    Fix: Mantenha uma só declaração, de preferência em kind.ts.`,
  brokenExport: `{from} não exporta {name}[[, mas exporta {near?}]]
    Fix: Exporte {name} nesse ficheiro, ou corrija o nome aqui.`,
  missingModule: `o ficheiro {from} não existe
    Fix: Corrija o caminho desta exportação; ele precisa da extensão do ficheiro.`,
  exportAll: `{file} esconde o que exporta atrás de \`export *\`
    Fix: Nomeie o que a convenção pede: \`export {names} from "…"\`.`,
  misplaced: `{file} só vale diretamente em app/
    Fix: Mova-o para app/{file}, ou renomeie-o se for apenas um auxiliar.`,
  badFileName: `{file} não é um ficheiro de convenção, mas parece-se com {wanted}
    Fix: Renomeie-o para {wanted}, ou para outro nome se for apenas um auxiliar.`,
  islandLink: `este link leva para fora do projeto
    Fix: Substitua-o por uma cópia do destino.`,
  outsideLink: `os links em app/ não são seguidos
    Fix: Copie para app/ o destino do link, ou reexporte o que contém.`,
  ambiguousSegment: `{folder} e {other} são ambos um parâmetro no mesmo ponto do URL
    Fix: Junte as duas numa só pasta (em grupos diferentes: dê o mesmo nome às duas), ou ponha uma
    pasta literal antes de uma delas.`,
  catchallNotLeaf: `esta rota está abaixo de {folder}, que fica com o resto do URL
    Fix: Tire a rota dessa pasta, ou faça da pasta um parâmetro (um só _ no fim).`,
  badParameter: `pasta {folder}: "{name}" não serve como nome de parâmetro
    Fix: Use uma letra e depois letras, números ou _ no meio, como slug_ ou path__.`,
  dynamicGroup: `a pasta {folder} é parâmetro e grupo ao mesmo tempo
    Fix: Use o nome "{name}_" (parâmetro) ou "{name}-" (grupo).`,
  emptyGroup: `a pasta {folder} é um grupo sem nome
    Fix: Ponha um nome antes do "-", como "admin-".`,
  badCharacter: `a pasta {folder} contém {character}, que nenhuma pasta da aplicação pode conter
    Fix: Renomeie a pasta. slug_ é um parâmetro, path__ um resto, shop- um grupo.`,
  repeatedParameter: `{pattern} tem o parâmetro {name} duas vezes
    Fix: Renomeie uma das duas pastas.`,
  duplicateRoute: `{pattern} já é o URL de {other}
    Fix: Renomeie uma das pastas; um grupo (- no fim) nada acrescenta ao URL.`,
  unusedMiddleware: `{name} nunca é executado: nenhuma rota nesta pasta ou abaixo trata {method}
    Fix: Remova-o, ou acrescente uma função {method}.`,
  hiddenRoute: `este ficheiro não é rota, pois está na pasta oculta {folder}
    Fix: Tire o ponto do nome da pasta; só .well-known é servida.`,
  unroutable: `nenhum ficheiro pode exportar {name}
    Fix: Remova-o: quem responde a GET responde a HEAD, e nenhuma rota recebe TRACE ou CONNECT.`,
  exportCase: `{name} não tem efeito: o nome difere de {wanted}
    Fix: Chame-lhe {wanted}, ou dê-lhe outro nome se for uma função auxiliar.`,
  methodOnPage: `uma página exporta {name}, que ela não pode tratar
    Fix: Remova-o, ou trate-o num route.ts de outra pasta; Page trata GET.`,
  misplacedExport: `{name} não tem efeito em {file}
    Fix: Exporte-o de {home} na pasta onde deve valer.`,
  fileLimit: `o ficheiro "{field}" pode ser maior do que o corpo de {pattern}, que é recusado antes
    Fix: Chame c.allowBody(maxBytes) num middleware da rota, ou reduza maxSizeBytes.`,
  nestedDocument: `este layout está dentro de outro, que já escreve <html>
    Fix: Devolva só os elementos à volta da página, como h.div(…) ou h.fragment(…).`,
  wrongElements: `@fw/fw não exporta as funções dos elementos
    Fix: Importe-as de "@fw/fw/h".`,
  corsOnPage: `uma página exporta CORS
    Fix: Mova o que outros sites podem chamar para um route.ts, com o CORS ao lado.`,
} as const;
