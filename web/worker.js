// Starts the worker: the same program as the page's, whose compiled module the page sends along, so that it is fetched and
// compiled once. A file of its own, because the content security policy forbids scripts made at run time.

addEventListener('message', async ({ data: { script, module } }) => {
  try {
    const { default: start } = await import(script);
    await start({ module_or_path: module });
  } catch (error) {
    // The page takes a string for the reason of a failure.
    postMessage(`it could not be started: ${error.message}`);
  }
}, { once: true });
