// Starts the worker: the same program as the page's, whose compiled module the page sends along, so that it is fetched and
// compiled once. A file of its own, because the content security policy forbids scripts made at run time. What the page asks
// before the program is there waits here.

let program;
const early = [];

addEventListener('message', async function listen({ data }) {
  if (data.script) program ??= import(data.script);
  else early.push(data);
  if (!data.module) return;
  globalThis.fletchLate = data.late;
  try {
    const { default: start } = await program.catch(() => {
      // A host with a new version has the old one's program no more.
      throw new Error('its program could not be loaded. If the site has a new version, reload the page');
    });
    await start({ module_or_path: data.module });
    removeEventListener('message', listen);
    for (const request of early) dispatchEvent(new MessageEvent('message', { data: request }));
  } catch (error) {
    // The page takes a string for the reason of a failure.
    postMessage(`it could not be started: ${error.message}`);
  }
});
