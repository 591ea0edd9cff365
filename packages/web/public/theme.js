// Runs before the first paint, so that nobody who chose light sees a dark flash.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('signalbox.theme');
  } catch {
    // Storage may be switched off; the system's wish serves then.
  }
  const isChosen = chosen === 'light' || chosen === 'dark';
  const light = isChosen ? chosen === 'light' : matchMedia('(prefers-color-scheme: light)').matches;
  document.documentElement.dataset.theme = light ? 'light' : 'dark';
})();
