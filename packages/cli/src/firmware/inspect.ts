import { type Container, isSignedBy } from '@azimuth/device/firmware';
import { CommandFailure } from '../command-failure.js';
import { linesOf } from '../natural-form.js';
import { printable } from '../printable.js';
import { publicKeyIn } from './keys.js';
import { readFirmware } from './read-file.js';

type Signature = 'none' | 'good' | 'not by this key' | 'not checked: no --key';

/**
 * Tells what is in a firmware file that is whole, and whether its signature is that of a key.
 * @throws CommandFailure where it is not whole, and after it has told all where the signature is not by the key
 */
export async function inspect(file: string, key: string | undefined, json: boolean): Promise<void> {
  const container = await readFirmware(file);
  const signature = await judged(container, key);
  const { deviceType, release, payloadBytes, payloadSha256 } = container.manifest;
  const told = { release, deviceType, payloadBytes, payloadSha256, hash: 'good', signature };
  const text = json
    ? JSON.stringify(told)
    : linesOf(Object.entries(told).map(([name, value]) => [name, printable(String(value))])).join('\n');
  process.stdout.write(`${text}\n`);
  if (key !== undefined && signature !== 'good') {
    throw new CommandFailure(
      `${file}: ${signature === 'none' ? 'not signed' : 'the signature is not by the key'}`,
    );
  }
}

async function judged({ seal, signature }: Container, key: string | undefined): Promise<Signature> {
  const publicKey = key === undefined ? undefined : await publicKeyIn('--key', key);
  if (signature === undefined) return 'none';
  if (publicKey === undefined) return 'not checked: no --key';
  return isSignedBy(seal, signature, publicKey) ? 'good' : 'not by this key';
}
