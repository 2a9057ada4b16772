import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { CommandFailure } from '../command-failure.js';
import { longestFile, textOfFile } from '../input/bounded-file.js';

/**
 * The Ed25519 public key in a PEM file.
 * @throws CommandFailure, also for a private key in place of a public one
 */
export async function publicKeyIn(option: string, file: string): Promise<KeyObject> {
  const pem = await textOf(option, file);
  if (pem.includes('PRIVATE KEY')) {
    throw new CommandFailure(`${option}: ${file} contains a private key; give the public key`);
  }
  return ed25519(option, file, () => createPublicKey(pem));
}

/**
 * The Ed25519 private key in a PEM file without a passphrase.
 * @throws CommandFailure
 */
export async function privateKeyIn(option: string, file: string): Promise<KeyObject> {
  const pem = await textOf(option, file);
  return ed25519(option, file, () => createPrivateKey(pem));
}

async function textOf(option: string, file: string): Promise<string> {
  return textOfFile(file, { limit: longestFile.pem, name: `${option} ${file}` });
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

/** The message of the system about a file. It names call and path. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
