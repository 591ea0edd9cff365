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
        if (bytes > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`);
        controller.enqueue(piece);
      },
    });
    const { status, statusText, headers } = answer;
    return new Response(answer.body.pipeThrough(bounded), { status, statusText, headers });
  };
