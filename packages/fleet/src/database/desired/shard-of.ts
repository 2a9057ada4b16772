import { createHash } from 'node:crypto';

/** The shard of a scanner: the same in all processes and releases. */
export function shardOf(serial: string, shards: number): number {
  return createHash('sha256').update(serial).digest().readUInt32BE(0) % shards;
}
