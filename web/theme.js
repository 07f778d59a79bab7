// Sets the chosen colour scheme before the page is first drawn; without a choice the style sheet follows the system. It also hides what
// does not apply of the prerendered page (`data-still`): the program ("shell"), if a link or a draft brings another one; everything
// ("none"), if the panes are others, as in an embedded page.
//
// As this script is no module, it can also report that modules failed to load.
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

/** Shows, in place of the page, why it cannot start. @param {string} why */
const failed = (why) => {
  root.still = 'none';
  const say = () => {
    const message = document.getElementById('boot-message');
    document.body.prepend(message);
    message.hidden = false;
    message.textContent = `Fletch could not start here: ${why}`;
  };
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', say, { once: true });
  else say();
};

if (origin === 'null') {
  failed('the page is kept apart from its own site, so it is given no worker. A frame needs allow-same-origin in its sandbox, and a file a web server.');
} else {
  addEventListener('error', ({ target }) => {
    if (target?.dataset?.wasm) failed('its program could not be loaded. Reloading may help.');
  }, true);
}
