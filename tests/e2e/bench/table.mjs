// The reporter of the benches: of all that node's runner tells, the rows of the table, and what failed.

/** The heading, once, and what the benches of all files have measured. */
export default async function* table(events) {
  yield '| figure | median | nine of ten | worst | bound | |\n|---|---|---|---|---|---|\n';
  for await (const { type, data } of events) {
    if (type === 'test:diagnostic' && data.message.startsWith('| ')) yield `${data.message}\n`;
    if (type === 'test:fail') yield `${data.name} failed: ${data.details.error.cause?.stack ?? data.details.error.message}\n`;
  }
}
