import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { number } from './json.js';
import { acceptOf, WebSocketByHand, type WebSocketWishes } from './web-socket.js';
import { agreed, deflated, Inflater } from './web-socket-deflate.js';
import { encodeFrame, FrameCutter, opcode } from './web-socket-frame.js';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const hello = Buffer.from('Hello');
const mask = hex('37 fa 21 3d');

/** Frames of RFC 6455 §5.7. */
const published = {
  text: hex('81 05 48 65 6c 6c 6f'),
  maskedText: hex('81 85 37 fa 21 3d 7f 9f 4d 51 58'),
  fragments: hex('01 03 48 65 6c 80 02 6c 6f'),
  ping: hex('89 05 48 65 6c 6c 6f'),
  maskedPong: hex('8a 85 37 fa 21 3d 7f 9f 4d 51 58'),
};

describe('frames', () => {
  test('are the published ones', () => {
    expect(encodeFrame({ opcode: opcode.text, payload: hello, mask: null })).toEqual(published.text);
    expect(encodeFrame({ opcode: opcode.text, payload: hello, mask })).toEqual(published.maskedText);
    expect(encodeFrame({ opcode: opcode.pong, payload: hello, mask })).toEqual(published.maskedPong);
    const binary = (length: number) =>
      encodeFrame({ opcode: opcode.binary, payload: Buffer.alloc(length), mask: null });
    expect(binary(256).subarray(0, 5)).toEqual(hex('82 7e 01 00 00'));
    expect(binary(65_536).subarray(0, 11)).toEqual(hex('82 7f 00 00 00 00 00 01 00 00 00'));
  });

  test('can be wrong in whatever way', () => {
    expect(encodeFrame({ opcode: 3, reserved: 2, fin: false, mask: null })).toEqual(hex('23 00'));
    expect(encodeFrame({ opcode: 2, length: 2n ** 40n, mask: null })).toEqual(
      hex('82 7f 00 00 01 00 00 00 00 00'),
    );
    expect(encodeFrame({ opcode: 9, length: 126n, mask })).toEqual(hex('89 fe 00 7e 37 fa 21 3d'));
  });

  test('are read from the wire byte by byte', () => {
    const cutter = new FrameCutter();
    const bytes = Buffer.concat([published.maskedText, published.fragments, published.ping]);
    const frames = [...bytes].flatMap((byte) => cutter.push(Buffer.of(byte)));
    expect(frames).toEqual([
      { fin: true, reserved: 0, opcode: 1, masked: true, payload: hello, wireBytes: 11 },
      { fin: false, reserved: 0, opcode: 1, masked: false, payload: Buffer.from('Hel'), wireBytes: 5 },
      { fin: true, reserved: 0, opcode: 0, masked: false, payload: Buffer.from('lo'), wireBytes: 4 },
      { fin: true, reserved: 0, opcode: 9, masked: false, payload: hello, wireBytes: 7 },
    ]);
  });

  test.each([125, 126, 65_535, 65_536])('of %i bytes come back as they went', (length) => {
    const payload = Buffer.alloc(length, 'scan');
    const [frame, ...others] = new FrameCutter().push(encodeFrame({ opcode: opcode.binary, payload }));
    expect(frame?.payload.equals(payload)).toBe(true);
    expect(others).toEqual([]);
  });
});

