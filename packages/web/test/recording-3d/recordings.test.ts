import { afterEach, expect, test, vi } from 'vitest';
import { RecordedCloud, RecordingRun } from '../../src/recording-3d/recordings.js';

/** A scanner that saves until it is told that it has. Pauses end by hand. */
function prepare() {
  const pauses: { readonly ms: number; readonly end: () => void }[] = [];
  const scanner = { isSaving: true, saved: 0 };
  const run = new RecordingRun({
    isSaving: async () => scanner.isSaving,
    saved: () => {
      scanner.saved += 1;
    },
    pause: (ms) => new Promise((end) => pauses.push({ ms, end })),
    now: () => 500,
  });
  return { run, pauses, scanner };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('after the stop, the recording is there as soon as the scanner has saved it', async () => {
  const { run, pauses, scanner } = prepare();
  void run.started();
  expect(run.state.value).toEqual({ kind: 'recording', since: 500 });
  const stopped = run.stopped();
  await settled();
  expect([run.state.value.kind, scanner.saved]).toEqual(['saving', 0]);
  scanner.isSaving = false;
  pauses.at(-1)?.end();
  await stopped;
  expect([run.state.value.kind, scanner.saved]).toEqual(['idle', 1]);
});

test('a recording that nobody stops ends by itself after 30 s', async () => {
  const { run, pauses, scanner } = prepare();
  scanner.isSaving = false;
  const started = run.started();
  expect(pauses[0]?.ms).toBe(31_000);
  pauses[0]?.end();
  await started;
  expect([run.state.value.kind, scanner.saved]).toEqual(['idle', 1]);
});

test('the time of an earlier recording does not end a later one', async () => {
  const { run, pauses, scanner } = prepare();
  scanner.isSaving = false;
  const first = run.started();
  await run.stopped();
  void run.started();
  pauses[0]?.end();
  await first;
  expect([run.state.value.kind, scanner.saved]).toEqual(['recording', 1]);
});

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
  const states: unknown[] = [];
  cloud.state.subscribe((state) => states.push(state));
  await cloud.fetch();
  return { state: cloud.state.value, told: states, sent };
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
