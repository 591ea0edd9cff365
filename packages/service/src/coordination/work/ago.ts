/** "12 min ago", for sentences about a node. */
export function ago(from: string, now: string): string {
  const minutes = Math.floor((Date.parse(now) - Date.parse(from)) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}
