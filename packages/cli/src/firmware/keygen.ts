import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFailure } from '../command-failure.js';
import { writeNewFile } from './new-file.js';

/**
 * Makes a pair of keys in a folder: the private one for its owner's eyes alone (mode 0600).
 * @throws CommandFailure where one is there and `force` is not given: what it has signed can never be signed again.
 */
export async function keygen(folder: string, force: boolean): Promise<void> {
  const privateFile = join(folder, 'firmware-private.pem');
  const publicFile = join(folder, 'firmware-public.pem');
  const there = [privateFile, publicFile].find((file) => existsSync(file));
  if (there !== undefined && !force) {
    throw new CommandFailure(`${there} is there already; --force replaces it`);
  }
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeNewFile(privateFile, [Buffer.from(privateKey)], 0o600);
  await writeNewFile(publicFile, [Buffer.from(publicKey)]);
  process.stdout.write(`${privateFile}\n${publicFile}\n`);
}
