import { number, string } from '@azimuth/test-support/json';
import { members, type Sample } from './subscriber.js';

/** A point of a cloud. */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly i: number;
  readonly p: number;
}

/** The points of a cloud, read as its own fields describe them. */
export function pointsOf({ content }: Sample): readonly Point[] {
  const data = Buffer.from(string(content.data), 'hex');
  const step = number(content.pointStep);
  const offsets = new Map(members(content.fields).map(({ name, offset }) => [name, number(offset)]));
  const at = (name: string) => offsets.get(name) ?? Number.NaN;
  return Array.from({ length: number(content.width) }, (_, point) => ({
    x: data.readFloatLE(point * step + at('x')),
    y: data.readFloatLE(point * step + at('y')),
    z: data.readFloatLE(point * step + at('z')),
    i: data.readFloatLE(point * step + at('i')),
    p: data.readUInt8(point * step + at('p')),
  }));
}
