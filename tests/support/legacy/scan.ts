import type { Frame } from './frames.js';
import type { IntegerWord } from './types.js';
import { BadValue, BinaryCursor, TextCursor } from './values.js';

/** Values of all beams, of one echo: distances or strengths. */
export interface Channel {
  readonly content: string;
  readonly scale: number;
  readonly offset: number;
  /** 1/10000 degree. */
  readonly start: number;
  readonly step: number;
  readonly data: readonly number[];
}

/** All that a scan-data telegram says, in its order. */
export interface Scan {
  readonly command: string;
  readonly version: number;
  readonly device: number;
  readonly serial: number;
  readonly status: readonly [number, number];
  readonly telegram: number;
  readonly scan: number;
  /** µs since power-up. */
  readonly sinceStart: number;
  readonly sent: number;
  readonly inputs: readonly [number, number];
  readonly outputs: readonly [number, number];
  readonly layer: number;
  /** 1/100 Hz. */
  readonly frequency: number;
  /** 100 Hz. */
  readonly measurements: number;
  readonly encoders: readonly { readonly position: number; readonly speed: number }[];
  readonly wide: readonly Channel[];
  readonly narrow: readonly Channel[];
  readonly position: boolean;
  readonly name: string | undefined;
  readonly comment: string | undefined;
  readonly time: readonly number[] | undefined;
  readonly event: boolean;
}

/** Both cursors under one face; a word of text is bytes of binary. */
interface Source {
  integer(word: IntegerWord): number;
  float(): number;
  content(): string;
  characters(count: number): string;
  demandEnd(): void;
}

function textSource(cursor: TextCursor): Source {
  return {
    // Only negative numbers of 32 bits have all their digits, so no other signed field may be negative in text.
    integer: (word) => cursor.integer(word),
    float: () => cursor.float(),
    content: () => cursor.word(),
    characters: (count) => cursor.bytes(count).toString('utf8'),
    demandEnd: () => cursor.demandEnd(),
  };
}

function binarySource(cursor: BinaryCursor): Source {
  return {
    integer: (word) => cursor.integer(word),
    float: () => cursor.float(),
    content: () => cursor.bytes(5).toString('latin1'),
    characters: (count) => cursor.bytes(count).toString('utf8'),
    demandEnd: () => cursor.demandEnd(),
  };
}

/** @throws BadValue unless the telegram is whole, and has nothing behind its end */
export function decodeScan({ dialect, payload }: Frame): Scan {
  const head = payload.subarray(0, 16).toString('latin1');
  const command = head.slice(0, 3);
  if (!/^s(?:SN|RA) LMDscandata $/.test(head)) throw new BadValue(`no scan data: "${head}"`);
  const body = payload.subarray(16);
  const source =
    dialect === 'A'
      ? textSource(new TextCursor(body.toString('latin1')))
      : binarySource(new BinaryCursor(body));
  const scan = read(source, command);
  source.demandEnd();
  return scan;
}

function read(source: Source, command: string): Scan {
  const { integer } = source;
  const pair = () => [integer('uint8'), integer('uint8')] as const;
  const present = (block: string) => {
    const isPresent = integer('uint16');
    if (isPresent > 1) throw new BadValue(`${block}: expected 0 or 1, got ${isPresent}`);
    return isPresent === 1;
  };
  const head = {
    command,
    version: integer('uint16'),
    device: integer('uint16'),
    serial: integer('uint32'),
    status: pair(),
    telegram: integer('uint16'),
    scan: integer('uint16'),
    sinceStart: integer('uint32'),
    sent: integer('uint32'),
    inputs: pair(),
    outputs: pair(),
    layer: integer('int16'),
    frequency: integer('uint32'),
    measurements: integer('uint32'),
    encoders: times(integer('uint16'), () => ({ position: integer('uint32'), speed: integer('uint16') })),
    wide: times(integer('uint16'), () => channel(source, 'uint16')),
    narrow: times(integer('uint16'), () => channel(source, 'uint8')),
  };
  const position = present('position');
  if (position) throw new BadValue('a position, which this scanner has none of');
  const name = present('name') ? source.characters(integer('uint16')) : undefined;
  const comment = present('comment') ? source.characters(integer('uint16')) : undefined;
  const time = present('time') ? timeOf(source) : undefined;
  const event = present('event');
  if (event) throw new BadValue('an event, which this scanner has none of');
  return { ...head, position, name, comment, time, event };
}

function channel(source: Source, word: 'uint8' | 'uint16'): Channel {
  const { integer } = source;
  return {
    content: source.content(),
    scale: source.float(),
    offset: source.float(),
    start: integer('int32'),
    step: integer('uint16'),
    data: times(integer('uint16'), () => integer(word)),
  };
}

function timeOf({ integer }: Source): number[] {
  const year = integer('uint16');
  const rest = times(5, () => integer('uint8'));
  return [year, ...rest, integer('uint32')];
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}
