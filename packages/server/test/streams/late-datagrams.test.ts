import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { VirtualClock } from '@azimuth/device';
import { expect, onTestFinished, test, vi } from 'vitest';
import { LogBook } from '../../../../tests/support/log-book.js';
import { Datagrams } from '../../src/streams/datagrams.js';
import { Sending, StreamMetrics } from '../../src/streams/delivery.js';
import { longestDeparture } from '../../src/streams/limits.js';

test('datagrams that waited while the process was paused are not sent, and count as lost', async () => {
  const receiver = createSocket('udp4').bind(0, '127.0.0.1');
  const sender = createSocket('udp4');
  onTestFinished(() => {
    sender.close();
    receiver.close();
  });
  await once(receiver, 'listening');
  sender.connect(receiver.address().port, '127.0.0.1');
  await once(sender, 'connect');
  const received: string[] = [];
  receiver.on('message', (datagram) => received.push(String(datagram)));
  const metrics = new StreamMetrics();
  const facts = { words: 'Scan data', destination: 'there', clock: new VirtualClock(), log: new LogBook() };
  const datagrams = new Datagrams(new Sending({ ...facts, metrics }), () => undefined);
  const send = (text: string) => {
    const buffer = datagrams.buffer(text.length);
    if (buffer === undefined) throw new Error('no buffer');
    buffer.set(Buffer.from(text));
    datagrams.send(buffer.subarray(0, text.length), sender);
  };
  const now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now);
  send('before 1');
  send('before 2');
  clock.mockReturnValue(now + longestDeparture + 1);
  datagrams.sendWaiting();
  expect(metrics.losses.of('congested')).toBe(2);
  clock.mockRestore();
  send('after');
  await expect.poll(() => received).toEqual(['after']);
});
