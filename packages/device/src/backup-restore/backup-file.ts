import { isUtf8 } from 'node:buffer';
import { createCipheriv, createDecipheriv, hash, scrypt } from 'node:crypto';
import { Mutex } from '@azimuth/async';
import {
  describeJson,
  entryValue,
  everyParameterOf,
  isLevel,
  isObject,
  type Level,
  levelNames,
  type Product,
  type RestoreResult,
  type Variable,
} from '@azimuth/model';
import type { Identity } from '../identity/identity.js';
import type { Random } from '../interfaces/environment.js';
import type { ValueSet } from '../parameters/parameters.js';

/** Refuses to restore a backup file. Nothing has changed. */
export class RestoreRefused extends Error {
  override readonly name = 'RestoreRefused';
  readonly result: Exclude<keyof typeof RestoreResult, 'Ok'>;
  /** The parameters that could not be restored, by name. */
  readonly failed: readonly string[];

  /** @param reason the expectation and the place, without secrets */
  constructor(result: RestoreRefused['result'], reason: string, failed: readonly string[] = []) {
    super(reason);
    this.result = result;
    this.failed = failed;
  }
}

/** A parameter in a backup file. */
export interface BackupEntry {
  readonly name: string;
  readonly id: string;
  /** An integer, boolean, string, object or number. */
  readonly value: unknown;
}

/** The parameters that one user level may write. */
interface BackupGroup {
  readonly userlevel: Level;
  readonly parameters: readonly BackupEntry[];
}

/** The content of a backup file (specification, Parameter backup file). */
export interface Backup {
  /** The firmware version of the scanner, as in DeviceIdent: `2.4.4.0R`. */
  readonly version: string;
  /** The device type, as in DeviceIdent. */
  readonly deviceIdentification: string;
  /**
   * Serial number of the scanner that made the file, for people and programs. A restore ignores it. It is an extension,
   * so a file may lack it.
   */
  readonly serialNumber?: string;
  readonly parameters: readonly BackupGroup[];
}

/** Placeholder for the checksum during its computation. */
const noChecksum = '0'.repeat(64);

/** Encodes a file: JSON with a line for each parameter, and a checksum over all bytes. */
export function encodeBackup({ version, deviceIdentification, serialNumber, parameters }: Backup): Buffer {
  const members = [
    `"version": ${JSON.stringify(version)}`,
    `"device identification": ${JSON.stringify(deviceIdentification)}`,
    ...(serialNumber === undefined ? [] : [`"serial number": ${JSON.stringify(serialNumber)}`]),
    `"checksum": "${noChecksum}"`,
    `"parameters": [\n${parameters.map(groupInLines).join(',\n')}\n]`,
  ];
  const text = `{\n${members.join(',\n')}\n}\n`;
  const file = Buffer.from(text);
  file.write(hash('sha256', file), file.indexOf(`"${noChecksum}"`) + 1, 'latin1');
  return file;
}

/**
 * The right checksum of a file: SHA-256 over its bytes, with 64 zeros in place of the checksum `stated` in it.
 * Undefined if `stated` is not in the file exactly once. It covers the bytes, not their meaning, so that no bit can
 * change unnoticed.
 */
function checksumOf(file: Uint8Array, stated: string): string | undefined {
  const bytes = Buffer.from(file);
  const at = bytes.indexOf(`"${stated}"`);
  if (at < 0 || bytes.indexOf(`"${stated}"`, at + 1) >= 0) return undefined;
  bytes.write(noChecksum, at + 1, 'latin1');
  return hash('sha256', bytes);
}

function groupInLines({ userlevel, parameters }: BackupGroup): string {
  const entries = parameters.map((entry) => JSON.stringify(entry));
  return `{"userlevel": ${JSON.stringify(userlevel)}, "parameters": [\n${entries.join(',\n')}\n]}`;
}

/** The id of a parameter in a backup: the first eight hex digits of the SHA-256 of its name. */
export function parameterId(name: string): string {
  return hash('sha256', name).slice(0, 8);
}

/** In bytes: a hundred times the size of a scanner's own backup. Parsing a longer file would block the process. */
export const longestBackup = 1024 * 1024;

