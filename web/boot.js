// Starts the page: what Trunk's inline script would do, from a file, because the content security policy forbids inline scripts.

const { script, wasm } = document.querySelector('script[data-wasm]').dataset;
const url = (path) => new URL(path, document.baseURI).href;

try {
  const { default: start } = await import(url(script));
  await start({ module_or_path: url(wasm) });
  dispatchEvent(new CustomEvent('FletchStarted'));
} catch (error) {
  const message = document.getElementById('boot-message') ?? document.body.appendChild(document.createElement('p'));
  message.hidden = false;
  message.textContent = `Fletch could not start here: ${error.message}. A current version of Firefox, Chrome, Edge or Safari is needed; otherwise, reloading may help.`;
  throw error;
}
