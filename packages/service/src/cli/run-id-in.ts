/** The run id of an event, given as one line of JSON. */
export function runIdIn(line: string): string {
  const event: unknown = JSON.parse(line);
  return typeof event === 'object' && event !== null && 'runId' in event ? String(event.runId) : '';
}
