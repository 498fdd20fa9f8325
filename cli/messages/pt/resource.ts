/**
 * The texts of `generate resource` in Portuguese.
 *
 * @module
 */
import type { resourceEn } from "../en/resource.ts";

export const resourcePt: typeof resourceEn = {
  argument: "um plural e os seus campos, como events title:text,required seats:int,min=1",
  name: {
    syntax: (name) =>
      `Não é possível gerar o recurso "${name}": escreva um nome de letras minúsculas, dígitos, "-" e "_", ` +
      "como book-loans.",
    reserved: (name) =>
      `Não é possível gerar o recurso "${name}": o sistema, o SQLite ou o fw usa este nome. Escolha outro.`,
    singular: (name) =>
      `Não é possível gerar o recurso "${name}": escreva o plural, como ${name}s, ou diga o singular com ` +
      "--singular, como em `deno task generate resource people --singular person`.",
  },
  field: {
    none: (types) => `Um recurso precisa de campos, como title:text,required. Tipos: ${types}.`,
    uploads: (fields) =>
      `Não é possível gerar o recurso a partir de ${fields}: acrescente um campo que não seja imagem nem ` +
      "ficheiro, como title:text,required.",
    many: (max) => `Um recurso pode ter aqui ${max} campos; escreva os demais à mão.`,
    syntax: (field, types) =>
      `Não é possível ler o campo "${field}": escreva nome:tipo, como ${field}:text. Tipos: ${types}.`,
    name: (field) =>
      `Não é possível usar o nome de campo "${field}": comece com uma letra minúscula e siga com letras, ` +
      "dígitos e um _ por vez, como first_name.",
    reserved: (field) =>
      `Não é possível usar o nome de campo "${field}": linhas, formulários ou todos os objetos já o têm. ` +
      `Escolha outro, como ${field}_value.`,
    twice: (field) =>
      `A coluna "${field}" aparece duas vezes: as colunas não diferem só em maiúsculas. Renomeie um campo.`,
    choices: (field) => `O campo "${field}" não tem valores: escreva oneof=a|b|c depois de enum.`,
    type: (field, type, types) =>
      `O campo "${field}" tem o tipo desconhecido "${type}". Tipos: ${types}.`,
    rule: (field, rule, allowed) =>
      `O campo "${field}" não pode ter a regra "${rule}". Regras do tipo: ${allowed}, cada uma uma vez.`,
    param: (field, rule, example) =>
      `A regra "${rule}" do campo "${field}" está incompleta ou errada: escreva, por exemplo, ${example}.`,
    nearest: (name) => `Queria dizer "${name}"?`,
  },
  contradiction:
    "Nenhum valor passa em todas as regras dos campos: procure um min acima do max, ou um " +
    "email ou url com poucos caracteres.",
  folder: (folder) =>
    `${folder} já existe; nada foi escrito. Escolha outro nome, ou remova a pasta.`,
  route: (file, url) => `${file} já responde a ${url}; nada foi escrito. Escolha outro nome.`,
  foreign: (file) =>
    `${file} não é o que \`generate\` escreve, então nada foi escrito. Deixe-o na forma de ` +
    "docs/database.md, ou tire-o do lugar.",
  table: (file, table) =>
    `${file} já cria uma tabela "${table}"; nada foi escrito. Escolha outro nome.`,
  link: (code) => `Ponha no layout um link para a lista: ${code}`,
  untranslated: (file, words) => `Traduza as suas palavras em ${file}: ${words}.`,
  generic: (file, keys) =>
    `Os textos em português de ${file} chamam "registo" a uma linha. Escreva aí a sua palavra: ${keys}.`,
};
