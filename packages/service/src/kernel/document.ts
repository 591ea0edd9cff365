/** A JSON object with one long list, for callers that read only a part of it. */
export type PagedJson = { members: object; listName: string; items: Iterable<object>; total: number };

/** An answer that is not JSON: an export, a plan as YAML, a drawing. REST serves it unchanged. */
export class Document {
  readonly mediaType: string;
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array>;
  /** Set when a browser should save it under this name instead of showing it. */
  readonly fileName: string | undefined;
  /** The REST address of the same document, for callers that cannot receive it whole. */
  readonly path: string | undefined;
  /** The parsed body, if it is JSON. */
  readonly pagedJson: PagedJson | undefined;

  constructor(
    mediaType: string,
    body: string | Uint8Array | AsyncIterable<string | Uint8Array>,
    fileName?: string,
    path?: string,
    parts?: PagedJson,
  ) {
    this.mediaType = mediaType;
    this.body = body;
    this.fileName = fileName;
    this.path = path;
    this.pagedJson = parts;
  }

  /** Untrusted content that a browser may open; served in a sandbox. */
  static sandboxed(mediaType: string, body: Uint8Array, fileName?: string): Document {
    return new SandboxedDocument(mediaType, body, fileName);
  }

  get sandboxed(): boolean {
    return false;
  }
}

class SandboxedDocument extends Document {
  override get sandboxed(): boolean {
    return true;
  }
}

export const isDocument = (answer: unknown): answer is Document => answer instanceof Document;
