import { hash } from 'node:crypto';
import { diagnosisDumpName, isObject } from '@azimuth/model';

/** Refuses an unreadable document: truncated, altered, or of a later format. */
export class UnreadableDocument extends Error {
  override readonly name = 'UnreadableDocument';
}

/** The version of the format. */
const format = 1;

/** Number of blanks in a row that no person writes. A damaged sector may contain them. */
const mostBlanks = /\s{100}/;

/**
 * The content of a document. A document with a checksum is read only if no byte has changed. A document without a
 * checksum is accepted: a person who edits it by hand removes it.
 * @throws UnreadableDocument
 */
export function decodeDocument(bytes: Uint8Array): Record<string, unknown> {
  const document = parse(bytes);
  if (!isObject(document)) throw new UnreadableDocument('it is not a JSON object');
  const { format: found, checksum, ...content } = document;
  if (found !== format) throw new UnreadableDocument(`expected format ${format}`);
  if (checksum !== undefined && checksum !== checksumOf(content)) {
    throw new UnreadableDocument('the checksum does not match the content');
  }
  if (checksum === undefined) {
    if (matchesChecksum(content))
      throw new UnreadableDocument('the checksum is for a document of another name');
    if (mostBlanks.test(Buffer.from(bytes).toString('latin1')))
      throw new UnreadableDocument('it has no checksum, but more blanks than a person writes');
  } else if (!encodeDocument(content).equals(bytes)) {
    throw new UnreadableDocument('its bytes are not those that were written');
  }
  return content;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new UnreadableDocument('it is not JSON, or it is cut off');
  }
}

/** A flipped bit in the name `checksum` must not make a document look as if a person had removed the checksum. */
function matchesChecksum(content: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(content).some(([name, value]) => {
    if (typeof value !== 'string') return false;
    const { [name]: _, ...rest } = content;
    return value === checksumOf(rest);
  });
}

/** Computed over the content as JSON.stringify writes it. */
function checksumOf(content: Readonly<Record<string, unknown>>): string {
  return hash('sha256', JSON.stringify(content));
}

/** Number of levels of members below the first that get lines of their own. */
const depth = 1;

/**
 * A document in JSON that a person can read: a line for each member and each member of a member, with a checksum over
 * the content that detects a flipped bit.
 */
export function encodeDocument(content: Readonly<Record<string, unknown>>): Buffer {
  const checksum = checksumOf(content);
  return Buffer.from(`${inLines({ format, checksum, ...content }, depth, '  ')}\n`);
}

function inLines(object: Readonly<Record<string, unknown>>, deeper: number, indent: string): string {
  const lines = Object.entries(object)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const json =
        deeper > 0 && isObject(value) ? inLines(value, deeper - 1, `${indent}  `) : JSON.stringify(value);
      return `${indent}${JSON.stringify(name)}: ${json}`;
    });
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${indent.slice(2)}}`;
}

/** Documents that only the owner of a scanner may read. They are always written as secret. */
export const secretDocuments = {
  credentials: 'credentials.json',
  certificates: 'certificates.json',
  backup: 'parameterbackup',
} as const;

/** The stored parameters. */
export const parametersDocument = 'parameters.json';
/** The operating counters. A first start writes them last: if they exist, all power-ons were counted. */
export const countersDocument = 'operating.json';
/** The running release of a scanner. */
export const firmwareDocument = 'firmware.json';
export const identityDocument = 'identity.json';
export const detectionsDocument = 'detections.json';
/** The checksums of the files below. */
export const checksumsDocument = 'files.json';
/** A firmware file that was transferred, until it is installed. */
export const firmwareFile = 'firmware.spk';
/** The latest 3D recording. */
export const cloudFile = 'cloud.pcd';

/** Files that a scanner stores unchanged, not in the format of documents. */
export const checkedFiles = [secretDocuments.backup, firmwareFile, cloudFile, diagnosisDumpName] as const;

/** All stored files of a scanner, by name. */
export const storedNames = [
  secretDocuments.credentials,
  parametersDocument,
  countersDocument,
  firmwareDocument,
  identityDocument,
  secretDocuments.certificates,
  detectionsDocument,
  checksumsDocument,
  ...checkedFiles,
] as const;

/**
 * The new name of an unreadable document that is set aside. It contains the time in a form that file systems permit.
 */
export function asideName(name: string): string {
  return `${name}.unreadable-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
}
