import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { isObject } from '@azimuth/model';
import { type Chunk, chunkLength } from './buckets.js';
import { curves } from './curves.js';
import type { ScannerSeries } from './history.js';
import { resolutions, Series } from './series.js';

/** Version of the format. It rises if a program that knows only this one could misread a file. */
const version = 1;

/** Most bytes of the JSON of a file: all values of a scanner that change all the time need a third of it. */
const mostBytes = 2 * 1024 * 1024;

const bytesOfChunk = chunkLength * Float32Array.BYTES_PER_ELEMENT;

/**
 * Encodes the history of a scanner: JSON, packed by gzip, whose checksum shows damage. A chunk is
 * `[NUMBER, FROM, TO, VALUE]`, or `[NUMBER, BASE64]` with floats of 32 bits, the lowest byte first.
 */
export function encodedHistory(scanner: string, all: ScannerSeries): Promise<Buffer> {
  const values = Object.fromEntries(
    [...all].map(([name, series]) => [
      name,
      Object.fromEntries(
        resolutions.map((resolution) => [
          resolution.name,
          [...(series.bucketsOf(resolution.name)?.chunks ?? [])].map(chunkJson),
        ]),
      ),
    ]),
  );
  return promisify(gzip)(JSON.stringify({ v: version, scanner, values }));
}

/**
 * Decodes the history of a scanner.
 * @throws Error if the bytes are not that of this scanner, or damaged. The message says what was expected
 */
export async function decodedHistory(scanner: string, bytes: Buffer): Promise<ScannerSeries> {
  const text = String(await promisify(gunzip)(bytes, { maxOutputLength: mostBytes }));
  const json: unknown = JSON.parse(text);
  if (!isObject(json) || json.v !== version || json.scanner !== scanner || !isObject(json.values))
    throw new Error(`expected the history of ${scanner} in version ${version}`);
  const all = new Map<string, Series>();
  for (const { name, join } of curves) {
    const parts = json.values[name];
    if (!isObject(parts)) continue;
    const series = new Series(join);
    for (const resolution of resolutions) {
      const chunks = parts[resolution.name];
      for (const chunk of Array.isArray(chunks) ? chunks : []) {
        const [number, decoded] = chunkIn(chunk);
        series.bucketsOf(resolution.name)?.put(number, decoded);
      }
    }
    all.set(name, series);
  }
  return all;
}

function chunkJson([number, chunk]: readonly [number, Chunk]): unknown {
  if (!(chunk instanceof Float32Array)) return [number, chunk.from, chunk.to, chunk.value];
  const bytes = Buffer.alloc(bytesOfChunk);
  for (const [index, value] of chunk.entries()) bytes.writeFloatLE(value, index * 4);
  return [number, bytes.toString('base64')];
}

function chunkIn(json: unknown): readonly [number, Chunk] {
  const [number, first, to, value] = Array.isArray(json) ? json : [];
  if (!Number.isSafeInteger(number)) throw new Error('expected the number of a chunk');
  if (typeof first === 'string') return [number, floatsIn(first)];
  const isRange = isWithin(first, 0) && isWithin(to, first) && typeof value === 'number';
  if (!isRange) throw new Error('expected a chunk');
  return [number, { from: first, to, value }];
}

function isWithin(value: unknown, least: number): value is number {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= chunkLength;
}

function floatsIn(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length !== bytesOfChunk) throw new Error(`expected ${bytesOfChunk} bytes of a chunk`);
  return Float32Array.from({ length: chunkLength }, (_, index) => bytes.readFloatLE(index * 4));
}
