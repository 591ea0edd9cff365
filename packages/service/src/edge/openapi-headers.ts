const text = { type: 'string' };

/** Headers that a call may carry, by the name of their component. */
export const headerParameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'The same key within 24 hours gets the first answer again, so that a call can be retried safely.',
    schema: { ...text, minLength: 1, maxLength: 200 },
    example: '5f0c2f0e-7f5d-4c38-9f55-6d4f1f0f7a11',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'The version that was read (its ETag): the call is refused if there is a newer one.',
    schema: text,
    example: '"7"',
  },
};

/** Headers of answers, each also the name of its component. */
export const responseHeaders = {
  'Total-Count': { description: 'How many items there are on all pages', schema: { type: 'integer' } },
  Link: { description: 'The next page (`rel="next"`), if there is one', schema: text },
  ETag: { description: 'The version, for `If-Match`', schema: text },
  Location: { description: 'The path of what was created', schema: text },
  Age: {
    description: 'Seconds since the store was last reached; only while it cannot be reached',
    schema: { type: 'integer' },
  },
  'WWW-Authenticate': { description: '`Bearer`', schema: text },
};
