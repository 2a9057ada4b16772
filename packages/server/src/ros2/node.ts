import type { Device } from '@azimuth/device';
import { encodeParticipantEntities, humbleGuidBytes } from '@azimuth/telegrams/ros2';
import { entityId } from '@azimuth/telegrams/rtps';
import type { RosNetwork } from './network.js';
import { Participant } from './participant.js';
import type { Writer } from './writer.js';

/** Counters of network events. */
interface RosCounts {
  /** Counts a message that was handed to the network for one peer. */
  sent(bytes: number): void;
  /** Counts a lost datagram or, without an error, a lost message. */
  failed(error?: Error): void;
  /** Counts a message that was sent again, because a reader lacked it. */
  repaired(): void;
  /** Counts a datagram that was not understood. */
  ignored(): void;
}

/** What a node needs of its scanner. */
export interface NodeOptions {
  readonly device: Device;
  readonly network: RosNetwork;
  readonly counts: RosCounts;
}

/** A node that joins a domain. */
interface JoiningNode {
  /** What it is, for the log. */
  readonly words: string;
  readonly domain: number;
  /** Empty, or names after slashes. */
  readonly namespace: string;
  /** Names of topics that may be published. */
  readonly topics: readonly string[];
  /** Called when a topic may have got its first reader, or lost its last one. */
  readonly changed: () => void;
}

/** Opens a participant in a domain for a node. Rejects if no port can be opened. */
export async function joinDomain(
  { device, network, counts }: NodeOptions,
  { words, domain, namespace, topics, changed }: JoiningNode,
): Promise<Participant> {
  const { clock, errors, hardware } = device;
  const participant = await Participant.open({
    ...{ domain, network, topics, clock, changed },
    log: hardware.log,
    ...counts,
    broken: (error) => errors.report('streams', error),
  });
  hardware.log.info(`ROS 2: ${words} has joined the domain`, {
    domain,
    namespace: namespace || '/',
    port: participant.port,
    multicast: participant.hearsMulticast,
  });
  if (!participant.hearsMulticast) {
    hardware.log.warn(
      'ROS 2: no network interface has multicast; programs must have the address of the scanner as a peer',
    );
  }
  return participant;
}

/**
 * Announces a node and its topics, for tools.
 * @param list the writer of the list of nodes
 * @param writers those of the topics of the node
 */
export function announceNode(
  { guid: { prefix } }: Participant,
  list: Writer,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  writers: readonly Writer[],
): void {
  const node = {
    namespace: namespace || '/',
    name,
    readers: [],
    writers: writers.map(({ id }) => ({ prefix, entity: id })),
  };
  const entities = { participant: { prefix, entity: entityId.participant }, nodes: [node] };
  const older = encodeParticipantEntities(entities, humbleGuidBytes);
  list.write(encodeParticipantEntities(entities), { older });
}
