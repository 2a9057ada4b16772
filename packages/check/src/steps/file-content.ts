import { hash } from 'node:crypto';
import { isObject } from '@azimuth/model';
import type { Json } from '../match/matcher.js';
import { jsonOf } from '../wire/json-answer.js';
import { type FirmwareFacts, firmwareFile } from './firmware-file.js';
import { NotTestable, type StepContext } from './step-context.js';

/** A file that a case sends. */
export type FileContent =
  | { readonly text: string }
  /** This many bytes, all zero. */
  | { readonly zeros: number }
  /** A firmware file in the format of Azimuth, unsigned. */
  | { readonly firmware: FirmwareFacts; readonly edits?: readonly FileEdit[] }
  /** The firmware file that the scanner may install. */
  | { readonly given: 'firmware'; readonly edits?: readonly FileEdit[] }
  /** A file that a transfer has kept under this name. */
  | { readonly saved: string; readonly edits?: readonly FileEdit[] };

/** A change of a file. */
export type FileEdit =
  /** The first so many bytes stay. */
  | { readonly cut: number }
  /** One bit of the byte at this place changes; a negative place counts from the end. */
  | { readonly flip: number }
  /** Blanks follow. */
  | { readonly blanks: number }
  /** A part of the JSON file at a path such as `parameters.0.userlevel` becomes another one; undefined: it is removed. */
  | { readonly set: string; readonly to?: Json }
  /** Members of the entry of a parameter in a backup file. */
  | { readonly parameter: string; readonly members: Readonly<Record<string, Json>> }
  /** The member `checksum` becomes the SHA-256 of the file with zeros in its place, as Azimuth computes it. */
  | { readonly resealed: true };

/** @throws NotTestable if there is no such file, or it is not JSON where an edit needs JSON */
export function contentOf(content: FileContent, { target, saved }: StepContext): Uint8Array {
  if ('text' in content) return Buffer.from(content.text);
  if ('zeros' in content) return new Uint8Array(content.zeros);
  return edited(basis(content, target.firmware, saved), content.edits ?? []);
}

function basis(
  content: Exclude<FileContent, { readonly text: string } | { readonly zeros: number }>,
  given: Uint8Array | undefined,
  saved: ReadonlyMap<string, unknown>,
): Buffer {
  if ('firmware' in content) return firmwareFile(content.firmware);
  const file = 'given' in content ? given : saved.get(content.saved);
  if (file instanceof Uint8Array) return Buffer.from(file);
  throw new NotTestable(
    'given' in content ? 'needs a firmware file' : `no file was kept as ${content.saved}`,
  );
}

function edited(file: Buffer, edits: readonly FileEdit[]): Buffer {
  return edits.reduce((bytes, edit) => {
    if ('cut' in edit) return bytes.subarray(0, edit.cut);
    if ('flip' in edit) return flipped(bytes, edit.flip);
    if ('blanks' in edit) return Buffer.concat([bytes, Buffer.alloc(edit.blanks, ' ')]);
    if ('set' in edit)
      return Buffer.from(JSON.stringify(withPart(jsonIn(bytes), edit.set.split('.'), edit.to)));
    if ('parameter' in edit) return withEntry(bytes, edit.parameter, edit.members);
    return resealed(bytes);
  }, file);
}

function flipped(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  const place = at < 0 ? changed.length + at : at;
  changed.writeUInt8(changed.readUInt8(place) ^ 1, place);
  return changed;
}

function jsonIn(file: Buffer): unknown {
  const json = jsonOf(file);
  if (json === undefined) throw new NotTestable('the file of the scanner is not JSON');
  return json;
}

/** Returns JSON with another part at a path. Other parts stay. */
function withPart(json: unknown, [member, ...deeper]: readonly string[], to: Json | undefined): unknown {
  if (member === undefined) return to;
  if (Array.isArray(json))
    return json.map((item, index) => (String(index) === member ? withPart(item, deeper, to) : item));
  if (!isObject(json)) return json;
  return { ...json, [member]: withPart(json[member], deeper, to) };
}

function withEntry(bytes: Buffer, name: string, members: Readonly<Record<string, Json>>): Buffer {
  const changed = JSON.stringify(jsonIn(bytes), (_, value: unknown) =>
    isObject(value) && value.name === name && Object.hasOwn(value, 'id') ? { ...value, ...members } : value,
  );
  return Buffer.from(changed);
}

const noChecksum = '0'.repeat(64);

function resealed(bytes: Buffer): Buffer {
  const json = jsonIn(bytes);
  const stated = isObject(json) ? json.checksum : undefined;
  if (typeof stated !== 'string' || stated.length !== noChecksum.length)
    throw new NotTestable('the file of the scanner has another kind of checksum');
  const at = bytes.indexOf(`"${stated}"`) + 1;
  const changed = Buffer.from(bytes);
  changed.write(noChecksum, at, 'latin1');
  changed.write(hash('sha256', changed), at, 'latin1');
  return changed;
}
