// Colours the page before it is first drawn, as the reader chose; without a choice the style sheet follows the system.
try {
  const theme = localStorage.getItem('fletch.v1.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is switched off: the page follows the system.
}
