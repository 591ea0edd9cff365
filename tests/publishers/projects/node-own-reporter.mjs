// Writes node:test's own results of each test: names by nesting in the order of declaration, which is exact.
const titles = new Map();

export default async function* own(source) {
  for await (const { type, data } of source) {
    if (type !== 'test:start' && type !== 'test:pass' && type !== 'test:fail') continue;
    const file = data.entryFile ?? data.file;
    const path = titles.get(file) ?? [];
    titles.set(file, path);
    if (type === 'test:start') {
      path.length = data.nesting;
      path.push(data.name);
      continue;
    }
    const isFile =
      data.nesting === 0 && data.entryFile === undefined && (data.name === file || file?.endsWith(data.name));
    if (data.details?.type === 'suite' || isFile) continue;
    const skipped = data.skip !== undefined || data.todo !== undefined;
    const state = skipped ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed';
    yield `${JSON.stringify({ file, path: [...path.slice(0, data.nesting), data.name], state, line: data.line })}\n`;
  }
}