/**
 * Decodes an unencrypted backup file.
 * @throws RestoreRefused ParseError if it is not JSON or lacks a member, ChecksumError if the checksum is wrong.
 */
export function decodeBackup(file: Uint8Array): Backup {
  const json = parse(file);
  if (!isObject(json)) throw unparsable('the file', 'an object', json);
  const checksum = text(json, 'checksum', 'the file');
  if (!/^[0-9a-f]{64}$/.test(checksum) || checksumOf(file, checksum) !== checksum) {
    throw new RestoreRefused('ChecksumError', 'the checksum is not the SHA-256 of the file');
  }
  const serialNumber = json['serial number'];
  return {
    version: text(json, 'version', 'the file'),
    deviceIdentification: text(json, 'device identification', 'the file'),
    serialNumber: typeof serialNumber === 'string' ? serialNumber : undefined,
    parameters: list(json.parameters, 'parameters').map(groupOf),
  };
}

function parse(file: Uint8Array): unknown {
  if (file.length > longestBackup) {
    throw new RestoreRefused(
      'ParseError',
      `expected a backup of at most ${longestBackup} bytes, got ${file.length}`,
    );
  }
  if (!isUtf8(file))
    throw new RestoreRefused('ParseError', 'the file is neither an encrypted backup nor UTF-8');
  try {
    return JSON.parse(Buffer.from(file.buffer, file.byteOffset, file.byteLength).toString('utf8'));
  } catch {
    throw new RestoreRefused('ParseError', 'the file is not valid JSON');
  }
}

function groupOf(json: unknown, index: number): BackupGroup {
  const at = `parameters[${index}]`;
  if (!isObject(json)) throw unparsable(at, 'an object', json);
  const userlevel = text(json, 'userlevel', at);
  if (!isLevel(userlevel)) throw unparsable(`${at}.userlevel`, 'the name of a user level', userlevel);
  const entries = list(json.parameters, `${at}.parameters`);
  return {
    userlevel,
    parameters: entries.map((entry, inner) => entryOf(entry, `${at}.parameters[${inner}]`)),
  };
}

function entryOf(json: unknown, at: string): BackupEntry {
  if (!isObject(json)) throw unparsable(at, 'an object', json);
  if (!Object.hasOwn(json, 'value')) throw unparsable(`${at}.value`, 'a value', undefined);
  return { name: text(json, 'name', at), id: text(json, 'id', at), value: json.value };
}

function list(json: unknown, at: string): readonly unknown[] {
  if (!Array.isArray(json)) throw unparsable(at, 'an array', json);
  return json;
}

function text(json: Readonly<Record<string, unknown>>, member: string, at: string): string {
  const value = json[member];
  if (typeof value !== 'string') throw unparsable(`${at}: ${member}`, 'a string', value);
  return value;
}

function unparsable(at: string, expected: string, actual: unknown): RestoreRefused {
  return new RestoreRefused('ParseError', `${at}: expected ${expected}, got ${describeJson(actual)}`);
}

/** The first eight ASCII characters of an encrypted backup; no JSON begins with them. */
const beginning = 'AZBACKUP';
const magic = Buffer.from(beginning, 'latin1');
const version = 1;

/** Bytes: magic, version and length of the ciphertext (both uint32, big-endian), salt, initialisation vector. */
const versionAt = 8;
const lengthAt = 12;
const saltAt = 16;
const saltLength = 16;
const ivAt = saltAt + saltLength;
const ivLength = 12;
const headerLength = ivAt + ivLength;
const tagLength = 16;
const cipher = 'aes-256-gcm';

/** True if a file begins like an encrypted backup. */
export function isContainer(bytes: Uint8Array): boolean {
  return magic.equals(bytes.subarray(0, magic.length));
}

/** Encrypts with a passphrase. The header is not encrypted, but authenticated. */
export async function encrypted(plain: Uint8Array, passphrase: string, random: Random): Promise<Buffer> {
  const header = Buffer.alloc(headerLength);
  header.set(magic);
  header.writeUInt32BE(version, versionAt);
  header.writeUInt32BE(plain.length, lengthAt);
  header.set(random.bytes(saltLength), saltAt);
  header.set(random.bytes(ivLength), ivAt);
  const key = await keyOf(passphrase, header.subarray(saltAt, ivAt));
  const gcm = createCipheriv(cipher, key, header.subarray(ivAt), { authTagLength: tagLength }).setAAD(header);
  return Buffer.concat([header, gcm.update(plain), gcm.final(), gcm.getAuthTag()]);
}

