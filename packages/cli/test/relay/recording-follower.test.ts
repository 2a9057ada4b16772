import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TelegramPassed } from '@azimuth/bridge/timeline';
import { readRecording } from '@azimuth/telegrams';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { expect, test } from 'vitest';
import { RecordingFollower } from '../../src/relay/recording-follower.js';

const addresses = { from: '192.168.0.1:2115', to: '192.168.0.100:2115' };

function telegram(length: number): TelegramPassed {
  const bytes = new Uint8Array(length);
  bytes.set([2, 2, 2, 2, 1]);
  return { kind: 'telegram', at: 1_000_000, stream: 'scan', ...addresses, bytes };
}

test('a telegram that no datagram can hold ends a capture, and not the relay', async () => {
  const path = join(temporaryFolder(), 'hall.pcapng');
  const facts = { source: () => 'a scanner', force: false, signal: new AbortController().signal };
  const follower = await RecordingFollower.at(path, facts);
  follower.follow(telegram(100));
  follower.follow(telegram(70_000));
  follower.follow(telegram(100));
  await expect(follower.end()).rejects.toThrow('hall.pcapng cannot be written: a payload of 70000 bytes');
  expect([...readRecording(readFileSync(path))]).toHaveLength(1);
});
