// Runs before the first paint, so that people who chose the light theme see no dark flash.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('signalbox.theme');
  } catch {
    // Storage may be disabled; the system's preference is used then.
  }
  const isChosen = chosen === 'light' || chosen === 'dark';
  const light = isChosen ? chosen === 'light' : matchMedia('(prefers-color-scheme: light)').matches;
  document.documentElement.dataset.theme = light ? 'light' : 'dark';
})();
