// Stores the site in the browser, so that it works offline, and offers a new version once all its files are stored.

const READY = 'A new version is ready · ';
const RELOAD = 'Reload';

/** @param {string} address of the service worker */
export async function keepOffline(address) {
  try {
    const { serviceWorker } = navigator;
    // Private windows and insecure (http) pages have no service worker.
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
    // The page works without; the next visit tries again.
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
    // Another tab may have activated the new version already. Then reloading this page is all that is left.
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
