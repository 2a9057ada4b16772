import { bootMilliseconds, TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { type EventsState, NoEventsError, Scanner } from '../../src/index.js';

const signedIn = (testScanner: TestScanner) =>
  new Scanner({ url: `http://127.0.0.1:${testScanner.httpPort}`, password: 'servicelevel' });

test('changes by REST and by the control port are pushed, and the loop continues after a reboot', async () => {
  const testScanner = await TestScanner.start({ controlPort: 0 });
  const scanner = signedIn(testScanner);
  const states: EventsState[] = [];
  const onState = (state: EventsState) => states.push(state);
  const iterator = scanner
    .events('DeviceStatus', 'CurrentTempDev', { onState, pace: 1 })
    [Symbol.asyncIterator]();
  const next = async () => {
    const { value } = await iterator.next();
    return [value?.event, value?.data];
  };
  expect(await next()).toEqual(['DeviceStatus', 3]);
  expect(await next()).toEqual(['CurrentTempDev', await scanner.read('CurrentTempDev')]);

  await scanner.call('mStopMeasure');
  expect(await next()).toEqual(['DeviceStatus', 4]);

  const body = JSON.stringify({ celsius: 47.5 });
  const control = `http://127.0.0.1:${testScanner.controlPort}/temperature`;
  expect((await fetch(control, { method: 'POST', body })).status).toBe(200);
  expect(await next()).toEqual(['CurrentTempDev', 47.5]);

  await scanner.call('RebootDevice');
  const back = next();
  await until(() => states.length === 2);
  testScanner.clock.advance(bootMilliseconds);
  expect((await back)[0]).toBe('DeviceStatus');
  expect(states).toEqual(['connected', 'lost', 'reconnected']);
  await until(() => testScanner.service.device.lifecycle.phase === 'up');
  await iterator.return?.();
});

test('structs of a scanner have the types of the model', async () => {
  const testScanner = await TestScanner.start();
  const scanner = signedIn(testScanner);
  for await (const { event, data } of scanner.events('LSPdatetime', 'FieldEvaluationResult', { pace: 1 })) {
    expect(data).toEqual(await scanner.read(event));
    if (event === 'FieldEvaluationResult') break;
  }
});

test('a release without events is an error with its version', async () => {
  const testScanner = await TestScanner.start({ release: '2.2.0' });
  const scanner = signedIn(testScanner);
  const failure = scanner.events('DeviceStatus')[Symbol.asyncIterator]().next();
  await expect(failure).rejects.toEqual(new NoEventsError(scanner.url, '2.2.0.0R', 'HTTP 404'));
});
