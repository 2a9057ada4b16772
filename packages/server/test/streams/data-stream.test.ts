import { VirtualClock } from '@azimuth/device';
import { LogBook } from '@azimuth/test-support/log-book';
import { expect, test } from 'vitest';
import { DataStream, type Target } from '../../src/streams/data-stream.js';
import { Sending, StreamMetrics } from '../../src/streams/delivery.js';

test('a telegram that cannot be made is counted, and logged once; later ones are sent', () => {
  const log = new LogBook();
  const metrics = new StreamMetrics();
  const clock = new VirtualClock();
  const sending = new Sending({ description: 'Scan data', destination: 'there', metrics, clock, log });
  const sent: number[] = [];
  let due = (_: string): void => undefined;
  const stream = new DataStream<string>({
    description: 'Scan data',
    log,
    telegrams: {
      configure: () => undefined,
      watch(listener) {
        due = listener;
        return () => undefined;
      },
      mostBytes: () => 1,
      encode(reading, sequence) {
        if (reading === 'broken') throw new RangeError('expected 3 numbers, got 2');
        return Uint8Array.of(sequence);
      },
    },
    target: () => ({
      key: 'there',
      open: () => ({
        hasReceiver: true,
        blockedBy: undefined,
        opening: undefined,
        sending,
        buffer: (bytes) => new Uint8Array(bytes),
        send: (telegram) => sent.push(...telegram),
        meetNobody: () => undefined,
        close: () => undefined,
      }),
    }),
  });
  stream.follow();
  for (const reading of ['good', 'broken', 'broken', 'good']) due(reading);
  expect(sent).toEqual([1, 4]);
  expect(metrics.losses.of('inner')).toBe(2);
  expect(log.lines.map(({ facts }) => facts.reason)).toEqual([
    'it could not be encoded (expected 3 numbers, got 2)',
  ]);
});

test('a stream without a route states why, until it has one or is off', () => {
  const log = new LogBook();
  const targets: (Target | undefined)[] = [{ key: 'nowhere', open: () => 'no_address' }, undefined];
  const stream = new DataStream<string>({
    description: 'Scan data',
    log,
    telegrams: {
      configure: () => undefined,
      watch: () => () => undefined,
      mostBytes: () => 1,
      encode: (_, __, buffer) => buffer,
    },
    target: () => targets.shift(),
  });
  expect(stream.blockedBy).toBe(undefined);
  stream.follow();
  expect(stream.blockedBy).toBe('no_address');
  stream.follow();
  expect(stream.blockedBy).toBe(undefined);
});

test('a stream with another destination watches the scanner on, and the route to the one before is closed', () => {
  const log = new LogBook();
  const metrics = new StreamMetrics();
  const sending = new Sending({
    description: 'Scan data',
    destination: '',
    metrics,
    clock: new VirtualClock(),
    log,
  });
  const acts: string[] = [];
  let key: string | undefined = 'here';
  const target = (to: string): Target => ({
    key: to,
    open: () => ({
      ...{ hasReceiver: true, blockedBy: undefined, opening: undefined, sending },
      buffer: (bytes) => new Uint8Array(bytes),
      send: () => undefined,
      meetNobody: () => undefined,
      close: () => acts.push(`close ${to}`),
    }),
  });
  const stream = new DataStream<string>({
    description: 'Scan data',
    log,
    telegrams: {
      configure: () => undefined,
      watch: () => {
        acts.push('watch');
        return () => acts.push('stop');
      },
      mostBytes: () => 1,
      encode: () => new Uint8Array(1),
    },
    target: () => (key === undefined ? undefined : target(key)),
  });
  stream.follow();
  key = 'there';
  stream.follow();
  expect(acts).toEqual(['watch', 'close here']);
  key = undefined;
  stream.follow();
  expect(acts.slice(2)).toEqual(['close there', 'stop']);
});
