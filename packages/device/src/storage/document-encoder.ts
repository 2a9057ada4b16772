import { hash } from 'node:crypto';
import { isObject } from '@azimuth/model';
import { format } from './document.js';

interface Member {
  readonly name: string;
  readonly value: unknown;
  /** The value in JSON, or its own members. */
  readonly json: string | Members;
}

type Members = ReadonlyMap<string, Member>;

/** Members of members have lines of their own; what is deeper has none. */
const depth = 1;

/**
 * Writes one document, again and again: JSON that a person can read, a line for each member and each member of a
 * member, with a checksum over the content that tells a flipped bit. A value that is the same as the last time is not
 * turned into JSON again: most of a save would be that. So values must not be changed in place.
 */
export class DocumentEncoder {
  #before: Members = new Map();

  encode(content: Readonly<Record<string, unknown>>): Uint8Array {
    const members = membersOf(content, this.#before, depth);
    this.#before = members;
    const head = membersOf({ format, checksum: hash('sha256', compact(members)) }, new Map(), 0);
    return Buffer.from(`${inLines([...head.values(), ...members.values()], '  ')}\n`);
  }
}

/** A document that is written once. */
export function encodeDocument(content: Readonly<Record<string, unknown>>): Uint8Array {
  return new DocumentEncoder().encode(content);
}

function membersOf(object: Readonly<Record<string, unknown>>, before: Members, deeper: number): Members {
  const members = new Map<string, Member>();
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value === undefined) continue;
    const known = before.get(key);
    members.set(key, known?.value === value ? known : memberOf(key, value, known, deeper));
  }
  return members;
}

function memberOf(key: string, value: unknown, before: Member | undefined, deeper: number): Member {
  const name = before?.name ?? JSON.stringify(key);
  if (deeper === 0 || !isObject(value)) return { name, value, json: JSON.stringify(value) };
  const inner = before === undefined || typeof before.json === 'string' ? new Map() : before.json;
  return { name, value, json: membersOf(value, inner, deeper - 1) };
}

/** As JSON.stringify would write it. */
function compact(members: Members): string {
  let text = '';
  for (const { name, json } of members.values()) {
    text += `${text === '' ? '' : ','}${name}:${typeof json === 'string' ? json : compact(json)}`;
  }
  return `{${text}}`;
}

function inLines(members: Iterable<Member>, indent: string): string {
  let text = '';
  for (const { name, json } of members) {
    const value = typeof json === 'string' ? json : inLines(json.values(), `${indent}  `);
    text += `${text === '' ? '' : ','}\n${indent}${name}: ${value}`;
  }
  return text === '' ? '{}' : `{${text}\n${indent.slice(2)}}`;
}
