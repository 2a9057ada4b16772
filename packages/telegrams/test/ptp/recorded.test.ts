import { recordedPtp } from '@azimuth/test-support/recorded-ptp';
import { expect, test } from 'vitest';
import { decodePtp, encodePtp } from '../../src/ptp/index.js';

test('the messages of ptp4l are read', () => {
  const kinds = recordedPtp.map(({ from, message }) => `${from} ${message.kind}`);
  expect(new Set(kinds)).toEqual(
    new Set([
      'master announce',
      'master sync',
      'master followUp',
      'slave delayRequest',
      'master delayResponse',
    ]),
  );
  const [first] = recordedPtp;
  expect(first?.message).toMatchObject({
    kind: 'announce',
    priority1: 100,
    priority2: 128,
    clockClass: 248,
    stepsRemoved: 0,
    utcOffset: 37,
    grandmaster: '2eb5a8fffe76fbcd',
    source: { clock: '2eb5a8fffe76fbcd', port: 1 },
  });
});

test('a Follow_Up of ptp4l has the number of its Sync, and a Delay_Resp that of its Delay_Req', () => {
  for (const [cause, answer] of [
    ['sync', 'followUp'],
    ['delayRequest', 'delayResponse'],
  ]) {
    const numbers = (kind: string | undefined) =>
      recordedPtp.filter(({ message }) => message.kind === kind).map(({ message }) => message.sequence);
    expect(numbers(answer)).toEqual(numbers(cause));
  }
});

test('the messages of ptp4l are the same after writing and reading them', () => {
  for (const { message } of recordedPtp) expect(decodePtp(encodePtp(message))).toEqual(message);
});
