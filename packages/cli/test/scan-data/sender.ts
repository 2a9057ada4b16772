import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { encodeCompactScan, type ScanTelegram } from '@azimuth/telegrams';
import { framesOf } from '@azimuth/test-support/scan-telegrams';
import { onTestFinished } from 'vitest';

const host = '127.0.0.1';

async function bound(): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, host);
  await once(socket, 'listening');
  return socket;
}

/**
 * Sends to a port until the test ends, as a scanner does: telegram after telegram, with or without a receiver.
 * @param datagram the one with a number, from 1 on
 */
export async function sendTo(
  port: number | (() => number | undefined),
  datagram: (number: number) => Uint8Array = frameDatagram,
): Promise<void> {
  const socket = await bound();
  // Without a receiver, the system reports an error.
  socket.on('error', () => undefined);
  let number = 1;
  const timer = setInterval(() => {
    const at = typeof port === 'number' ? port : port();
    if (at !== undefined) socket.send(datagram(number++), at, host);
  }, 2);
  onTestFinished(() => {
    clearInterval(timer);
    socket.close();
  });
}

/** Frames 1, 2, 3 … of three segments of three beams. */
export function frameDatagram(number: number): Uint8Array {
  return encodeCompactScan(telegramNumber(number));
}

function telegramNumber(number: number): ScanTelegram {
  const frame = Math.floor((number - 1) / 3) + 1;
  const telegram = framesOf([frame], 2, frame * 3 - 2)[(number - 1) % 3];
  if (telegram === undefined) throw new Error('a frame has three');
  return telegram;
}
