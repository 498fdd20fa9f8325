import type { BodyLimits } from "../../base/ctx/input.ts";
import type { RequestBody } from "../body.ts";
import { ByteBuffer } from "../buffer.ts";
import type { BodyType } from "../type.ts";
import { addField, decodeText, FormBody, invalidForm, overLimit } from "./fields.ts";
import { describeBytes } from "../format.ts";
import { parsePartHead, type PartHead } from "./multipart_header.ts";
import { MultipartScan } from "./multipart_scan.ts";
import type { UploadFile } from "../upload/file.ts";
import { UploadSpool } from "../upload/spool.ts";
import { UploadWriter } from "../upload/writer.ts";

/**
 * Reads `multipart/form-data` (RFC 7578) as it comes in: of the files only what
 * `maxMemoryBytes` leaves stays in memory.
 */
export async function readMultipart(body: RequestBody, type: BodyType): Promise<FormBody> {
  const boundary = boundaryOf(type);
  const { limits, spoolDir } = body.settings;
  const chunks = body.chunks("c.form");
  const spool = body.spool ??= new UploadSpool({
    maxMemoryBytes: limits.maxMemoryBytes,
    dir: spoolDir,
  });
  const parser = new MultipartParser(new MultipartScan(chunks, boundary), { limits, spool });
  try {
    const form = await parser.parse();
    // Content after the last delimiter is not part of the form.
    await chunks.cancel();
    return form;
  } catch (error) {
    await chunks.cancel();
    await spool.release();
    throw error;
  }
}

/**
 * RFC 2046, section 5.1.1, has 1 to 70 characters of a small set; programs also send others, such as
 * `*****`. Quotes and backslashes are left out, since readers disagree on them in a quoted value.
 */
function boundaryOf(type: BodyType): string {
  const boundary = type.parameters.get("boundary") ?? "";
  if (type.isAmbiguous || !/^[ !#-[\]-~]{0,199}[!#-[\]-~]$/.test(boundary)) {
    throw invalidForm("its boundary is missing or malformed");
  }
  return boundary;
}

class MultipartParser {
  readonly #scan: MultipartScan;
  readonly #limits: BodyLimits;
  readonly #spool: UploadSpool;
  readonly #fields = new Map<string, string[]>();
  readonly #files = new Map<string, UploadFile[]>();
  #fieldCount = 0;
  #fileCount = 0;
  #textBytes = 0;

  constructor(
    scan: MultipartScan,
    options: { readonly limits: BodyLimits; readonly spool: UploadSpool },
  ) {
    this.#scan = scan;
    this.#limits = options.limits;
    this.#spool = options.spool;
  }

  async parse(): Promise<FormBody> {
    const { maxParts, maxPartHeaderBytes } = this.#limits;
    // The preamble (RFC 2046, section 5.1.1), which the body's limit bounds.
    await this.#scan.readContent(() => {});
    for (let parts = 0; await this.#scan.readDelimiterEnd(); parts++) {
      if (parts === maxParts) throw overLimit(`${maxParts} parts`);
      const block = await this.#scan.readHeaderBlock(maxPartHeaderBytes);
      const head = parsePartHead(block, this.#limits);
      if (head.fileName === undefined) await this.#readField(head);
      else await this.#readFile(head.fileName, head);
    }
    return new FormBody(this.#fields, this.#files);
  }

  async #readField({ name, charset }: PartHead): Promise<void> {
    const { maxFields, maxTextBytes } = this.#limits;
    if (++this.#fieldCount > maxFields) throw overLimit(`${maxFields} fields`);
    const text = new ByteBuffer();
    await this.#scan.readContent((piece) => {
      this.#textBytes += piece.length;
      if (this.#textBytes > maxTextBytes) throw overLimit(`${describeBytes(maxTextBytes)} of text`);
      text.append(piece);
    });
    addField(this.#fields, name, decodeText(text.view(), charset));
  }

  async #readFile(fileName: string, head: PartHead): Promise<void> {
    const { maxFiles } = this.#limits;
    const writer = new UploadWriter(this.#spool, { name: fileName, type: head.type });
    let isEmpty = true;
    try {
      await this.#scan.readContent((piece) => {
        if (isEmpty && ++this.#fileCount > maxFiles) throw overLimit(`${maxFiles} files`);
        isEmpty = false;
        writer.write(piece);
      });
      const file = writer.finish();
      // A file input in which nothing was chosen is sent with neither name nor content.
      if (fileName !== "" || !isEmpty) addField(this.#files, head.name, file);
    } catch (error) {
      writer.abort();
      throw error;
    }
  }
}
