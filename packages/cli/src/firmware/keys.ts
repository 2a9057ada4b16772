import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type Container, DamagedContainer, readContainer } from '@azimuth/device/firmware';
import { CommandFailure } from '../command-failure.js';
import { maxFileBytes, readTextFile } from '../input/bounded-file.js';

/**
 * Reads the Ed25519 public key in a PEM file.
 * @throws CommandFailure, also for a private key in place of a public one
 */
export async function publicKeyIn(option: string, file: string): Promise<KeyObject> {
  const pem = await keyFileText(option, file);
  if (pem.includes('PRIVATE KEY')) {
    throw new CommandFailure(`${option}: ${file} contains a private key; give the public key`);
  }
  return ed25519(option, file, () => createPublicKey(pem));
}

/**
 * Reads the Ed25519 private key in a PEM file without a passphrase.
 * @throws CommandFailure
 */
export async function privateKeyIn(option: string, file: string): Promise<KeyObject> {
  const pem = await keyFileText(option, file);
  return ed25519(option, file, () => createPrivateKey(pem));
}

async function keyFileText(option: string, file: string): Promise<string> {
  return readTextFile(file, { limit: maxFileBytes.pem, name: `${option} ${file}` });
}

/** Messages of the parser are not repeated: they may contain parts of the key. */
function ed25519(option: string, file: string, parsed: () => KeyObject): KeyObject {
  const key = orUndefined(parsed);
  if (key?.asymmetricKeyType === 'ed25519') return key;
  const { type = 'key' } = key ?? {};
  throw new CommandFailure(
    key === undefined
      ? `${option}: ${file} contains no Ed25519 key in PEM`
      : `${option}: the ${type} key in ${file} is not an Ed25519 key`,
  );
}

function orUndefined(parsed: () => KeyObject): KeyObject | undefined {
  try {
    return parsed();
  } catch {
    return undefined;
  }
}

/** Returns the message of the system about a file. It names call and path. */
export function systemMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Writes a file piece by piece. It gets its name when it is complete; until then, and after a failure, an old file
 * stays.
 * @throws CommandFailure if it cannot be written, and errors of `pieces`
 */
export async function writeNewFile(
  path: string,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  mode = 0o644,
): Promise<void> {
  const temporary = `${path}.${process.pid}.unfinished`;
  try {
    const file = await open(temporary, 'wx', mode);
    await pipeline(pieces, file.createWriteStream());
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    if (error instanceof Error && 'syscall' in error) throw new CommandFailure(systemMessage(error));
    throw error;
  }
}

/**
 * Reads a firmware file from end to end.
 * @throws CommandFailure if it cannot be read, or is not a complete firmware file
 */
export async function readFirmware(file: string): Promise<Container> {
  try {
    return await readContainer(createReadStream(file));
  } catch (error) {
    if (error instanceof DamagedContainer) throw new CommandFailure(`${file}: ${error.message}`);
    if (error instanceof Error && 'syscall' in error) throw new CommandFailure(systemMessage(error));
    throw error;
  }
}
