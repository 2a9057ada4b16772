import { FlatCore } from '@azimuth/test-support/flat-core';
import { bootMilliseconds, TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { type EventsState, Scanner } from '../../src/index.js';
import { begin } from '../events/scanner-with-events.js';

async function start() {
  const testScanner = await TestScanner.start({ core: new FlatCore() });
  const scanner = new Scanner({ url: `http://127.0.0.1:${testScanner.httpPort}`, password: 'servicelevel' });
  const states: EventsState[] = [];
  const onState = (state: EventsState) => states.push(state);
  return { testScanner, scanner, states, onState };
}

test('scans of a scanner are whole frames, and continue after a reboot', async () => {
  const { testScanner, scanner, states, onState } = await start();
  const scans = scanner.scans({ onState, buffer: 1000 });
  const iterator = begin(scans);
  const next = async () => {
    let frame: Awaited<ReturnType<typeof iterator.next>> | undefined;
    const read = iterator.next().then((result) => {
      frame = result;
    });
    while (frame === undefined) await testScanner.pass(20);
    await read;
    return frame.value;
  };
  const first = await next();
  const { beams = 0, echoes = 0, number = 0 } = first ?? {};
  expect(first).toMatchObject({ complete: true, echoes: 3, sender: 12345678 });
  expect(first?.distance[0]).toBe(2000);
  expect(first?.rssi?.length).toBe(beams * echoes);
  expect(first?.properties?.length).toBe(beams);
  for (let more = 1; more <= 20; more++) {
    expect(await next()).toMatchObject({ number: number + more, complete: true, beams });
  }
  expect(scans.dropped).toBe(0);
  await scanner.call('RebootDevice');
  await until(() => states.length === 2);
  testScanner.clock.advance(bootMilliseconds);
  await until(() => testScanner.service.device.lifecycle.phase === 'up');
  // Frames from before the reboot may still wait.
  await until(() => states.length === 3);
  for (let before = 0; before < 100 && (await next())?.number !== 1; before++);
  expect(await next()).toMatchObject({ complete: true, beams });
  expect(states).toEqual(['connected', 'lost', 'reconnected']);
  await iterator.return?.();
});

test('changes of a scanner are reported with the names that a read has', async () => {
  const { scanner, states, onState } = await start();
  const iterator = begin(scanner.changes({ onState, names: ['LocationName', 'x/fields'] }));
  const first = iterator.next();
  await until(() => states.length === 1);
  await scanner.write('LocationName', 'Gate 3');
  expect((await first).value).toEqual({ changed: { LocationName: 'Gate 3' }, lost: 0 });
  const fields = { evaluations: [], groups: [{ Id: 1, Evaluations: [] }] };
  await scanner.writeAny('x/fields', fields);
  expect((await iterator.next()).value).toMatchObject({ changed: { 'x/fields': fields }, lost: 0 });
  await iterator.return?.();
  const unknown = begin(scanner.changes({ names: ['Xyzzy'] })).next();
  await expect(unknown).rejects.toThrow('No variable here is named Xyzzy');
});
