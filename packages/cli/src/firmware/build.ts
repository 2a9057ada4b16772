import { createReadStream } from 'node:fs';
import { type Pieces, writeContainer } from '@azimuth/device/firmware';
import { CommandFailure } from '../command-failure.js';
import { writeNewFile } from './new-file.js';

interface Wishes {
  readonly release: string;
  readonly out: string;
  readonly deviceType: string;
  /** Length of a payload of ours in bytes. */
  readonly size?: number;
  /** A file in place of it. */
  readonly payload?: string;
}

/**
 * Writes an unsigned firmware file. What a virtual scanner is made of is its release: the payload means nothing to it.
 * @throws CommandFailure
 */
export async function build({ release, out, deviceType, size, payload }: Wishes): Promise<void> {
  if (size !== undefined && payload !== undefined) {
    throw new CommandFailure('--size is the length of a payload of ours: it does not go with --payload');
  }
  const text = `Azimuth firmware ${release} for ${deviceType}\n`;
  const pieces = payload === undefined ? () => repeated(text, size ?? text.length) : () => piecesOf(payload);
  await writeNewFile(out, writeContainer({ deviceType, release }, pieces));
}

const pieceBytes = 64 * 1024;

/** A text, over and over, so many bytes of it. */
async function* repeated(text: string, bytes: number): AsyncGenerator<Uint8Array> {
  const whole = Buffer.from(text.repeat(Math.ceil(pieceBytes / text.length)));
  for (let left = bytes; left > 0; left -= whole.length) yield whole.subarray(0, left);
}

function piecesOf(file: string): Pieces {
  return createReadStream(file);
}
