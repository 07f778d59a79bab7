// Colours the page before it is first drawn, as the reader chose; without a choice the style sheet follows the system. It also says
// what of the page as it was built may be seen: not its program for who comes with another one, by a link or with a draft, and
// nothing where the panes are other ones, as in a page inside another.
const root = document.documentElement.dataset;
if (location.hash) root.still = 'shell';
if (location.search) root.still = 'none';
try {
  const theme = localStorage.getItem('fletch.v1.theme');
  if (theme === 'light' || theme === 'dark') root.theme = theme;
  if (Object.keys(sessionStorage).some((name) => name.startsWith('fletch.'))) root.still ??= 'shell';
  if (localStorage.getItem('fletch.v1.layout')) root.still = 'none';
} catch {
  // Storage is switched off: the page follows the system.
}
