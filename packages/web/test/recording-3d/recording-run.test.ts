import { expect, test } from 'vitest';
import { RecordingRun } from '../../src/recording-3d/recordings.js';

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
