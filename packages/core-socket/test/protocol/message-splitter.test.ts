import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodePing, encodeRefusal, encodeStop } from '../../src/protocol/encode.js';
import { MessageSplitter } from '../../src/protocol/message-splitter.js';
import { ProtocolError } from '../../src/protocol/messages.js';

const most = 200;

function split(chunks: readonly Buffer[]): string[] {
  const taken: string[] = [];
  const splitter = new MessageSplitter(most, (message) => taken.push(message.toString('hex')));
  for (const chunk of chunks) splitter.push(chunk);
  return taken;
}

const message = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(encodePing),
  fc.nat().map(encodeStop),
  fc.string({ maxLength: 60 }).map(encodeRefusal),
);

test('any split gives the same messages', () => {
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 8 }),
      fc.array(fc.nat(), { maxLength: 12 }),
      (messages, cuts) => {
        const stream = Buffer.concat(messages);
        const places = [0, ...cuts.map((cut) => cut % (stream.length + 1)), stream.length].sort(
          (a, b) => a - b,
        );
        const chunks = places.slice(1).map((end, at) => stream.subarray(places[at], end));
        expect(split(chunks)).toEqual(messages.map((bytes) => Buffer.from(bytes).toString('hex')));
      },
    ),
  );
});

test.each([0, 7, most + 1, 2 ** 32 - 1])('a length of %d is refused as soon as it is there', (length) => {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(length);
  expect(() => split([head])).toThrow(ProtocolError);
  expect(() => split([...head].map((byte) => Buffer.of(byte)))).toThrow(ProtocolError);
});

test('text that is no message is refused', () => {
  expect(() => split([Buffer.from('GET / HTTP/1.1\r\n')])).toThrow(ProtocolError);
});
