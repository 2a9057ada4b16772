import type { CoreClient } from '@azimuth/test-support/core-client';
import type { SeededRandom } from '@azimuth/test-support/seeded-random';

const hostileNumbers = [0, -1, 1, 65_535, 131_071, 1e9, -1e9, 1e38, Number.NaN, Number.POSITIVE_INFINITY];
const hostileCounts = [0, 1, 5, 240, 1105, 65_535, 65_536, 2 ** 31, 2 ** 32 - 1];
const types = [0, 1, 2, 5, 129, 130, 131, 132, 133, 134, 135, 65_535];

/** One thing that a hostile core does. Most of them end its connection. */
export function beHostile(core: CoreClient, random: SeededRandom): void {
  random.pick([
    randomBytes,
    randomMessage,
    wrongSegment,
    wrongValues,
    wrongTimes,
    wrongLength,
    cutMessage,
    otherMessages,
    otherProtocol,
    manyMessages,
  ])(core, random);
}

function randomBytes(core: CoreClient, random: SeededRandom): void {
  core.socket.write(random.bytes(random.between(1, 2000)));
}

function randomMessage(core: CoreClient, random: SeededRandom): void {
  core.message(random.pick(types), random.bytes(random.pick([0, 1, 4, 8, 16, 24, 40, 53, 500])));
}

/** Beams that the order does not have, or bytes for other beams. */
function wrongSegment(core: CoreClient, random: SeededRandom): void {
  const content = Buffer.alloc(24 + 21 * random.between(0, 50));
  content.writeUInt32LE(orderOf(core), 0);
  content.writeUInt32LE(random.between(0, 1000), 4);
  content.writeBigUInt64LE(core.now, 8);
  content.writeUInt32LE(random.pick(hostileCounts), 16);
  content.writeUInt32LE(random.pick(hostileCounts), 20);
  core.message(131, content);
}

function wrongValues(core: CoreClient, random: SeededRandom): void {
  const distance = random.pick(hostileNumbers);
  const rssi = random.between(0, 65_535);
  const scan = random.between(0, 2 ** 32 - 1);
  for (let first = 0; first < 1105; first += 240)
    core.segment(scan, first, Math.min(240, 1105 - first), {
      ...{ distance, rssi, flags: random.between(0, 255), order: orderOf(core) },
    });
}

function wrongTimes(core: CoreClient, random: SeededRandom): void {
  const time = random.pick([0n, 1n, 2n ** 63n, 2n ** 64n - 1n, core.now + 3_600_000_000_000n]);
  core.segment(random.between(0, 100), 0, 240, { time, order: orderOf(core) });
}

function wrongLength(core: CoreClient, random: SeededRandom): void {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(random.pick([0, 7, 8, 1_376_267, 1_376_268, 2 ** 31, 2 ** 32 - 1]));
  head.writeUInt16LE(random.pick(types), 4);
  core.socket.write(head);
  core.socket.write(random.bytes(random.between(0, 500)));
}

function cutMessage(core: CoreClient, random: SeededRandom): void {
  const head = Buffer.alloc(8 + random.between(0, 500));
  head.writeUInt32LE(24 + 21 * 1105, 0);
  head.writeUInt16LE(131, 4);
  core.socket.end(head);
}

function otherMessages(core: CoreClient, random: SeededRandom): void {
  const numbers = Array.from({ length: 10 }, () => random.pick(hostileNumbers));
  core.motion(numbers);
  core.status(
    random.between(0, 1) === 1,
    random.bytes(random.between(0, 500)).toString('latin1').slice(0, 240),
  );
  core.started(random.between(0, 5));
  if (random.between(0, 3) === 0) core.hello('again', random.between(0, 3));
}

function otherProtocol(core: CoreClient, random: SeededRandom): void {
  core.socket.write(
    random.pick(['GET / HTTP/1.1\r\nHost: a\r\n\r\n', '{"hello":1}\n', '\u0016\u0003\u0001\u0000']),
  );
}

function manyMessages(core: CoreClient, random: SeededRandom): void {
  const message = Buffer.alloc(random.pick([8, 48, 10_000]));
  message.writeUInt32LE(message.length, 0);
  message.writeUInt16LE(random.pick([131, 132, 133]), 4);
  core.socket.write(Buffer.concat(Array(random.between(1, 200)).fill(message)));
}

function orderOf(core: CoreClient): number {
  return core.orders.at(-1)?.number ?? 1;
}