describe('permessage-deflate', () => {
  // Of RFC 7692 §7.2.3.
  const first = hex('f2 48 cd c9 c9 07 00');

  test.each([
    ['a block with fixed codes', first],
    ['a block without compression', hex('00 05 00 fa ff 48 65 6c 6c 6f 00')],
    ['a block with BFINAL', hex('f3 48 cd c9 c9 07 00 00')],
    ['two blocks', hex('f2 48 05 00 00 00 ff ff ca c9 c9 07 00')],
  ])('reads %s', (_, payload) => {
    expect(new Inflater(false).inflate(payload)).toEqual(hello);
  });

  test('takes over what came before only where that was agreed', () => {
    const again = hex('f2 00 11 00 00');
    const taking = new Inflater(true);
    expect([taking.inflate(first), taking.inflate(again)]).toEqual([hello, hello]);
    const forgetful = new Inflater(false);
    expect(forgetful.inflate(first)).toEqual(hello);
    expect(() => forgetful.inflate(again)).toThrow(/invalid distance/);
  });

  test('goes no further back than the window', () => {
    const far = Buffer.concat([hello, Buffer.alloc(600, 'abc'), hello]);
    const payload = deflated(far);
    expect(new Inflater(false, 15).inflate(payload)).toEqual(far);
    expect(() => new Inflater(false, 9).inflate(payload)).toThrow(/invalid distance/);
    expect(new Inflater(false, 9).inflate(deflated(far, 9))).toEqual(far);
  });

  test('makes the published message', () => {
    expect(deflated(hello)).toEqual(first);
  });

  test('reads what a server agrees to', () => {
    expect(agreed(undefined)).toBeUndefined();
    expect(agreed('permessage-deflate')).toEqual({
      serverTakeover: true,
      clientTakeover: true,
      serverWindowBits: 15,
      clientWindowBits: 15,
    });
    expect(agreed('permessage-deflate; server_no_context_takeover; client_max_window_bits=10')).toEqual({
      serverTakeover: false,
      clientTakeover: true,
      serverWindowBits: 15,
      clientWindowBits: 10,
    });
    expect(() => agreed('permessage-deflate; server_max_window_bits=16')).toThrow(
      'server_max_window_bits: 16',
    );
    expect(() => agreed('permessage-deflate; speed=1')).toThrow('not RFC 7692');
    expect(() => agreed('x-webkit-deflate-frame')).toThrow('nobody asked for');
  });
});

const switching = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n';

