import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { describeJson, isLevel, isObject, type Level, type RestoreResult } from '@azimuth/model';

/** A backup file is not restored; nothing has changed. */
export class RestoreRefused extends Error {
  override readonly name = 'RestoreRefused';
  readonly result: Exclude<keyof typeof RestoreResult, 'Ok'>;
  /** The parameters that could not be restored, by name. */
  readonly failed: readonly string[];

  /** @param why what was expected and where, without secrets */
  constructor(result: RestoreRefused['result'], why: string, failed: readonly string[] = []) {
    super(why);
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
export interface BackupGroup {
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
   * Of the scanner that made the file, for people and programs; a restore ignores it. It is an extension, so a file may
   * lack it.
   */
  readonly serialNumber?: string;
  readonly parameters: readonly BackupGroup[];
}

/** Replaces the checksum while it is computed. */
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
 * The right checksum of a file: SHA-256 over its bytes, with 64 zeros in place of the checksum `stated` in it. Undefined if
 * that is not in it exactly once. It is over the bytes, not over their meaning, so that no bit can change unnoticed.
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

/** In bytes: a hundred times what a scanner writes. Parsing a longer file would block the process. */
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

function unparsable(at: string, expected: string, came: unknown): RestoreRefused {
  return new RestoreRefused('ParseError', `${at}: expected ${expected}, got ${describeJson(came)}`);
}
