import { bytesOfGuid, type Guid, guidBytes, guidOf } from '../rtps/guid.js';
import { CdrReader, CdrWriter } from './cdr.js';

/** The endpoints of a node. */
interface NodeEntities {
  /** Begins with a slash. */
  readonly namespace: string;
  readonly name: string;
  readonly readers: readonly Guid[];
  readonly writers: readonly Guid[];
}

/** The nodes of a participant (rmw_dds_common/ParticipantEntitiesInfo). */
interface ParticipantEntities {
  readonly participant: Guid;
  readonly nodes: readonly NodeEntities[];
}

/** Bytes of a GUID in ROS 2 Humble: 8 zeros follow it. */
export const humbleGuidBytes = 24;

/**
 * Writes rmw_dds_common/ParticipantEntitiesInfo: the GUID of the participant, u32 nodes, and for each its namespace and
 * name as texts, then its readers and its writers, each u32 count and the GUIDs.
 * @param bytesOfEach of a GUID: 16 from ROS 2 Iron on, 24 in Humble
 */
export function encodeParticipantEntities(
  { participant, nodes }: ParticipantEntities,
  bytesOfEach: typeof guidBytes | typeof humbleGuidBytes = guidBytes,
): Uint8Array {
  const bytes = nodes.map(
    ({ namespace, name, readers, writers }) =>
      32 + 3 * (namespace.length + name.length) + bytesOfEach * (readers.length + writers.length),
  );
  const cdr = new CdrWriter(new Uint8Array(bytes.reduce((sum, count) => sum + count, 40)));
  const guid = (one: Guid) => {
    cdr.bytes(bytesOfGuid(one));
    cdr.skip(bytesOfEach - guidBytes);
  };
  guid(participant);
  cdr.u32(nodes.length);
  for (const { namespace, name, readers, writers } of nodes) {
    cdr.text(namespace);
    cdr.text(name);
    for (const endpoints of [readers, writers]) {
      cdr.u32(endpoints.length);
      for (const endpoint of endpoints) guid(endpoint);
    }
  }
  return cdr.end();
}

/**
 * Reads the message in the form of ROS 2 Iron and later.
 * @throws TelegramError if it is cut off, or encoded in another way than plain CDR
 */
export function decodeParticipantEntities(payload: Uint8Array): ParticipantEntities {
  const cdr = new CdrReader(payload);
  const participant = guidOf(cdr.bytes(guidBytes));
  const guids = () => Array.from({ length: cdr.length(guidBytes) }, () => guidOf(cdr.bytes(guidBytes)));
  const nodes = Array.from({ length: cdr.length(16) }, () => ({
    namespace: cdr.text(),
    name: cdr.text(),
    readers: guids(),
    writers: guids(),
  }));
  return { participant, nodes };
}
