import { createReadStream } from 'node:fs';
import { writeSigned } from '@azimuth/device/firmware';
import { CommandFailure } from '../command-failure.js';
import { privateKeyIn } from './keys.js';
import { writeNewFile } from './new-file.js';
import { readFirmware } from './read-file.js';

/**
 * Writes the same firmware file with a signature.
 * @throws CommandFailure where the file is not whole, or signed already
 */
export async function sign(file: string, key: string, out: string): Promise<void> {
  const privateKey = await privateKeyIn('--key', key);
  const { seal, signature } = await readFirmware(file);
  if (signature !== undefined) throw new CommandFailure(`${file} is signed already`);
  await writeNewFile(out, writeSigned(createReadStream(file), seal, privateKey));
}
