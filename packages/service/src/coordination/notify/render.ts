import type { Occurrence } from '../../receivers/occurrence.ts';
import type { Receiver } from '../../receivers/receivers.ts';

export type Rendered = { contentType: string; body: string };

/** The maximum of a text by others in one chat message. */
const mostText = 1_500;
/** Receivers need not accept more, so texts of others are truncated. */
const mostBytes = 64 * 1024;

/** The message for an occurrence. `source` names the host. */
export function render(
  { format }: Pick<Receiver, 'format'>,
  occurrence: Occurrence,
  source: { path: string; host: string },
): Rendered {
  const json = 'application/json';
  const text = occurrence.text.slice(0, mostText);
  if (format === 'slack') return { contentType: json, body: JSON.stringify({ text: forSlack(text) }) };
  // A text by others must not mention anybody.
  if (format === 'discord')
    return { contentType: json, body: JSON.stringify({ content: text, allowed_mentions: { parse: [] } }) };
  if (format === 'notify') {
    const { subject, at } = occurrence;
    const type = notifyTypeOf(occurrence);
    return { contentType: json, body: JSON.stringify({ type, subject, text: occurrence.text, at, host: source.host }) };
  }
  return { contentType: 'application/cloudevents+json; charset=utf-8', body: cloudEvent(occurrence, source.path) };
}

/** The name of the occurrence for `Service:Notify`. */
export const notifyTypeOf = ({ type }: Pick<Occurrence, 'type'>): string =>
  type === 'node_ready' ? 'node_unblocked' : type;

/** Slack interprets `<`, `>` and `&`. */
const forSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function cloudEvent({ id, type, subject, at, text, data }: Occurrence, source: string): string {
  const event = (inner: object) =>
    JSON.stringify({
      specversion: '1.0',
      id,
      source,
      type,
      subject,
      time: at,
      datacontenttype: 'application/json',
      data: inner,
    });
  const whole = event({ text, ...data });
  if (whole.length <= mostBytes) return whole;
  return event({ text: text.slice(0, mostText), truncated: true });
}
