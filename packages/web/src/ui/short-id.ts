const uuid = /^[\da-f]{8}-[\da-f]{4}-([\da-f])[\da-f]{3}-/i;

/**
 * An id as it is shown: its beginning, by which the command line finds it too. A UUID of version 7 begins with the time,
 * so that those of one minute have the same eight letters. A long id that a person chose differs at its end.
 */
export function shortId(id: string): string {
  const [, version] = uuid.exec(id) ?? [];
  if (version !== undefined) return id.slice(0, version === '7' ? 13 : 8);
  return id.length > 14 ? `${id.slice(0, 7)}…${id.slice(-6)}` : id;
}
