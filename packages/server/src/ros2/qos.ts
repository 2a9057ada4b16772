import {
  dataRepresentation,
  durability,
  type EndpointData,
  type EndpointQos,
  reliability,
  usualQos,
} from '@azimuth/telegrams/rtps';

/** What the writers of a scanner offer: reliable; those of `isLatched` also send what was written before (DDS 1.4 §2.2.3). */
export function offeredQos(isLatched: boolean): EndpointQos {
  return {
    ...usualQos,
    reliability: reliability.reliable,
    durability: isLatched ? durability.transientLocal : durability.volatile,
  };
}

/**
 * The policy that a writer does not offer as the reader asks for it, in a word; undefined if they fit together. Topic and
 * type have to be compared before.
 */
export function incompatibility(offered: EndpointQos, asked: EndpointQos): string | undefined {
  if (asked.reliability > offered.reliability) return 'reliability';
  if (asked.durability > offered.durability) return 'durability';
  if (asked.deadline < offered.deadline) return 'deadline';
  if (asked.liveliness > offered.liveliness || asked.livelinessLease < offered.livelinessLease) {
    return 'liveliness';
  }
  if (asked.ownership !== offered.ownership) return 'ownership';
  if (asked.destinationOrder > offered.destinationOrder) return 'destination order';
  if (asked.presentation > offered.presentation) return 'presentation';
  if ((asked.isCoherent && !offered.isCoherent) || (asked.isOrdered && !offered.isOrdered)) {
    return 'presentation';
  }
  const { representations } = asked;
  if (representations.length > 0 && !representations.includes(dataRepresentation.xcdr1)) {
    return 'data representation';
  }
  return isInUsualPartition(asked.partitions) ? undefined : 'partition';
}

/** The writers are in the partition without a name, which `*` means, too. */
function isInUsualPartition(partitions: readonly string[]): boolean {
  return partitions.length === 0 || partitions.some((name) => /^\**$/.test(name));
}

/** Does the reader read this topic? */
export function isSameTopic(writer: EndpointData, reader: EndpointData): boolean {
  return writer.topic === reader.topic && writer.type === reader.type;
}
