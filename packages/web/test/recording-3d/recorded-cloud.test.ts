import { afterEach, expect, test, vi } from 'vitest';
import { RecordedCloud } from '../../src/recording-3d/recordings.js';

afterEach(() => vi.unstubAllGlobals());

const piece = new Uint8Array(64_000_000);

/** A cloud from a scanner that sends this many pieces of 64 MB, and whether all of them were read. */
async function fetched(pieces: number, headers: Record<string, string> = {}) {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (sent++ === pieces) controller.close();
        else controller.enqueue(piece);
      },
    },
    { highWaterMark: 0 },
  );
  vi.stubGlobal('fetch', async () => new Response(body, { headers }));
  const cloud = new RecordedCloud('http://127.0.0.1:1');
  const told: unknown[] = [];
  cloud.state.subscribe((state) => told.push(state));
  await cloud.fetch();
  return { state: cloud.state.value, told, sent };
}

test('a file that does not end is given up, and no more of it read', async () => {
  const { state, sent } = await fetched(Number.POSITIVE_INFINITY);
  expect(state).toEqual({
    kind: 'failed',
    reason: 'The point cloud is too large to be shown.',
    file: undefined,
  });
  expect(sent).toBe(5);
});

test('while it comes, its bytes are counted', async () => {
  const { told } = await fetched(2, { 'Content-Length': '128000000' });
  expect(told.slice(1, 4)).toEqual([
    { kind: 'fetching', bytes: 0, total: undefined },
    { kind: 'fetching', bytes: 64_000_000, total: 128_000_000 },
    { kind: 'fetching', bytes: 128_000_000, total: 128_000_000 },
  ]);
});

test('a file that is no point cloud is kept, to be saved', async () => {
  const { state } = await fetched(1);
  expect(state).toMatchObject({ kind: 'failed', file: expect.any(Uint8Array) });
});

test('a scanner that has no recording', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
  const cloud = new RecordedCloud('http://127.0.0.1:1');
  await cloud.fetch();
  expect(cloud.state.value).toEqual({ kind: 'none' });
});
