// The programs behind a relay and behind what it is compared with; one more for each gets the same telegrams straight. It
// sends its ports first, and then, for each message that it gets, when telegrams have come since the last one.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type Ports, programsPerWay, type ReceivedAt, ways } from '../streams/relay-times.js';
import { hostTime } from '../streams/segment-times.js';

/** Offset of the number of a telegram. */
const numberAt = 8;

class Program {
  at: (number | null)[] = [];

  async open(): Promise<number> {
    const socket = createSocket('udp4', (telegram) => {
      const now = hostTime();
      this.at[Number(telegram.readBigUInt64LE(numberAt))] = now;
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return socket.address().port;
  }
}

const programs = ways.map(() => ({
  straight: new Program(),
  passed: Array.from({ length: programsPerWay }, () => new Program()),
}));

function received(): readonly ReceivedAt[] {
  return programs.map(({ straight, passed }) => ({
    straight: straight.at,
    passed: passed.map(({ at }) => at),
  }));
}

process.on('message', () => {
  process.send?.(received());
  for (const { straight, passed } of programs) for (const program of [straight, ...passed]) program.at = [];
});
process.on('disconnect', () => process.exit());
const ports: readonly Ports[] = await Promise.all(
  programs.map(async ({ straight, passed }) => ({
    straight: await straight.open(),
    passed: await Promise.all(passed.map((program) => program.open())),
  })),
);
process.send?.(ports);
