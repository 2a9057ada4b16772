import { createHash } from 'node:crypto';

/** What the manifest of a firmware file says. */
export interface FirmwareFacts {
  readonly deviceType: string;
  readonly release: string;
}

/**
 * Makes an unsigned firmware file in the format of Azimuth. Other scanners refuse it, as a file that is no firmware.
 *
 * | bytes | what |
 * |---|---|
 * | 8 | `AZIMUTH` and 1 |
 * | 4 | length of the manifest, big-endian |
 * | … | manifest, JSON |
 * | … | payload |
 * | 32 | SHA-256 of everything before it |
 */
export function firmwareFile({ deviceType, release }: FirmwareFacts): Buffer {
  const payload = Buffer.from('conformance check\n');
  const payloadSha256 = createHash('sha256').update(payload).digest('hex');
  const manifest = Buffer.from(
    JSON.stringify({ deviceType, release, payloadBytes: payload.length, payloadSha256 }),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32BE(manifest.length);
  const file = Buffer.concat([Buffer.from('AZIMUTH\x01', 'latin1'), length, manifest, payload]);
  return Buffer.concat([file, createHash('sha256').update(file).digest()]);
}
