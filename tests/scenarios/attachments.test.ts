import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { start } from '../start.ts';
import { verifies } from '../verifies.ts';

const content = Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]);
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const attached = (name: string, mediaType: string, bytes: Buffer) => ({
  type: 'attachment',
  runId: 'r-1',
  uid: 'Cart/adds',
  attempt: 1,
  name,
  mediaType,
  size: bytes.length,
  sha256: hashOf(bytes),
  data: bytes.toString('base64'),
});

test('a file attached by a test is listed in its run and served from its archive, where no content of it can run', async () => {
  await using service = await start();
  const page = Buffer.from('<script>alert(1)</script>');
  const events = [
    { type: 'scenario_started', runId: 'r-1', uid: 'Cart/adds', attempt: 1 },
    attached('page.png', 'image/png', content),
    attached('page.html', 'text/html', page),
    {
      ...attached('film.webm', 'video/webm', content),
      sha256: '',
      data: null,
      reason: 'it is larger than 2097152 bytes',
    },
  ];
  await service.console('POST', '/api/ingest', { events });
  const { scenarios } = (await service.console('GET', '/api/runs/r-1')).body;
  expect(scenarios[0].attachments).toMatchObject([
    { name: 'page.png', stored: true, size: 7 },
    { name: 'page.html', stored: true },
    { name: 'film.webm', stored: false, reason: 'it is larger than 2097152 bytes' },
  ]);
  const read = (sha256: string) => fetch(`${service.consoleUrl}/api/runs/r-1/attachments/${sha256}`);
  const picture = await read(hashOf(content));
  expect(picture.headers.get('content-type')).toBe('image/png');
  expect(picture.headers.get('content-security-policy')).toContain('sandbox');
  expect(Buffer.from(await picture.arrayBuffer())).toEqual(content);
  const saved = await read(hashOf(page));
  expect(saved.headers.get('content-type')).toBe('application/octet-stream');
  expect(saved.headers.get('content-disposition')).toBe('attachment; filename="page.html"');
  expect((await read('0'.repeat(64))).status).toBe(404);
});

verifies(
  'attachments:bounded',
  'attachments beyond what a run may keep are named with the reason, and not archived',
  async () => {
    await using service = await start({ settings: { AttachmentsMb: '1' } });
    const film = (fill: number, size: number) => attached(`film ${fill}`, 'video/webm', Buffer.alloc(size, fill));
    const send = (...events: object[]) => service.console('POST', '/api/ingest', { events });
    await send(film(1, 600_000), film(2, 600_000));
    await send(film(3, 300_000), film(4, 2_200_000));
    const { scenarios } = (await service.console('GET', '/api/runs/r-1')).body;
    expect(scenarios[0].attachments).toMatchObject([
      { name: 'film 1', stored: true, reason: null },
      { name: 'film 2', stored: false, size: 600_000, reason: expect.stringContaining('1 MB') },
      { name: 'film 3', stored: true },
      { name: 'film 4', stored: false, reason: 'it is larger than 2097152 bytes' },
    ]);
    const archive = (await service.console('GET', '/api/runs/r-1/export?format=ndjson')).text;
    expect(archive.length).toBeLessThan(1_400_000);
    expect(archive.trim().split('\n')).toHaveLength(4);
  },
);
