import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { sharedClock } from '../proc.js';
import { Connection } from './connection.js';
import type { FirstAnswerJob, FirstAnswerResult, UploadJob, UploadResult } from './jobs.js';
import { getRequest } from './rest-messages.js';

const pause = 1;
const timeout = 30_000;

/** Repeats a GET every millisecond until the first 200. */
export async function firstAnswer({ port, path }: FirstAnswerJob): Promise<FirstAnswerResult> {
  const deadline = sharedClock() + timeout;
  for (;;) {
    try {
      await ask(port, path);
      return { at: sharedClock() };
    } catch (error) {
      if (sharedClock() > deadline) throw error;
      await setTimeout(pause);
    }
  }
}

async function ask(port: number, path: string): Promise<void> {
  let connection: Connection | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      Connection.open(port, reject)
        .then((opened) => {
          connection = opened;
          return opened.asked(getRequest(path));
        })
        .then(() => resolve(), reject);
    });
  } finally {
    connection?.close();
  }
}

const piece = Buffer.alloc(64 * 1024, 'firmware');

/** One PUT on its own connection. The reply has to be HTTP 200. */
export function upload({ port, path, bytes }: UploadJob): Promise<UploadResult> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port });
    let left = bytes;
    let begun = 0;
    const go = () => {
      while (left > 0) {
        const part = piece.subarray(0, left);
        left -= part.length;
        if (!socket.write(part)) {
          socket.once('drain', go);
          return;
        }
      }
    };
    socket.once('connect', () => {
      begun = performance.now();
      socket.write(
        `PUT ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\nConnection: close\r\n\r\n`,
      );
      go();
    });
    socket.once('data', (answer: Buffer) => {
      const milliseconds = performance.now() - begun;
      socket.destroy();
      if (left === 0 && answer.toString('latin1').startsWith('HTTP/1.1 200 ')) resolve({ milliseconds });
      else reject(new Error(`PUT ${path} is answered ${answer.toString('latin1').slice(0, 200)}`));
    });
    socket.once('error', reject);
  });
}
