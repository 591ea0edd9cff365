import { connect } from 'node:tls';
import { isObject } from '../../../kernel/is-object.ts';

/** The contents of a certificate, whether or not its signer is trusted. */
type Shown = { validFrom: string; validTo: string; names: string };

const unknownAuthority = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
const notTls = /^(ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)|EPROTO)$/;
const cutOff = /^(ECONNRESET|UND_ERR_SOCKET|HPE_INVALID_CONSTANT)$/;

/** Why a reachable service could not be called, and what to do; null if the connection is not the cause. */
export async function connectionFault(root: string, fault: unknown, renew = renewOurs): Promise<string | null> {
  const code = codeIn(fault);
  const url = URL.parse(root);
  if (url === null) return null;
  if (url.protocol === 'http:') {
    const isTls = cutOff.test(code) && (await certificateAt(url)) !== null;
    return isTls ? `${root} speaks TLS. Use https://${url.host} as its address.` : null;
  }
  if (notTls.test(code)) return `${root} does not speak TLS. Use http://${url.host} as its address.`;
  const text = sentences[code] ?? (unknownAuthority.has(code) ? sentences.unknown : undefined);
  return text === undefined ? null : text(root, await certificateAt(url), renew);
}

type Sentence = (root: string, shown: Shown | null, renew: string) => string;
const renewOurs =
  'Put the new certificate into the files of Service:TlsCert and Service:TlsKey; it is loaded within 10 s.';

const sentences: Readonly<Record<string, Sentence>> = {
  CERT_HAS_EXPIRED: (root, shown, renew) =>
    `${root} answers, but its TLS certificate has expired${shown ? ` on ${shown.validTo}` : ''}. ${renew}`,
  CERT_NOT_YET_VALID: (root, shown) =>
    `${root} answers, but its TLS certificate is not valid yet${shown ? `: it is valid from ${shown.validFrom}` : ''}. Set the clock of this machine, or use a certificate that is valid now.`,
  ERR_TLS_CERT_ALTNAME_INVALID: (root, shown) =>
    `${root} answers, but its TLS certificate is for another name${shown ? ` (${shown.names})` : ''}. Use that name as the address, or a certificate with this name.`,
  unknown: (root, shown) => {
    const isOver = shown !== null && Date.parse(shown.validTo) < Date.now();
    return `${root} answers, but this machine does not know the authority that signed its TLS certificate. Set NODE_EXTRA_CA_CERTS to the file of that authority for the program that connects.${isOver ? ` It has also expired on ${shown.validTo}.` : ''}`;
  },
};

/** The code that Node gives the fault, which `fetch` hides in its cause. */
export function codeIn(fault: unknown): string {
  for (let one = fault; isObject(one); one = one.cause) if (typeof one.code === 'string') return one.code;
  return '';
}

const askMs = 2_000;
const day = (text: string): string => new Date(text).toISOString().slice(0, 10);

function certificateAt({ hostname, port }: URL): Promise<Shown | null> {
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: Number(port || 443), rejectUnauthorized: false, timeout: askMs });
    socket.once('secureConnect', () => {
      const { valid_from: from, valid_to: to, subjectaltname: names, subject } = socket.getPeerCertificate();
      resolve(
        to
          ? { validFrom: day(from), validTo: day(to), names: (names ?? String(subject?.CN)).replaceAll('DNS:', '') }
          : null,
      );
      socket.destroy();
    });
    for (const event of ['error', 'timeout', 'close'] as const) {
      socket.once(event, () => {
        resolve(null);
        socket.destroy();
      });
    }
  });
}
