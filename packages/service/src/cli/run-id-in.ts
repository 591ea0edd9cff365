/** The run that an event, one line of JSON, belongs to. */
export function runIdIn(line: string): string {
  const event: unknown = JSON.parse(line);
  return typeof event === 'object' && event !== null && 'runId' in event ? String(event.runId) : '';
}
