import { isUtf8 } from 'node:buffer';
import { describeJson, isLevel, isObject } from '@azimuth/model';
import { type Backup, type BackupEntry, type BackupGroup, checksumOf } from './backup-file.js';
import { RestoreRefused } from './restore-refused.js';

/** In bytes: a hundred times what a scanner writes. More would keep it from everything else while it reads. */
const longest = 1024 * 1024;

/**
 * What an unencrypted backup file tells.
 * @throws RestoreRefused ParseError for what is no JSON or lacks a member, ChecksumError where the checksum is not the
 * one of the file.
 */
export function decodeBackup(file: Uint8Array): Backup {
  const json = parse(file);
  if (!isObject(json)) throw unparsable('the file', 'an object', json);
  const checksum = text(json, 'checksum', 'the file');
  if (!/^[0-9a-f]{64}$/.test(checksum) || checksumOf(file, checksum) !== checksum) {
    throw new RestoreRefused('ChecksumError', 'the checksum is not the SHA-256 of the file');
  }
  return {
    version: text(json, 'version', 'the file'),
    deviceIdentification: text(json, 'device identification', 'the file'),
    parameters: list(json.parameters, 'parameters').map(groupOf),
  };
}

function parse(file: Uint8Array): unknown {
  if (file.length > longest) {
    throw new RestoreRefused(
      'ParseError',
      `a backup of at most ${longest} bytes is read, not ${file.length}`,
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
  return new RestoreRefused('ParseError', `${at}: ${expected} expected, ${describeJson(came)} came`);
}
