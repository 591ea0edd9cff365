/** The answer is longer than anyone reads; `message` completes "HOST …". */
export class AnswerTooLong extends Error {
  constructor(maxBytes: number) {
    super(`answered with more than ${Math.floor(maxBytes / 1024 / 1024)} MiB`);
    this.name = 'AnswerTooLong';
  }
}

/** `fetch` for servers that may answer without end: reading more than so many bytes, unpacked, fails. */
export const fetchAtMost =
  (maxBytes: number): typeof fetch =>
  async (input, init) => {
    const answer = await fetch(input, init);
    if (!answer.body) return answer;
    let bytes = 0;
    const bounded = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        bytes += piece.byteLength;
        if (bytes > maxBytes) throw new AnswerTooLong(maxBytes);
        controller.enqueue(piece);
      },
    });
    const { status, statusText, headers } = answer;
    return new Response(answer.body.pipeThrough(bounded), { status, statusText, headers });
  };
