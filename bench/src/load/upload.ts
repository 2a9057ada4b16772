import { connect } from 'node:net';
import type { UploadJob, UploadResult } from './jobs.js';

const piece = Buffer.alloc(64 * 1024, 'firmware');

/** One PUT on a connection of its own; the answer has to be HTTP 200. */
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
