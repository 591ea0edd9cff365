/** The answer exceeds the limit; `message` completes "HOST …". */
export class AnswerTooLong extends Error {
  constructor(maxBytes: number) {
    super(`answered with more than ${Math.floor(maxBytes / 1024 / 1024)} MiB`);
    this.name = 'AnswerTooLong';
  }
}

/** `fetch` with a limit on the unpacked bytes of an answer, for servers that may send endlessly. */
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
