// Reporter of the benches: prints the rows of the table, and failures, out of all events of node's runner.

/** Prints the heading once, then the measurements of all files. */
export default async function* table(events) {
  yield '| figure | median | nine of ten | worst | bound | |\n|---|---|---|---|---|---|\n';
  for await (const { type, data } of events) {
    if (type === 'test:diagnostic' && data.message.startsWith('| ')) yield `${data.message}\n`;
    if (type === 'test:fail') yield `${data.name} failed: ${data.details.error.cause?.stack ?? data.details.error.message}\n`;
  }
}
