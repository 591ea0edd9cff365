import type { StoredEvent } from '../stored-event.ts';

/** One sentence for a person; undefined for an event of a newer version. */
export function evidenceSentence({ type, data, by }: StoredEvent<'evidence'>): string | undefined {
  switch (type) {
    case 'node_signed_off': {
      const note = data.note === null ? '' : `: ${data.note}`;
      return `${by} ${data.revoked ? 'took back the sign-off of' : 'signed off'} ${data.id}${note}.`;
    }
    case 'evidence_observed':
      return data.from === data.to
        ? `${data.id} stays ${data.to}: ${data.detail}.`
        : `${data.id} went from ${data.from} to ${data.to}: ${data.detail}.`;
    default:
      return undefined;
  }
}
