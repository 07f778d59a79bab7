// Starts a worker: the same program as the page's, whose compiled module is sent along, so that it is fetched and
// compiled once. A file of its own, because the content security policy forbids scripts made at run time. What the page asks
// before the program is there waits here, and hears of a failure that came before.

let program;
let failure;
const early = [];

addEventListener('message', async function listen({ data }) {
  const { script, module, late } = data ?? {};
  if (script) program ??= import(script);
  if (failure) postMessage(failure);
  else if (!script && !module) early.push(data);
  if (!module || failure) return;
  globalThis.fletchLate = late;
  try {
    const { default: start } = await program.catch(() => {
      // A host with a new version has the old one's program no more.
      throw new Error('its program could not be loaded. If the site has a new version, reload the page');
    });
    await start({ module_or_path: module });
    removeEventListener('message', listen);
    for (const request of early) dispatchEvent(new MessageEvent('message', { data: request }));
  } catch (error) {
    // The page takes a string for the reason of a failure.
    failure = `it could not be started: ${error.message}`;
    postMessage(failure);
  }
});
