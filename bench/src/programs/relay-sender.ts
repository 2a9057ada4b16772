// Sends telegrams as a scanner does, each one at the same moment straight to a program and to what passes it on. The ways
// take turns. It sends, for each message that it gets, when each telegram was sent.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { encodeCompactScan } from '@azimuth/telegrams/encode';
import { parse } from '../json.js';
import { type SentAt, sendingIn, telegramsPerSecond } from '../streams/relay-times.js';
import { hostTime } from '../streams/segment-times.js';
import { segmentWith, telegramOf } from '../telegram/tasks.js';

let telegram = telegramOf(segmentWith(3));

/** A connected socket sends in the same turn; another one looks for the host first. */
async function connectedTo(port: number): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

process.on('message', (question) => {
  void send(sendingIn(parse(String(question)))).then((sent) => process.send?.(sent));
});
process.on('disconnect', () => process.exit());
process.send?.('open');

async function send({ ways, count }: ReturnType<typeof sendingIn>): Promise<readonly SentAt[]> {
  const sent = await Promise.all(
    ways.map(async ({ straight, entry }) => ({
      straight: { socket: await connectedTo(straight), at: new Array<number>(count).fill(0) },
      passed: { socket: await connectedTo(entry), at: new Array<number>(count).fill(0) },
    })),
  );
  const begin = hostTime();
  for (let number = 0; number < count; number++) {
    for (const [turn, { straight, passed }] of sent.entries()) {
      telegram = { ...telegram, sequence: number };
      const bytes = encodeCompactScan(telegram);
      const due = begin + ((number + turn / sent.length) * 1000) / telegramsPerSecond;
      await setTimeout(Math.max(0, due - hostTime()));
      // Neither of both is always the first one.
      for (const one of number % 2 === 0 ? [straight, passed] : [passed, straight]) {
        one.at[number] = hostTime();
        one.socket.send(bytes);
      }
    }
  }
  for (const { straight, passed } of sent) for (const { socket } of [straight, passed]) socket.close();
  return sent.map(({ straight, passed }) => ({ straight: straight.at, passed: passed.at }));
}
