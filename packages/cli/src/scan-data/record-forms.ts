import { isIPv4 } from 'node:net';
import type { Received } from '@azimuth/client/receive';
import {
  pcapHeader,
  pcapngHeader,
  pcapngPacketOf,
  pcapPacketOf,
  recordingHeader,
  recordOf,
  type Telegram,
  type UdpPath,
} from '@azimuth/telegrams';
import { programVersion } from '../program-version.js';
import type { RecordedFacts } from './recorded-facts.js';
import { routeToHost } from './stream-settings.js';

/** What is recorded of a telegram. */
export interface RecordedBytes extends Pick<Received, 'time' | 'bytes' | 'from' | 'to'> {
  /** The telegram, if it has been decoded already. */
  readonly telegram?: Telegram;
  /** What is to be known about it. Only pcapng keeps it. */
  readonly comment?: string;
}

/** Format of a recording. All functions return bytes to write. */
export interface RecordForm {
  header(): Uint8Array;
  record(received: RecordedBytes): Promise<Uint8Array>;
  /** A value that the scanner has sent as an event. Nothing for formats without events. */
  event(event: { readonly name: string; readonly value: unknown; readonly time: number }): Uint8Array;
  /** What waits for more: after it, a cut loses nothing up to here. */
  flush(): Uint8Array;
  end(): Uint8Array;
}

const nothing = new Uint8Array();

/** Parts of formats that write each telegram at once and have no events. */
const atOnce = { event: () => nothing, flush: () => nothing, end: () => nothing } as const;

/**
 * Returns the format for the name of a file: a capture for `.pcap` and `.pcapng`, MCAP for `.mcap`, otherwise an Azimuth
 * recording.
 * @param facts about the recording, known when its header is written
 */
export async function recordForm(path: string, facts: () => RecordedFacts): Promise<RecordForm> {
  const name = path.toLowerCase();
  if (name.endsWith('.pcap')) return captureForm(pcapHeader, pcapPacketOf);
  if (name.endsWith('.pcapng')) return captureForm(pcapngHeader, pcapngPacketOf);
  if (name.endsWith('.mcap')) return mcapForm(facts);
  return {
    ...atOnce,
    header: () => recordingHeader({ made: new Date().toISOString(), source: facts().source }),
    record: ({ time, bytes }) => Promise.resolve(recordOf(time, bytes)),
  };
}

/** True for a format that keeps events and parameters, too. */
export function keepsFacts(path: string): boolean {
  return path.toLowerCase().endsWith('.mcap');
}

type PacketOf = (time: number, payload: Uint8Array, path: UdpPath, comment?: string) => Uint8Array;

/** A capture contains telegrams from TCP as UDP packets, because programs that read captures expect UDP. */
function captureForm(header: () => Uint8Array, packetOf: PacketOf): RecordForm {
  const own = new OwnAddresses();
  return {
    ...atOnce,
    header,
    record: async (received) =>
      packetOf(received.time, received.bytes, await pathOf(received, own), received.comment),
  };
}

async function mcapForm(facts: () => RecordedFacts): Promise<RecordForm> {
  const { decodedOrNothing, ScannerRecording } = await import('@azimuth/bridge/mcap');
  let written: Uint8Array[] = [];
  const taken = () => {
    const bytes = Buffer.concat(written);
    written = [];
    return bytes;
  };
  let recording: InstanceType<typeof ScannerRecording> | undefined;
  const opened = () => {
    const { source, ...others } = facts();
    recording ??= new ScannerRecording((bytes) => written.push(bytes), {
      ...others,
      library: `azimuth ${programVersion()}`,
      facts: { made: new Date().toISOString(), source },
    });
    return recording;
  };
  return {
    header: () => {
      opened();
      return taken();
    },
    record: async (received) => {
      opened().add({ ...received, telegram: received.telegram ?? decodedOrNothing(received.bytes) });
      return taken();
    },
    event: ({ name, value, time }) => {
      opened().addEvent(time, { name, value });
      return taken();
    },
    flush: () => {
      recording?.flush();
      return taken();
    },
    end: () => {
      recording?.end();
      return taken();
    },
  };
}

/** Maximum number of senders whose addresses are cached. */
const maxSenders = 1024;

/**
 * The addresses of this computer that senders reach. A socket that listens at all addresses does not report the
 * address of a datagram. It is the address from which a response would be sent.
 */
class OwnAddresses {
  readonly #addresses = new Map<string, Promise<string | undefined>>();

  towards(sender: string): Promise<string | undefined> {
    const known = this.#addresses.get(sender);
    if (known !== undefined) return known;
    const own = routeToHost(sender).then(
      (route) => route.own,
      () => undefined,
    );
    if (this.#addresses.size < maxSenders) this.#addresses.set(sender, own);
    return own;
  }
}

async function pathOf({ from, to }: RecordedBytes, own: OwnAddresses): Promise<UdpPath> {
  const [source, sourcePort] = parseEndpoint(from);
  const [listened, destinationPort] = parseEndpoint(to);
  const destination = listened === '0.0.0.0' ? await own.towards(source) : listened;
  return {
    sourcePort,
    destinationPort,
    sourceAddress: isIPv4(source) ? source : undefined,
    destinationAddress: destination !== undefined && isIPv4(destination) ? destination : undefined,
  };
}

/** Parses address and port of a text like `192.168.0.1:2115`. */
function parseEndpoint(text: string): readonly [address: string, port: number] {
  const at = text.lastIndexOf(':');
  return [text.slice(0, at), Number(text.slice(at + 1))];
}
