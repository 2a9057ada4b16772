import type { Readable, Writable } from 'node:stream';
import type { Transport } from './sdk.js';

/**
 * Reads no messages while the client does not read the answers to earlier ones, so that answers do not fill the memory.
 * @returns a function that ends this
 */
export function readAsFastAsWritten(
  transport: Pick<Transport, 'onmessage'>,
  input: Readable,
  output: Writable,
): () => void {
  const resume = () => void input.resume();
  transport.onmessage = () => {
    if (output.writableNeedDrain) input.pause();
  };
  output.on('drain', resume);
  return () => void output.off('drain', resume);
}
