const flag = 'story';

/** `signalbox demo` opens the page with this in its address; the tab keeps it. */
function readFlag(): boolean {
  if (new URLSearchParams(window.location.search).has(flag)) window.sessionStorage.setItem(flag, '1');
  return window.sessionStorage.getItem(flag) !== null;
}

export const isDemo = readFlag();
