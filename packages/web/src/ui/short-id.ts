const uuid = /^[\da-f]{8}-[\da-f]{4}-([\da-f])[\da-f]{3}-/i;

/**
 * The displayed form of an id: its beginning, which the command line accepts too. A UUID of version 7 begins with the
 * time, so ids of the same minute share eight letters. A long id chosen by a person differs at its end.
 */
export function shortId(id: string): string {
  const [, version] = uuid.exec(id) ?? [];
  if (version !== undefined) return id.slice(0, version === '7' ? 13 : 8);
  return id.length > 14 ? `${id.slice(0, 7)}…${id.slice(-6)}` : id;
}