/** A server that answers a handshake with what it is told, and what it says behind. */
async function answering(answer: (key: string) => string, behind: Buffer = Buffer.alloc(0)) {
  const sockets: Socket[] = [];
  const requests: string[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.once('data', (head: Buffer) => {
      const text = head.toString('latin1');
      requests.push(text);
      const key = /^Sec-WebSocket-Key: (.+)\r$/m.exec(text)?.[1] ?? '';
      socket.write(Buffer.concat([Buffer.from(answer(key)), behind]));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = number(typeof address === 'object' ? address?.port : undefined);
  return { port, sockets, requests };
}

const accepting = (key: string) => `${switching}Sec-WebSocket-Accept: ${acceptOf(key)}\r\n\r\n`;
const compressing = (key: string) =>
  `${switching}Sec-WebSocket-Extensions: permessage-deflate\r\nSec-WebSocket-Accept: ${acceptOf(key)}\r\n\r\n`;

/** A connection on which these bytes come right behind the handshake. */
async function hearing(behind: Buffer, wishes: WebSocketWishes = {}) {
  const server = await answering(wishes.extensions === undefined ? accepting : compressing, behind);
  const socket = await WebSocketByHand.open(server.port, wishes);
  onTestFinished(() => socket.destroy());
  return { socket, ...server };
}

describe('a handshake', () => {
  test('has the accept of RFC 6455 §1.3', () => {
    expect(acceptOf('dGhlIHNhbXBsZSBub25jZQ==')).toBe('s3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
  });

  test('asks as it is told to', async () => {
    const { requests } = await hearing(Buffer.alloc(0), {
      path: '/x/events',
      headers: ['Host: elsewhere'],
      extensions: 'permessage-deflate',
    });
    expect(requests[0]).toMatch(/^GET \/x\/events HTTP\/1\.1\r\nHost: elsewhere\r\nUpgrade: websocket\r\n/);
    expect(requests[0]).toContain('\r\nSec-WebSocket-Extensions: permessage-deflate\r\n');
  });

  test('is not right with the accept of another key, or an extension that nobody offered', async () => {
    const other = await answering(() => accepting('dGhlIHNhbXBsZSBub25jZQ=='));
    await expect(WebSocketByHand.open(other.port)).rejects.toThrow('no right handshake');
    const eager = await answering(compressing);
    await expect(WebSocketByHand.open(eager.port)).rejects.toThrow('nobody offered');
  });

  test('that is refused hands out the answer', async () => {
    const { port } = await answering(() => 'HTTP/1.1 404 Not Found\r\nContent-Length: 7\r\n\r\nnothing');
    expect(await WebSocketByHand.refused(port)).toMatchObject({ httpStatus: 404, body: 'nothing' });
    await expect(WebSocketByHand.open(port)).rejects.toThrow('404 nothing');
    await expect(WebSocketByHand.refused((await answering(accepting)).port)).rejects.toThrow('accepted');
  });
});

describe('what comes', () => {
  const close = hex('88 04 03 ea 6e 6f');

  test('is handed out in order, with its size on the wire', async () => {
    const { socket } = await hearing(Buffer.concat([published.text, published.fragments, hex('82 01 ff')]));
    const taken = [await socket.next(), await socket.next(), await socket.next()];
    expect(taken).toMatchObject([
      { kind: 'text', data: hello, compressed: false, frames: 1, wireBytes: 7 },
      { kind: 'text', data: hello, compressed: false, frames: 2, wireBytes: 9 },
      { kind: 'binary', data: hex('ff'), compressed: false, frames: 1, wireBytes: 3 },
    ]);
    expect(socket.received).toEqual(taken);
    await expect(socket.next(10)).rejects.toThrow('no message within 10 ms');
  });

  test('is inflated, in fragments too, with a ping between them', async () => {
    const fragments = Buffer.concat([hex('41 03 f2 48 cd'), published.ping, hex('80 04 c9 c9 07 00')]);
    const behind = Buffer.concat([fragments, hex('c1 05 f2 00 11 00 00'), published.text]);
    const { socket } = await hearing(behind, { extensions: 'permessage-deflate' });
    for (const [compressed, frames, wireBytes] of [
      [true, 2, 11],
      [true, 1, 7],
      [false, 1, 7],
    ] as const) {
      expect(await socket.next()).toMatchObject({ data: hello, compressed, frames, wireBytes });
    }
    expect(socket.pings).toEqual([hello]);
  });

  test.each([
    ['a reserved bit that was not agreed on', hex('c1 05 48 65 6c 6c 6f'), 'reserved bits 4'],
    ['a mask', published.maskedText, 'must not mask'],
    ['a continuation of nothing', hex('80 00'), 'out of order'],
    ['a message within another', hex('01 00 81 00'), 'out of order'],
    ['an opcode that there is not', hex('83 00'), 'opcode 3'],
    ['a control frame in parts', hex('09 00'), 'a control frame that is none'],
    ['what is no UTF-8', hex('81 01 ff'), /invalid|not valid/],
  ])('is refused with %s', async (_, behind, why) => {
    const { socket } = await hearing(behind);
    await expect(socket.next()).rejects.toThrow(why);
  });

  test('tells how it ended: a code and a reason, none, or torn down', async () => {
    const polite = await hearing(close);
    polite.sockets[0]?.on('data', () => polite.sockets[0]?.end());
    expect(await polite.socket.closed).toEqual({ code: 1002, reason: 'no', reset: false });
    await expect(polite.socket.next()).rejects.toThrow('closed with 1002 no');
    const silent = await hearing(hex('88 00'));
    silent.sockets[0]?.end();
    expect(await silent.socket.closed).toEqual({ code: 1005, reason: '', reset: false });
    const torn = await hearing(Buffer.alloc(0));
    torn.sockets[0]?.resetAndDestroy();
    expect(await torn.socket.closed).toEqual({ code: undefined, reason: '', reset: true });
  });

  test('a pong answers a ping, with its payload, and so does a ping of its own', async () => {
    const { socket, sockets } = await hearing(published.ping);
    const [server] = sockets;
    const [bytes]: Buffer[] = await once(server ?? socket.socket, 'data');
    const [frame] = new FrameCutter().push(bytes ?? Buffer.alloc(0));
    expect(frame).toMatchObject({ opcode: opcode.pong, masked: true, payload: hello });
    server?.on('data', (ping: Buffer) => {
      const [asked] = new FrameCutter().push(ping);
      server.write(encodeFrame({ opcode: opcode.pong, payload: asked?.payload ?? '', mask: null }));
    });
    await socket.pingPong();
    expect(socket.pongs).toHaveLength(1);
  });
});
