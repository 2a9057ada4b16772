import { device } from '@azimuth/model';
import { senderIdOf } from '@azimuth/telegrams';
import { isMulticast, type StreamName } from '../scan-data/stream-settings.js';
import { allStreams, arrivesHere, type Stream, streamDestination } from './checks/stream-parts.js';
import type { LocalPorts, ReceivedTelegram, Reception } from './local-ports.js';
import type { Arrival, Observation } from './observation.js';

const { SerialNumber } = device.members;

/** Number of other senders that are named. */
const maxStrangers = 3;

/** Listens at the local ports to which the streams of a scanner should arrive. */
export async function receiveArrivals(
  observation: Observation,
  ports: LocalPorts,
): Promise<ReadonlyMap<StreamName, Arrival>> {
  const arrivals = await Promise.all(
    allStreams.map(async (stream): Promise<[StreamName, Arrival][]> => {
      const reception = await receivedFor(observation, stream, ports);
      return reception === undefined ? [] : [[stream.name, arrivalFrom(observation, stream, reception)]];
    }),
  );
  return new Map(arrivals.flat());
}

function receivedFor(
  observation: Observation,
  stream: Stream,
  ports: LocalPorts,
): Promise<Reception> | undefined {
  const to = streamDestination(observation, stream);
  const { host } = observation.facts;
  if (!('protocol' in to) || host === undefined || to.port === 0) return undefined;
  const { protocol, port, address } = to;
  if (protocol === 'TCP') return ports.receive({ protocol, port, address: host });
  if (!arrivesHere(observation, to)) return undefined;
  return ports.receive({ protocol, port, address: isMulticast(address) ? address : undefined });
}

/** Returns the telegrams of this scanner, and of others. */
export function arrivalFrom(observation: Observation, { name }: Stream, reception: Reception): Arrival {
  const { closed, telegrams, damaged, seconds } = reception;
  const ofStream = telegrams.filter(({ kind }) => kind === name);
  const isOwn = isOfScanner(observation);
  const strangers = new Set(ofStream.filter((telegram) => !isOwn(telegram)).map(senderName));
  return {
    closed,
    telegrams: ofStream.filter(isOwn).length,
    strangers: [...strangers].slice(0, maxStrangers),
    damaged,
    seconds,
  };
}

function isOfScanner(observation: Observation): (telegram: ReceivedTelegram) => boolean {
  const { host, isHere } = observation.facts;
  const serial = observation.value(SerialNumber);
  const sender = typeof serial === 'string' ? senderIdOf(serial) : undefined;
  return (telegram) => {
    // A scanner on this computer sends from any of its addresses.
    if (telegram.from !== host && !isHere) return false;
    return sender === undefined || telegram.serial === undefined || telegram.serial === sender;
  };
}

function senderName({ from, serial }: ReceivedTelegram): string {
  return serial === undefined ? from : `${from} (serial number ${serial})`;
}