/**
 * Decrypts a backup.
 * @throws RestoreRefused DecryptionHeaderError if it is not an encrypted backup or has another version;
 * DecryptionLengthError if it is too short or too long; DecryptionError if the passphrase is wrong or the file was
 * altered.
 */
export async function decrypted(container: Uint8Array, passphrase: string): Promise<Buffer> {
  const bytes = Buffer.from(container.buffer, container.byteOffset, container.byteLength);
  const length = plainLengthOf(bytes);
  const header = bytes.subarray(0, headerLength);
  const key = await keyOf(passphrase, header.subarray(saltAt, ivAt));
  const gcm = createDecipheriv(cipher, key, header.subarray(ivAt), { authTagLength: tagLength });
  gcm.setAAD(header).setAuthTag(bytes.subarray(headerLength + length));
  try {
    return Buffer.concat([gcm.update(bytes.subarray(headerLength, headerLength + length)), gcm.final()]);
  } catch {
    throw new RestoreRefused('DecryptionError', 'wrong passphrase, or the file was changed');
  }
}

function plainLengthOf(bytes: Buffer): number {
  if (!isContainer(bytes)) {
    throw new RestoreRefused(
      'DecryptionHeaderError',
      `a passphrase was given, but the file is not an encrypted backup: expected ${beginning} at byte 0`,
    );
  }
  const shortest = headerLength + tagLength;
  if (bytes.length < shortest) {
    throw new RestoreRefused(
      'DecryptionLengthError',
      `expected at least ${shortest} bytes, got ${bytes.length}`,
    );
  }
  const found = bytes.readUInt32BE(versionAt);
  if (found !== version) {
    throw new RestoreRefused(
      'DecryptionHeaderError',
      `expected container version ${version} at byte ${versionAt}, got ${found}`,
    );
  }
  const length = bytes.readUInt32BE(lengthAt);
  if (bytes.length !== shortest + length) {
    throw new RestoreRefused(
      'DecryptionLengthError',
      `expected ${shortest + length} bytes, as byte ${lengthAt} says, got ${bytes.length}`,
    );
  }
  return length;
}

/** Cost N, block size r and parallelization p of scrypt: about 90 ms and 32 MiB. */
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
/** In bytes. */
const keyLength = 32;

/** Keys are derived one after the other, because each needs memory and a thread. */
const deriving = new Mutex();

/** Derives the key of a passphrase (in UTF-8) and a salt of 16 bytes, in another thread. */
export function keyOf(passphrase: string, salt: Uint8Array): Promise<Buffer> {
  return deriving.run(() => make(passphrase, salt));
}

function make(passphrase: string, salt: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase, salt, keyLength, cost, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

/**
 * A backup of the parameters of a scanner, by the user level that may write them, the highest first. It contains no
 * password, key, certificate or enabled user level, because a restore must not change them.
 * @param values of the parameters of its release and variant, by their names
 * @param version as DeviceIdent states it
 */
export function backupOf(
  values: ValueSet,
  { name, serialNumber }: Pick<Identity, 'name' | 'serialNumber'>,
  product: Product,
  version: string,
): Backup {
  const present = everyParameterOf(product).filter((variable) => Object.hasOwn(values, variable.name));
  const groups = levelNames.toReversed().map((userlevel) => ({
    userlevel,
    parameters: present
      .filter((variable) => levelOf(variable) === userlevel)
      .map((variable) => ({
        name: variable.name,
        id: parameterId(variable.name),
        value: entryValue(values[variable.name]),
      })),
  }));
  return {
    version,
    deviceIdentification: name,
    serialNumber,
    parameters: groups.filter((group) => group.parameters.length > 0),
  };
}

/** A read-only parameter belongs to Service, the level that may restore. */
function levelOf({ facts }: Variable<unknown>): Level {
  return facts.write ?? 'Service';
}
