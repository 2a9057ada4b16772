import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { openControl } from '@azimuth/bridge/control';
import { readSession, SessionWriter, serveSession } from '@azimuth/bridge/session';
import { Timeline } from '@azimuth/bridge/timeline';
import { temporaryFolder } from '@azimuth/test-support/files';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { WebSocketClient } from '@azimuth/test-support/web-socket';
import { encodeFrame, opcode } from '@azimuth/test-support/web-socket-frame';
import { expect, onTestFinished, test } from 'vitest';

const { text } = opcode;
const register = '{"type":"register","event":"DeviceStatus","clientId":1}';
/** Node decompresses each of them in another thread: what follows waits. */
const compressed = encodeFrame({ opcode: text, payload: deflateRawSync(register), reserved: 4 });
/** Together less than the parser takes before it stops reading. */
const together = 250;
const invalid = encodeFrame({ opcode: text, payload: Buffer.from([0xff, 0xfe]) });
const plain = encodeFrame({ opcode: text, payload: register });

const rests: [string, Buffer][] = [
  ['a frame', plain],
  ['a part of a frame', plain.subarray(3)],
  ['other bytes', Buffer.alloc(300, 0x81)],
];

/**
 * Sends a frame that is refused, and more bytes, while compressed messages wait. Each piece arrives on its own. If the parser
 * failed, its exception would end the test.
 * @returns the code of the close frame; undefined if none came
 */
async function violate(port: number, rest: Buffer): Promise<number | undefined> {
  const socket = await WebSocketClient.open(port, { extensions: 'permessage-deflate' });
  expect(socket.extensions).toContain('permessage-deflate');
  socket.socket.setNoDelay();
  socket.write(Buffer.concat(Array<Buffer>(together).fill(compressed)));
  for (const bytes of [Buffer.concat([invalid, plain]), rest, plain, plain]) {
    // A program that a relay has closed already gets no more responses.
    await socket.next().catch(() => undefined);
    socket.write(bytes);
  }
  return (await socket.closed).code;
}

test.each(rests)('%s behind a refused frame is dropped, though both waited', async (_, rest) => {
  const scanner = await TestScanner.start();
  expect(await violate(scanner.httpPort, rest)).toBe(1007);
  expect(scanner.log.errors).toEqual([]);
  expect(await scanner.client().value('DeviceStatus')).toBe(3);
});

test.each(rests)('a relay and its session drop %s behind a refused frame', async (_, rest) => {
  const path = join(temporaryFolder(), 'hall.session');
  const everyPort = { host: '127.0.0.1', ports: { http: 0 } };
  const failed = (error: unknown) => expect.unreachable(String(error));
  const scanner = await TestScanner.start();
  const target = `http://127.0.0.1:${scanner.httpPort}`;
  const timeline = new Timeline();
  const writer = await SessionWriter.open(path, timeline, { target, failed });
  const control = await openControl({ ...everyPort, timeline, failed, target: { url: target } });
  onTestFinished(() => control.close());
  // A relay may close its program before the last response of the scanner comes.
  expect([1007, undefined]).toContain(await violate(control.ports.http ?? 0, rest));
  expect(scanner.log.errors).toEqual([]);
  await writer.close();

  const session = await readSession(path);
  const replay = await serveSession(session, { ...everyPort, timeline: new Timeline(), failed });
  onTestFinished(() => replay.close());
  expect([1007, undefined]).toContain(await violate(replay.ports.http ?? 0, rest));
});
