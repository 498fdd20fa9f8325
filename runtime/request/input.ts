import type { HttpError } from "../base/errors/errors.ts";
import type { Bound, FileRules, FormBindOptions, FormFiles, Upload } from "../base/ctx/input.ts";
import type { AnySchema } from "../base/standard_schema.ts";
import { negotiate } from "../base/headers.ts";
import { bindJson, boundWithFiles, tryBindBody } from "../body/bind.ts";
import { formError, readForm } from "../body/form/form.ts";
import { readUpload } from "../body/upload/upload.ts";
import type { Exchange } from "./exchange.ts";
import { signedValue } from "./signed.ts";
import { MadeContext } from "./made_context.ts";

/**
 * What handlers read of a request. It has no state and no constructor of its own, so that a context is
 * still made in one step (`bench/http`).
 */
export abstract class RequestInput extends MadeContext {
  async form(this: Exchange, name: string): Promise<string | undefined> {
    return (await readForm(this.body)).get(name);
  }

  async formData(this: Exchange): Promise<FormData> {
    return await (await readForm(this.body)).toFormData();
  }

  formErr(this: Exchange): Promise<HttpError | undefined> {
    return formError(this.body);
  }

  bindJson<T>(this: Exchange, schema: AnySchema<T>): Promise<T> {
    return bindJson(this.body, schema);
  }

  async tryBind<T, const Files extends FormFiles = Record<never, never>>(
    this: Exchange,
    schema: AnySchema<T>,
    options?: FormBindOptions<Files>,
  ): Promise<Bound<T, Files>> {
    const bound = await tryBindBody(this.body, schema, options);
    const files = options?.files;
    // Without files `bound.files` is empty, as the type says.
    if (files === undefined) return bound as Bound<T, Files>;
    return await boundWithFiles(bound, files, (field, rules) => this.file(field, rules));
  }

  file(
    this: Exchange,
    field: string,
    rules?: FileRules & { readonly optional?: false },
  ): Promise<Upload>;
  file(this: Exchange, field: string, rules: FileRules): Promise<Upload | undefined>;
  file(this: Exchange, field: string, rules: FileRules = {}): Promise<Upload | undefined> {
    const at = { log: () => this.log, pattern: this.pattern, env: this.env };
    return readUpload(this.body, field, { rules, ...at });
  }

  allowBody(this: Exchange, maxBytes: number): void {
    this.body.allow(maxBytes);
  }

  noReadDeadline(this: Exchange): void {
    this.body.dropDeadline();
  }

  signed(this: Exchange, name: string): string | undefined {
    return signedValue(this, name);
  }

  accepts(this: Exchange, ...offers: string[]): string | undefined {
    return negotiate(this.headers.get("accept"), offers);
  }
}
