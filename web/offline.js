// Keeps the site in the browser, so that it works without a network, and offers a new version once all of it is there.

const READY = 'A new version is ready · ';
const RELOAD = 'Reload';

/** @param {string} address of the service worker */
export async function keepOffline(address) {
  try {
    const { serviceWorker } = navigator;
    // Private windows and open connections have none.
    if (!serviceWorker) return;
    const kept = await serviceWorker.register(address, { updateViaCache: 'none' });
    const offer = () => {
      if (kept.waiting && serviceWorker.controller) show(kept.waiting);
    };
    offer();
    kept.addEventListener('updatefound', () => {
      const { installing } = kept;
      installing?.addEventListener('statechange', () => {
        if (installing.state === 'installed') offer();
      });
    });
  } catch (error) {
    // The page works as it does without; a next visit tries again.
    console.info(`Fletch is not kept for use without a network: ${error.message}`);
  }
}

function show(waiting) {
  if (document.querySelector('.new-version')) return;
  const bar = document.createElement('div');
  bar.className = 'new-version';
  bar.setAttribute('role', 'status');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'raised';
  button.textContent = RELOAD;
  button.addEventListener('click', () => {
    // Another tab may have taken it: then nothing more will change than this page.
    if (waiting.state !== 'installed') {
      location.reload();
      return;
    }
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    waiting.postMessage('take over');
  });
  bar.append(READY, button);
  document.body.append(bar);
}
