import { isObject } from './json.js';

/** Scanners that ran one after the other in one process. */
export interface Group {
  /** ms from the call of `startScanner` until it is ready, of each scanner. */
  readonly starts: readonly number[];
  /** ms until it has measured for 100 ms of its time, and has ended. */
  readonly lives: readonly number[];
  /** Bytes. */
  readonly leastHeap: number;
  readonly mostResident: number;
}

/** @throws Error if a program sent something else */
export function groupsIn(message: unknown): readonly Group[] {
  if (Array.isArray(message) && message.every(isGroup)) return message;
  throw new Error('groups of scanners were expected');
}

function isGroup(item: unknown): item is Group {
  return (
    isObject(item) &&
    Array.isArray(item.starts) &&
    Array.isArray(item.lives) &&
    typeof item.leastHeap === 'number' &&
    typeof item.mostResident === 'number'
  );
}
