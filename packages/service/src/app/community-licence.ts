/** Included in the product so that a fresh installation works. Its private key is not in any repository. */
export const communityKey = {
  crv: 'Ed25519',
  x: 'YswuiqkFYrrAzKsgTjNPqC3Um8eva6YeL1JKDG8hKAo',
  kty: 'OKP',
  alg: 'EdDSA',
};

export const communityLicence =
  'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJldmVyeW9uZSIsImVkaXRpb24iOiJjb21tdW5pdHkiLCJpYXQiOjE3OTQ3MDA4MDB9.kbUhtxwVV9jPHh7Ilgvg8N70qqea4js8N5HiT9zr8HRmdYMUPCuf94AJcN748XzKhwPaQgLMwXIJy--0yRHgDA';
