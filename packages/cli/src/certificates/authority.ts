import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdir, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFailure } from '../command-failure.js';
import { maxFileBytes, readTextFile } from '../input/bounded-file.js';
import { syncFolder } from '../transfers/replaced-file.js';
import { type Issuer, issueAuthority } from './issued-certificate.js';

const day = 86_400_000;

/** The clock of a scanner may be behind: certificates are valid from an hour ago on. */
const clockReserve = 3_600_000;

/** Returns a validity from now on, that ends after some days, but not after another time. */
export function validityFromNow(
  days: number,
  latest = Number.POSITIVE_INFINITY,
): { from: Date; until: Date } {
  const now = Date.now();
  return { from: new Date(now - clockReserve), until: new Date(Math.min(now + days * day, latest)) };
}

/** The files of a new authority. */
export interface AuthorityFiles {
  readonly key: string;
  readonly certificate: string;
}

/**
 * Makes an authority in a folder: `ca.key`, which only its owner may read, and `ca.pem`.
 * @throws CommandFailure if there is one: what it has issued would be worth nothing
 */
export async function makeAuthority(folder: string, name: string, years: number): Promise<AuthorityFiles> {
  const files = { key: join(folder, 'ca.key'), certificate: join(folder, 'ca.pem') };
  const { certificate, privateKey } = issueAuthority(name, validityFromNow(years * 365));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeNew(files.key, privateKey, 0o600);
  await writeNew(files.certificate, certificate, 0o644);
  await syncFolder(folder);
  return files;
}

async function writeNew(path: string, content: string, mode: number): Promise<void> {
  try {
    const file = await open(path, 'wx', mode);
    await file.writeFile(content);
    await file.sync();
    await file.close();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(
      `${path} cannot be made, and an authority is never replaced: ${reason}`,
      'refused',
    );
  }
}

/** An authority with everything that a scanner and its clients need. */
export interface Authority extends Issuer {
  /** All certificates of the file in PEM: the issuer first. */
  readonly chain: readonly string[];
}

/** Reads an authority. @throws CommandFailure for a key that others can read, and for files that do not fit */
export async function authorityIn(keyFile: string, certificateFile: string): Promise<Authority> {
  const chain = certificatesIn(await readTextFile(certificateFile, { limit: maxFileBytes.pem }));
  const certificate = certificateOf(chain[0] ?? '', certificateFile);
  await refuseReadableByOthers(keyFile);
  const privateKey = keyOf(await readTextFile(keyFile, { limit: maxFileBytes.pem }), keyFile);
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new CommandFailure(`${keyFile} is not the key of the first certificate in ${certificateFile}`);
  }
  if (!certificate.ca) throw new CommandFailure(`${certificateFile} is no authority: expected CA:TRUE in it`);
  if (Date.parse(certificate.validTo) < Date.now()) {
    throw new CommandFailure(`${certificateFile} has expired on ${certificate.validTo}`);
  }
  return { certificate, privateKey, chain };
}

/** Returns the certificates of a text in PEM. */
export function certificatesIn(text: string): readonly string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
}

/** Parses a certificate in PEM. @throws CommandFailure */
export function certificateOf(pem: string, path: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new CommandFailure(`${path}: expected a certificate in PEM`);
  }
}

function keyOf(pem: string, path: string) {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new CommandFailure(`${path}: expected a private key in PEM, without a passphrase`);
  }
}

async function refuseReadableByOthers(path: string): Promise<void> {
  const mode = (await stat(path).catch(() => undefined))?.mode ?? 0;
  if (process.getuid === undefined || (mode & 0o077) === 0) return;
  throw new CommandFailure(`others can read ${path}, the key of an authority: run chmod 600 on it`);
}
