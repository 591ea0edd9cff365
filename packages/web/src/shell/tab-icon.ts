const original = '/favicon.svg';

/** The icon with a count on it, as an image that needs no request. */
function iconWithCount(count: number): string {
  const text = count > 9 ? '9+' : String(count);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#6f77ff"/><path d="M8 25V9m0 1.500h9L20.500 13 17 15.500H8" fill="none" stroke="#fff" stroke-width="2.400"/><circle cx="22" cy="21" r="10" fill="#c2002f"/><text x="22" y="26" font-family="sans-serif" font-size="${text.length > 1 ? 12 : 15}" font-weight="700" text-anchor="middle" fill="#fff">${text}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Shows the number of needs in the icon of the tab. */
export function showIconCount(count: number): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon) icon.href = count === 0 ? original : iconWithCount(count);
}
