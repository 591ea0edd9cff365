import type { StoredEvent } from '../stored-event.ts';

/** `notObserved` as a person reads it. */
const inWords = (state: string): string => state.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** One sentence for a person; undefined for an event of a newer version. */
export function evidenceSentence({ type, data, by }: StoredEvent<'evidence'>): string | undefined {
  switch (type) {
    case 'node_signed_off': {
      const note = data.note === null ? '' : `: ${data.note}`;
      const did = data.refused ? 'refused to sign off' : data.revoked ? 'revoked the sign-off of' : 'signed off';
      return `${by} ${did} ${data.id}${note}.`;
    }
    case 'evidence_withdrawn':
      return `${by} withdrew the proof of ${data.id} by the run ${data.runId}.`;
    case 'evidence_observed':
      return data.from === data.to
        ? `${data.id} stays ${inWords(data.to)}: ${data.detail}.`
        : `${data.id} went from ${inWords(data.from)} to ${inWords(data.to)}: ${data.detail}.`;
    default:
      return undefined;
  }
}
