import { deflateRawSync } from 'node:zlib';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { openSocket, Subscriber } from '@azimuth/test-support/subscriber';
import type { WebSocketOptions } from '@azimuth/test-support/web-socket';
import { closePayload, encodeFrame, opcode } from '@azimuth/test-support/web-socket-frame';
import { describe, expect, it } from 'vitest';

const scanner = sharedScanner();
const port = () => Number(scanner().httpPort);
const deflating: WebSocketOptions = { extensions: 'permessage-deflate' };
const register = '{"type":"register","event":"DeviceStatus","clientId":1}';
const { text, continuation, close, ping } = opcode;

async function expectAlive(): Promise<void> {
  expect(await scanner().client().value('DeviceStatus')).toBe(3);
}

describe('invalid frames close the connection with a code', () => {
  it.each<[string, readonly Buffer[], number, WebSocketOptions?]>([
    ['without a mask', [encodeFrame({ opcode: text, payload: register, mask: null })], 1002],
    [
      'with RSV1, which was not agreed on',
      [encodeFrame({ opcode: text, payload: register, reserved: 4 })],
      1002,
    ],
    ['with RSV2', [encodeFrame({ opcode: text, payload: register, reserved: 2 })], 1002, deflating],
    ['with RSV3', [encodeFrame({ opcode: text, payload: register, reserved: 1 })], 1002, deflating],
    ['a ping with RSV1', [encodeFrame({ opcode: ping, reserved: 4 })], 1002, deflating],
    ['of opcode 3', [encodeFrame({ opcode: 3, payload: 'x' })], 1002],
    ['of opcode 7', [encodeFrame({ opcode: 7 })], 1002],
    ['of opcode 11', [encodeFrame({ opcode: 11 })], 1002],
    ['of opcode 15', [encodeFrame({ opcode: 15, payload: 'x' })], 1002],
    ['that continue nothing', [encodeFrame({ opcode: continuation, payload: register })], 1002],
    [
      'that begin a message within another',
      [encodeFrame({ opcode: text, payload: 'a', fin: false }), encodeFrame({ opcode: text, payload: 'b' })],
      1002,
    ],
    ['that state 2^40 bytes', [encodeFrame({ opcode: text, payload: 'x', length: 2n ** 40n })], 1009],
    [
      'that state 2^63 - 1 bytes',
      [encodeFrame({ opcode: text, payload: 'x', length: 2n ** 63n - 1n })],
      1009,
    ],
    ['of 100 MB', [encodeFrame({ opcode: text, payload: 'x', length: 100_000_000n })], 1009],
    ['a ping of 126 bytes', [encodeFrame({ opcode: ping, payload: 'x'.repeat(126) })], 1002],
    ['a ping in parts', [encodeFrame({ opcode: ping, payload: 'x', fin: false })], 1002],
    ['a close frame of one byte', [encodeFrame({ opcode: close, payload: 'x' })], 1002],
    ['a close frame with 1005', [encodeFrame({ opcode: close, payload: closePayload(1005) })], 1002],
    ['a close frame with 999', [encodeFrame({ opcode: close, payload: closePayload(999) })], 1002],
    [
      'a close frame whose reason is no UTF-8',
      [encodeFrame({ opcode: close, payload: Buffer.concat([closePayload(1000), Buffer.of(0xff)]) })],
      1007,
    ],
    [
      'text that is no UTF-8',
      [encodeFrame({ opcode: text, payload: Buffer.of(0x22, 0xc3, 0x28, 0x22) })],
      1007,
    ],
    [
      'text that is no UTF-8, in parts',
      [
        encodeFrame({ opcode: text, payload: Buffer.of(0x22, 0xe2, 0x82), fin: false }),
        encodeFrame({ opcode: continuation, payload: Buffer.of(0x22) }),
      ],
      1007,
    ],
    [
      'that cannot be inflated',
      [encodeFrame({ opcode: text, payload: Buffer.alloc(9, 0xff), reserved: 4 })],
      1007,
      deflating,
    ],
  ])('%s', async (_, bytes, code, options = {}) => {
    const socket = await openSocket(port(), options);
    for (const part of bytes) socket.write(part);
    const ending = await socket.closed;
    // A frame that cannot be inflated is faulty as much as its content.
    const codes = code === 1007 ? [1007, ...(options === deflating ? [1002] : [])] : [code];
    expect(codes).toContain(ending.code);
    expect(socket.received).toEqual([]);
    await expectAlive();
  });

  it('a message of 100 MB that is compressed into 100 KB closes with 1009 and does not use the memory', async () => {
    const socket = await openSocket(port(), deflating);
    socket.send({ opcode: text, reserved: 4, payload: deflateRawSync(Buffer.alloc(100_000_000, ' ')) });
    expect((await socket.closed).code).toBe(1009);
    await expectAlive();
  });

  it('an endless sequence of fragments closes with 1009', async () => {
    const socket = await openSocket(port());
    socket.send({ opcode: text, payload: '{', fin: false });
    const fragment = encodeFrame({ opcode: continuation, payload: Buffer.alloc(60_000, ' '), fin: false });
    for (let count = 0; count < 200 && !socket.isClosed; count += 1) {
      await new Promise<void>((resolve) => socket.socket.write(fragment, () => resolve()));
    }
    const { code, reset } = await socket.closed;
    // Where the rest of it was still under way, the code may be lost.
    expect(code === 1009 || reset).toBe(true);
    await expectAlive();
  });

  it.each(['', ' '])(
    'a message in 16 fragments is accepted, one more of %j closes with 1008',
    async (payload) => {
      const socket = await openSocket(port());
      const part = encodeFrame({ opcode: continuation, payload, fin: false });
      const parts = (count: number) => Array.from({ length: count }, () => part);
      const begun = encodeFrame({ opcode: text, payload: '{', fin: false });
      const ended = encodeFrame({ opcode: continuation, payload: '}' });
      socket.write(Buffer.concat([begun, ...parts(14), ended]));
      expect(await socket.nextJson()).toMatchObject({ type: 'error', status: 1 });
      // Those in between count for none.
      socket.write(Buffer.concat([begun, encodeFrame({ opcode: ping }), ...parts(14), ended]));
      expect(await socket.nextJson()).toMatchObject({ type: 'error', status: 1 });
      socket.write(Buffer.concat([begun, ...parts(16)]));
      expect((await socket.closed).code).toBe(1008);
      await expectAlive();
    },
  );
});

describe('invalid messages', () => {
  it('a valid message is read in any fragments', async () => {
    const subscriber = await Subscriber.connect(port());
    const pieces = register.match(/.{1,4}/g) ?? [];
    const frames = pieces.map((payload, index) =>
      encodeFrame({
        opcode: index === 0 ? text : continuation,
        payload,
        fin: index === pieces.length - 1,
      }),
    );
    subscriber.socket.socket.setNoDelay(true);
    for (const byte of Buffer.concat(frames)) subscriber.socket.write(Buffer.of(byte));
    expect(await subscriber.rest()).toEqual([
      { type: 'register', event: 'DeviceStatus', clientId: 1, status: 0, data: { DeviceStatus: 3 } },
    ]);
    subscriber.send({ clientId: 2, more: [], event: 'DeviceStatus', type: 'register', header: null });
    const [reply, ...others] = await subscriber.rest();
    expect(reply).toMatchObject({ type: 'register', clientId: 2 });
    expect(others).toEqual([]);
  });
});
