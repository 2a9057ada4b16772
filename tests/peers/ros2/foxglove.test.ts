import { angleOfBeam, profileOf } from '@azimuth/test-support/streams/profiles';
import { grazesPost, stillRoom, toNearest } from '@azimuth/test-support/streams/room';
import { until } from '@azimuth/test-support/waiting';
import { CdrReader } from '@foxglove/cdr';
import { Durability, HistoryKind, Participant, Reliability, type UserData } from '@foxglove/rtps';
import { UdpSocketNode } from '@foxglove/rtps/nodejs';
import { expect, it, onTestFinished } from 'vitest';
import { publishing } from './ros2-scanner.js';
import { scan } from './topics.js';

const profile = profileOf(2);

/** A participant of a third implementation, on loopback. It can receive only. */
async function receiver(domainId: number): Promise<{ participant: Participant; received: UserData[] }> {
  const participant = new Participant({
    ...{ name: 'receiver', addresses: ['127.0.0.1'], domainId },
    udpSocketCreate: UdpSocketNode.Create,
  });
  onTestFinished(() => participant.shutdown());
  const received: UserData[] = [];
  participant.on('userData', (data) => received.push(data));
  await participant.start();
  return { participant, received };
}

it('a third implementation, @foxglove/rtps, receives every scan reliably', async () => {
  const { domain } = await publishing({ scene: stillRoom });
  const { participant, received } = await receiver(domain);
  participant.subscribe({
    ...{ topicName: scan.topic, typeName: 'sensor_msgs::msg::dds_::LaserScan_' },
    durability: Durability.Volatile,
    reliability: { kind: Reliability.Reliable, maxBlockingTime: { sec: 1, nsec: 0 } },
    history: { kind: HistoryKind.KeepLast, depth: 10 },
  });
  await until(() => received.length >= 60);
  const [first = 0n] = received.map(({ writerSeqNumber }) => writerSeqNumber);
  expect(received.map(({ writerSeqNumber }) => writerSeqNumber)).toEqual(
    received.map((_, at) => first + BigInt(at)),
  );
  for (const { serializedData } of received) expectRoom(rangesOf(serializedData));
});

function rangesOf(message: Uint8Array): readonly number[] {
  const cdr = new CdrReader(message);
  cdr.int32();
  cdr.uint32();
  expect(cdr.string()).toBe('picoScan_');
  for (let facts = 0; facts < 7; facts += 1) cdr.float32();
  return [...cdr.float32Array()];
}

function expectRoom(ranges: readonly number[]): void {
  expect(ranges).toHaveLength(profile.beams);
  for (const [beam, range] of ranges.entries()) {
    const direction = angleOfBeam(profile, beam);
    if (!grazesPost(direction)) expect(range * 1000).toBeCloseTo(toNearest(direction), 0);
  }
}
