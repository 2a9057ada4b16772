import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** The bytes on the wire before and after a request. */
type Answers = (request: Buffer) => readonly Buffer[];

/** A fake scanner at a UDP port of loopback: responds to requests with bytes, and records the requests. */
export class FakeScanner {
  readonly requests: Buffer[] = [];

  private constructor(readonly port: number) {}

  static async open(answers: Answers, address = '127.0.0.1', port = 0): Promise<FakeScanner> {
    const socket: Socket = createSocket({ type: 'udp4', reuseAddr: true });
    socket.bind(port, address);
    await once(socket, 'listening');
    onTestFinished(() => {
      socket.close();
    });
    const scanner = new FakeScanner(socket.address().port);
    socket.on('message', (request, from) => {
      scanner.requests.push(request);
      for (const answer of answers(request)) socket.send(answer, from.port, from.address);
    });
    return scanner;
  }
}

/** The header of a response to a request, and its body. */
export function answer(request: Buffer, telegram: string, mac: string, body: Buffer): Buffer {
  const length = Buffer.from([body.length >> 8, body.length & 0xff]);
  const start = Buffer.from(`${telegram}00`, 'hex');
  return Buffer.concat([
    start,
    length,
    Buffer.from(mac, 'hex'),
    request.subarray(10, 14),
    Buffer.alloc(2),
    body,
  ]);
}
