// Starts a worker. It runs the same program as the page, which sends it the compiled module, so that the program is fetched and
// compiled once. It needs a file of its own, because the content security policy forbids scripts made at run time. Requests of the page
// that arrive before the program runs wait here. If the start fails, each request is answered with the failure.

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
      // After an update the host no longer has the program of the old version.
      throw new Error('its program could not be loaded. If the site has a new version, reload the page');
    });
    await start({ module_or_path: module });
    removeEventListener('message', listen);
    for (const request of early) dispatchEvent(new MessageEvent('message', { data: request }));
  } catch (error) {
    // The page understands a string as the reason of a failure.
    failure = `it could not be started: ${error.message}`;
    postMessage(failure);
  }
});
