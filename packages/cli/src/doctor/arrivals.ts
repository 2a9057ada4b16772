import { device } from '@azimuth/model';
import { senderIdOf } from '@azimuth/telegrams';
import { isMulticast, type StreamName } from '../scan-data/stream-settings.js';
import { allStreams, comesHere, destinationOf, type Stream } from './checks/stream-parts.js';
import type { Heard, HeardTelegram, LocalPorts } from './local-ports.js';
import type { Arrival, Observation } from './observation.js';

const { SerialNumber } = device.members;

/** So many strangers are named. */
const fewStrangers = 3;

/** Listens where the streams of a scanner should arrive at this computer. */
export async function arrivalsOf(
  seen: Observation,
  ports: LocalPorts,
): Promise<ReadonlyMap<StreamName, Arrival>> {
  const arrivals = await Promise.all(
    allStreams.map(async (stream): Promise<[StreamName, Arrival][]> => {
      const heard = await heardOf(seen, stream, ports);
      return heard === undefined ? [] : [[stream.name, arrivalOf(seen, stream, heard)]];
    }),
  );
  return new Map(arrivals.flat());
}

function heardOf(seen: Observation, stream: Stream, ports: LocalPorts): Promise<Heard> | undefined {
  const to = destinationOf(seen, stream);
  const { host } = seen.facts;
  if (!('protocol' in to) || host === undefined || to.port === 0) return undefined;
  const { protocol, port, address } = to;
  if (protocol === 'TCP') return ports.heard({ protocol, port, address: host });
  if (!comesHere(seen, to)) return undefined;
  return ports.heard({ protocol, port, address: isMulticast(address) ? address : undefined });
}

/** What came of this scanner, and what did not come of it. */
export function arrivalOf(seen: Observation, { name }: Stream, heard: Heard): Arrival {
  const { closed, telegrams, damaged, seconds } = heard;
  const ofStream = telegrams.filter(({ kind }) => kind === name);
  const isOwn = isOfScanner(seen);
  const strangers = new Set(ofStream.filter((telegram) => !isOwn(telegram)).map(nameOf));
  return {
    closed,
    telegrams: ofStream.filter(isOwn).length,
    strangers: [...strangers].slice(0, fewStrangers),
    damaged,
    seconds,
  };
}

function isOfScanner(seen: Observation): (telegram: HeardTelegram) => boolean {
  const { host, isHere } = seen.facts;
  const serial = seen.value(SerialNumber);
  const sender = typeof serial === 'string' ? senderIdOf(serial) : undefined;
  return (telegram) => {
    // A scanner on this computer sends from any of its addresses.
    if (telegram.from !== host && !isHere) return false;
    return sender === undefined || telegram.serial === undefined || telegram.serial === sender;
  };
}

function nameOf({ from, serial }: HeardTelegram): string {
  return serial === undefined ? from : `${from} (serial number ${serial})`;
}
