import {
  builtinEndpoint,
  bytesOfGuid,
  defaultQos,
  encodeEndpointData,
  encodeKey,
  encodeParticipantData,
  entityId,
  type Locator,
  MessageWriter,
  numberSet,
  parameterId,
  writerId,
} from '@azimuth/telegrams/rtps';
import type { SeededRandom } from '@azimuth/test-support/seeded-random';
import { mutated } from './mutated.js';

/** What a hostile sender knows. */
export interface Knowledge {
  /** GUID prefixes to pretend to be: its own, and that of another program. */
  readonly senders: readonly string[];
  /** The GUID prefix of the scanner. */
  readonly scanner: string;
  /** Where the answers to its announcements are to go. */
  readonly victim: Locator;
  readonly domain: number;
}

const topics = ['rt/scan/all_points_echo0', 'rt/cloud/all_points', 'rt/tf_static', 'rt/other', ''];
const types = ['sensor_msgs::msg::dds_::LaserScan_', 'sensor_msgs::msg::dds_::PointCloud2_', ''];
const numbers = [0, 1, 2, 255, 256, 257, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 52];
const texts = ['RTPS', '\0', '\xff\xff\xff\xff', '\x01\x00\x00\x00', '\x05\x00\x00\x01'];

/** One datagram for the port of a scanner: a message of RTPS, often damaged. */
export function ros2Input(random: SeededRandom, known: Knowledge): Buffer {
  if (random.percent(10)) return random.bytes(random.pick([0, 1, 19, 20, 21, 60, 1400]));
  const prefix = random.pick(known.senders);
  const message = new MessageWriter(prefix, 16_384).begin();
  if (random.percent(70)) message.infoDestination(random.percent(80) ? known.scanner : prefix);
  const count = random.percent(90) ? random.between(1, 3) : 80;
  for (let part = 0; part < count && message.length < 10_000; part += 1)
    addSubmessage(random, message, prefix, known);
  const bytes = Buffer.from(message.copy());
  return random.percent(40) ? mutated(random, bytes, texts) : bytes;
}

function addSubmessage(random: SeededRandom, message: MessageWriter, prefix: string, known: Knowledge): void {
  const writer = random.pick([
    entityId.publicationsWriter,
    entityId.subscriptionsWriter,
    entityId.livelinessWriter,
    writerId(random.between(1, 9)),
    random.below(2 ** 32),
  ]);
  const reader = random.pick([entityId.unknown, entityId.publicationsReader, 0x104, random.below(2 ** 32)]);
  const sequence = random.pick(numbers);
  const members = Array.from({ length: random.below(5) }, () => sequence + random.below(256));
  const missing = numberSet(
    sequence,
    members.toSorted((one, other) => one - other),
  );
  const facts = { reader, writer, count: random.below(2 ** 32) };
  const isFinal = random.percent(50);
  switch (random.below(8)) {
    case 0:
      message.data(announcement(random.pick([1, sequence])), participant(prefix, known));
      return;
    case 1:
      message.data(
        { reader: entityId.subscriptionsReader, writer: entityId.subscriptionsWriter, sequence },
        endpoint(random, prefix),
      );
      return;
    case 2:
      message.heartbeat({ ...facts, first: sequence, last: random.pick(numbers), isFinal });
      return;
    case 3:
    case 4:
      message.ackNack({ ...facts, missing, isFinal });
      return;
    case 5:
      message.nackFragment({ ...facts, sequence, missing: { ...missing, base: missing.base % 2 ** 32 } });
      return;
    case 6:
      message.gap({ reader, writer, first: random.pick(numbers), list: missing });
      return;
    default: {
      const guid = { prefix, entity: random.pick([entityId.participant, 0x104]) };
      const id = random.pick([parameterId.participantGuid, parameterId.endpointGuid]);
      const ended = random.percent(50)
        ? announcement(2)
        : { reader, writer: entityId.subscriptionsWriter, sequence };
      message.dispose(ended, bytesOfGuid(guid), encodeKey(id, guid));
    }
  }
}

const announcement = (sequence: number) => ({
  reader: entityId.participantReader,
  writer: entityId.participantWriter,
  sequence,
});

/** An announcement whose answers go to the victim. */
function participant(prefix: string, { victim, domain }: Knowledge): Uint8Array {
  return encodeParticipantData({
    prefix,
    domain,
    domainTag: '',
    discovery: [victim],
    user: [victim],
    builtinEndpoints: builtinEndpoint.participantWriter | builtinEndpoint.publicationsReader,
    lease: 10_000,
    userData: '',
  });
}

function endpoint(random: SeededRandom, prefix: string): Uint8Array {
  return encodeEndpointData({
    guid: { prefix, entity: random.pick([0x104, 0x204, random.below(2 ** 32)]) },
    topic: random.pick(topics),
    type: random.pick(types),
    qos: { ...defaultQos, reliability: random.pick([0, 1, 2, 99]), durability: random.pick([0, 1, 99]) },
    depth: 1,
    userData: 'x'.repeat(random.pick([0, 0, 3, 4000])),
  });
}
