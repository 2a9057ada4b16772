import { encodeCompactScan, encodeMsgpackScan } from '@azimuth/telegrams/encode';
import type { Task } from '../inside/task.js';
import { asObject } from './as-object.js';
import { type Encode, libraryName } from './library.js';
import { segmentWith, telegramOf } from './segment.js';

export const compact = 'azimuth, Compact';
export const msgpack = 'azimuth, MSGPACK';
export const library = `${libraryName}, bytes as they stand`;

export function conditionOf(echoes: number): string {
  return echoes === 1 ? '1 echo' : `${echoes} echoes`;
}

/** One segment as a telegram, in both formats, and by a library where it is there. Each is another one than that before. */
export function telegramTasks(echoes: number, encode: Encode | undefined): Task[] {
  const telegram = telegramOf(segmentWith(echoes));
  const target = new Uint8Array(16_384);
  const condition = conditionOf(echoes);
  const next = () => {
    telegram.sequence += 1;
    return telegram;
  };
  const tasks = [
    { subject: compact, condition, call: () => encodeCompactScan(next(), target).length },
    { subject: msgpack, condition, call: () => encodeMsgpackScan(next(), target).length },
  ];
  if (encode !== undefined) {
    tasks.push({ subject: library, condition, call: () => encode(asObject(next())).length });
  }
  return tasks;
}
