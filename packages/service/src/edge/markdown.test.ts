import { expect, test } from 'vitest';
import { htmlOf, titleOf } from './markdown.ts';

test('headings, paragraphs, lists, tables, code and links of a document become HTML', () => {
  const html = htmlOf(`# Claims & health

A claim is a **lease** on a \`node\`; see [the work
loop](../guides/work-loop.md#claim) and <https://example.com>.

- one
  and more
- two

| a | b |
|---|---|
| \`x\` | [the picture](../images/x.png) |

![left out](../images/plan.png)

\`\`\`sh
signalbox next <plan> # not a heading
\`\`\`
`);
  expect(html.split('\n').filter((line) => line !== '')).toEqual([
    '<h1 id="claims--health">Claims &#38; health</h1>',
    '<p>A claim is a <b>lease</b> on a <code>node</code>; see <a href="../guides/work-loop.md#claim">the work loop</a> and <a href="https://example.com">https://example.com</a>.</p>',
    '<ul><li>one and more</li><li>two</li></ul>',
    '<table><tr><th>a</th><th>b</th></tr><tr><td><code>x</code></td><td>the picture</td></tr></table>',
    '<pre><code>signalbox next &#60;plan&#62; # not a heading</code></pre>',
  ]);
});

test('markup in a document stays text, and a link goes nowhere but to documents and sites', () => {
  expect(htmlOf('<img src=x> [a](javascript:x.md) `<b> [a](b.md)`')).toBe(
    '<p>&#60;img src=x&#62; a <code>&#60;b&#62; &#91;a&#93;(b.md)</code></p>',
  );
});

test('the title of a document is its first heading', () => {
  expect(titleOf('# Start\n\ntext\n# More\n')).toBe('Start');
});
