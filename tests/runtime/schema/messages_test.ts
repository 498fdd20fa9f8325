import { bool, date, float, int, int64, text, texts } from "../../../runtime/schema/mod.ts";
import { assertEquals, assertNotEquals } from "@std/assert";
import { useValidationPtBr, validationMessages, validationMessagesPtBr } from "../../../mod.ts";
import { setDefaults, validationMessage } from "../../../runtime/schema/messages.ts";
import { type AnyField, jsonField } from "./case.ts";

const rows: readonly [field: AnyField, value: unknown, english: string, portuguese: string][] = [
  [text("required"), "", "is required", "é obrigatório"],
  [texts("required"), [], "must have at least one", "deve ter ao menos um"],
  [texts("required"), ["", ""], "must have at least one", "deve ter ao menos um"],
  [bool("required"), false, "must be accepted", "precisa ser aceito"],
  [text("min=3"), "a", "must have at least 3 characters", "deve ter ao menos 3 caracteres"],
  [int("min=3"), 1, "must be at least 3", "deve ser no mínimo 3"],
  [texts("min=3"), ["a"], "must have at least 3", "deve ter ao menos 3"],
  [
    date("min=2026-01-02T10:00"),
    "2026-01-01",
    "must not be before 2026-01-02 10:00",
    "não pode ser antes de 2026-01-02 10:00",
  ],
  [text("max=1"), "ab", "must have at most 1 characters", "deve ter no máximo 1 caracteres"],
  [int("max=1"), 2, "must be at most 1", "deve ser no máximo 1"],
  [texts("max=1"), ["a", "b"], "must have at most 1", "deve ter no máximo 1"],
  [
    date("max=2026-01-02"),
    "2026-01-03",
    "must not be after 2026-01-02",
    "não pode ser depois de 2026-01-02",
  ],
  [text("len=2"), "a", "must have exactly 2 characters", "deve ter exatamente 2 caracteres"],
  [texts("len=2"), ["a"], "must have exactly 2", "deve ter exatamente 2"],
  [text("email"), "a", "must be an email address", "deve ser um endereço de e-mail"],
  [
    text("url"),
    "a",
    "must be a web address that starts with http:// or https://",
    "deve ser um endereço web que começa com http:// ou https://",
  ],
  [text("oneof=a b"), "c", "must be one of: a, b", "deve ser um destes: a, b"],
  [text(), 1, "is not valid", "não é válido"],
  [float(), "a", "must be a number", "deve ser um número"],
  [int(), 5.5, "must be a whole number", "deve ser um número inteiro"],
  [int(), "a", "must be a whole number", "deve ser um número inteiro"],
  [int64(), 5.5, "must be a whole number", "deve ser um número inteiro"],
  [int(), 2 ** 53, "is too large", "é grande demais"],
  [int(), -(2 ** 53), "is too small", "é pequeno demais"],
  [int64(), "9223372036854775808", "is too large", "é grande demais"],
  [int64(), "-9223372036854775809", "is too small", "é pequeno demais"],
  [date(), "a", "must be a date", "deve ser uma data"],
];

for (const [field, value, english, portuguese] of rows) {
  Deno.test(`messages: "${english}" in both languages, even after a switch`, () => {
    assertEquals(jsonField(field, value), `<${english}>`);
    useValidationPtBr();
    try {
      assertEquals(jsonField(field, value), `<${portuguese}>`);
    } finally {
      setDefaults();
    }
    assertEquals(jsonField(field, value), `<${english}>`);
  });
}

for (const key of ["eqfield", "filemax", "filetype"]) {
  Deno.test(`validationMessages: has "${key}" in both languages`, () => {
    const english = validationMessages[key];
    assertNotEquals(english, undefined);
    assertNotEquals(english, validationMessagesPtBr[key] ?? english);
  });
}

function withMessages(messages: Record<string, string>, run: () => void): void {
  const before = { ...validationMessages };
  Object.assign(validationMessages, messages);
  try {
    run();
  } finally {
    for (const key of Object.keys(messages)) {
      const old = before[key];
      if (old === undefined) delete validationMessages[key];
      else validationMessages[key] = old;
    }
  }
}

Deno.test("validationMessages: a plain key replaces the texts of all types", () => {
  const field = text("min=3");
  assertEquals(jsonField(field, "a"), "<must have at least 3 characters>");
  withMessages({ min: "{param} or more ({param})" }, () => {
    assertEquals(jsonField(field, "a"), "<3 or more (3)>");
    assertEquals(jsonField(int("min=3"), 1), "<3 or more (3)>");
  });
  assertEquals(jsonField(field, "a"), "<must have at least 3 characters>");
});

Deno.test("validationMessages: a key with a suffix replaces the text of one type", () => {
  withMessages({ "min.text": "too short", "min": "too little" }, () => {
    assertEquals(jsonField(text("min=3"), "a"), "<too short>");
    assertEquals(jsonField(int("min=3"), 1), "<too little>");
  });
  withMessages({ "min.number": "too small" }, () => {
    assertEquals(jsonField(text("min=3"), "a"), "<must have at least 3 characters>");
    assertEquals(jsonField(int("min=3"), 1), "<too small>");
  });
  withMessages({ "min.int": "too few", "min.number": "too small" }, () => {
    assertEquals(jsonField(int("min=3"), 1), "<too few>");
    assertEquals(jsonField(float("min=3"), 1), "<too small>");
  });
  withMessages({ "bindInvalid.number": "no number" }, () => {
    assertEquals(jsonField(int(), 5.5), "<no number>");
  });
  withMessages({ bindInvalid: "wrong" }, () => void assertEquals(jsonField(int(), 5.5), "<wrong>"));
});

Deno.test("useValidationPtBr: keeps the application's own messages", () => {
  withMessages({ required: "own words" }, () => {
    useValidationPtBr();
    try {
      assertEquals(jsonField(text("required"), ""), "<own words>");
      assertEquals(jsonField(int("min=3"), 1), "<deve ser no mínimo 3>");
    } finally {
      setDefaults();
    }
  });
});

Deno.test("validationMessage: returns texts for uploads and for an unknown key", () => {
  assertEquals(validationMessage("filemax", { param: "5 MB" }), "must be at most 5 MB");
  assertEquals(validationMessage("filetype", { param: "$&" }), "must be a file of type $&");
  for (const key of ["nothing", "constructor", "__proto__"]) {
    assertEquals(validationMessage(key), "is not valid");
  }
});
