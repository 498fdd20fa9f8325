import type { Shape } from "../texts.ts";
import type { resourceEn } from "../en/resource.ts";

export const resourcePt = {
  name: {
    syntax: `Não é possível gerar o recurso "{name}": escreva um nome de letras minúsculas,
      dígitos, "-" e "_", como book-loans.`,
    reserved: `Não é possível gerar o recurso "{name}": o sistema, o SQLite ou o fw usa este nome.
      Escolha outro.`,
    singular: `Não é possível gerar o recurso "{name}": escreva o plural, como {name}s, ou diga o
      singular com --singular, como em \`deno task generate resource people --singular person\`.`,
  },
  field: {
    uploads: `Não é possível gerar o recurso a partir de {fields}: acrescente um campo que não
      seja imagem nem ficheiro, como title:text,required.`,
    many: "Um recurso pode ter aqui {max} campos; escreva os demais à mão.",
    syntax: `Não é possível ler o campo "{field}": escreva nome:tipo, como {field}:text. Tipos:
      {types}.`,
    name: `Não é possível usar o nome de campo "{field}": comece com uma letra minúscula e siga
      com letras, dígitos e um _ por vez, como first_name.`,
    reserved: `Não é possível usar o nome de campo "{field}": linhas, formulários ou todos os
      objetos já o têm. Escolha outro, como {field}_value.`,
    twice: `A coluna "{field}" aparece duas vezes: as colunas não diferem só em maiúsculas.
      Renomeie um campo.`,
    choices: 'O campo "{field}" não tem valores: escreva oneof=a/b/c depois de enum.',
    type: 'O campo "{field}" tem o tipo desconhecido "{type}". Tipos: {types}.',
    rule: `O campo "{field}" não pode ter a regra "{rule}". Regras do tipo: {allowed}, cada uma
      uma vez.`,
    param: (field, rule, example) =>
      `A regra "${rule}" do campo "${field}" está incompleta ou errada: escreva, por exemplo, ${example}.`,
    nearest: 'Queria dizer "{name}"?',
  },
  seed:
    "Não é possível criar {count} linhas: escreva um número inteiro de 1 a {most}, como --seed 50.",
  nothing: 'Não há migração que crie a tabela "{table}", nem nada a desfazer.',
  removed: "{file} removido.",
  kept: "{file} fica: foi alterado ou há uma migração posterior; remova-o à mão.",
  seeded: "Acrescente as linhas de exemplo: {command}",
  contradiction:
    "Nenhum valor passa em todas as regras dos campos: procure um min acima do max, ou um " +
    "email ou url com poucos caracteres.",
  guard: "A aplicação tem login: use --guard só para quem entrou, ou --public para todos.",
  noSignIn: "--guard precisa de login: execute primeiro `deno task generate auth`.",
  folder: "{folder} já existe; nada foi escrito. Escolha outro nome, ou remova a pasta.",
  route: "{file} já responde a {url}; nada foi escrito. Escolha outro nome.",
  foreign: `{file} não é o que \`generate\` escreve, então nada foi escrito. Deixe-o na forma de
    docs/database.md, ou tire-o do lugar.`,
  table: '{file} já cria uma tabela "{table}"; nada foi escrito. Escolha outro nome.',
  reference:
    `Não é possível referir "{table}": nenhuma migração cria essa tabela com uma coluna de texto. Gere
    primeiro esse recurso.`,
  link: "Ponha no layout um link para a lista: {code}",
  untranslated: "Traduza as suas palavras em {file}: {words}.",
  generic: `Os textos em português de {file} chamam "registo" a uma linha. Escreva aí a sua
    palavra.`,
} as const satisfies Shape<typeof resourceEn>;
