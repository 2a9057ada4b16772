import { createSocket } from 'node:dgram';
import type { Clock, Random } from '@azimuth/device';
import type { LinkFaults } from '@azimuth/device/faults';
import { isOfOneDevice, type TimeResponse, type TimeServers } from '@azimuth/device/network-interface';
import { containErrors, ipv4Unresolved } from '@azimuth/http';
import { responseTimeout } from './limits.js';

/** Resolution (ms) of a number of ms since 1970. */
const resolution = 0.001;

interface Options {
  readonly clock: Clock;
  readonly random: Random;
  /** UDP port of the server; default 123. */
  readonly port?: number | undefined;
}

/** Makes the access to time servers in the network. @param link the network cable; undefined if it always stays in */
export function timeServers(options: Options, link: LinkFaults | undefined): TimeServers {
  return {
    request: async (address, signal) =>
      link?.down === undefined
        ? requestTime(options, address, signal)
        : { kind: 'none', reason: 'the network cable is pulled out' },
  };
}

/**
 * Sends one request to a time server, over UDP. Datagrams that do not belong to the request are ignored. If no response
 * comes in time, the last of them is the reason given. The socket is closed when the promise is fulfilled.
 */
export function requestTime(
  { clock, random, port = 123 }: Options,
  address: readonly number[],
  signal: AbortSignal,
): Promise<TimeResponse> {
  const host = address.join('.');
  if (!isOfOneDevice(address))
    return Promise.resolve({ kind: 'none', reason: `${host} is not the address of a server` });
  return new Promise((resolve) => {
    const cookie = random.bytes(stampSize);
    const socket = containErrors(createSocket({ type: 'udp4', lookup: ipv4Unresolved }), (error) =>
      end({ kind: 'none', reason: `the answer of ${host} cannot be used: ${String(error)}` }),
    );
    let requestedAt = Number.NaN;
    let isOver = false;
    let reason = `${host} has not answered within ${responseTimeout / 1000} s`;
    const cancel = clock.after(responseTimeout, () => end({ kind: 'none', reason }));
    const breakOff = () => end({ kind: 'none', reason: 'the scanner no longer waits for the answer' });

    function end(response: TimeResponse): void {
      if (isOver) return;
      isOver = true;
      cancel();
      socket.close();
      resolve(response);
    }

    socket.on('error', (error) => end({ kind: 'none', reason: `${host} cannot be asked: ${error.message}` }));
    socket.on('message', (packet) => {
      // Both are read before the packet is parsed. Otherwise the parsing would count as transmission time.
      const elapsed = clock.monotonic() - requestedAt;
      const received = clock.utc();
      const response = responseIn(packet, cookie);
      if (response.kind === 'strange') reason = response.reason;
      else end(timeResponseOf(response, received, elapsed));
    });
    if (signal.aborted) return breakOff();
    signal.addEventListener('abort', breakOff);
    // A connected socket gets only datagrams from this address and port, and reports refusals. A callback of `connect`
    // would also get its errors, in place of the event 'error'.
    socket.once('connect', () => {
      requestedAt = clock.monotonic();
      socket.send(requestWith(cookie));
    });
    socket.connect(port, host);
  });
}

/** @param now the UTC (ms) of the scanner's clock when the response came, `elapsed` ms after the request was sent */
function timeResponseOf(
  response: Exclude<TimeServerResponse, { kind: 'strange' }>,
  now: number,
  elapsed: number,
): TimeResponse {
  if (response.kind !== 'time') return response;
  const { received, sent, stratum } = response;
  const serverTime = sent - received;
  if (serverTime > elapsed + resolution) {
    return {
      kind: 'none',
      reason: `the server says that it kept the request for ${Math.round(serverTime)} ms, longer than the whole exchange took`,
    };
  }
  // Both directions are assumed to take equally long.
  const ahead = (received - (now - elapsed) + (sent - now)) / 2;
  const roundTrip = Math.max(0, Math.round((elapsed - serverTime) * 1000) / 1000);
  return { kind: 'time', ahead, roundTrip, stratum };
}

/** Bytes of a message of the Simple Network Time Protocol, version 4 (RFC 4330); longer ones have extensions after that. */
const packetSize = 48;
/** Bytes of a time stamp. The copy of our random time stamp identifies a response to our request. */
const stampSize = 8;

/** First byte of a request: no warning, version 4, client. */
const clientHeader = 0b00_100_011;
const server = 4;
const notSynchronised = 3;
const worstStratum = 15;

const secondsFrom1900 = 2_208_988_800;
const secondsOfAnEra = 2 ** 32;

/** Received packet. Times are UTC in ms since 1970, with a fraction. */
export type TimeServerResponse =
  | {
      readonly kind: 'time';
      readonly stratum: number;
      /** Times at which the server received the request, and sent its response. */
      readonly received: number;
      readonly sent: number;
    }
  | { readonly kind: 'slower' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'none'; readonly reason: string }
  /** Packet that is not the response to our request. */
  | { readonly kind: 'strange'; readonly reason: string };

/**
 * Returns a request. Random bytes replace the time of the sender. The server sends them back, so only a program that
 * has seen the request can respond to it.
 */
export function requestWith(cookie: Uint8Array): Uint8Array {
  const packet = new Uint8Array(packetSize);
  packet[0] = clientHeader;
  packet.set(cookie, 40);
  return packet;
}

/** Parses a packet for the client that has sent these random bytes, with the checks of RFC 4330 (chapter 5). */
export function responseIn(packet: Uint8Array, cookie: Uint8Array): TimeServerResponse {
  if (packet.length < packetSize) {
    return {
      kind: 'strange',
      reason: `expected an answer of at least ${packetSize} bytes, got ${packet.length}`,
    };
  }
  if (!cookie.every((byte, index) => packet[24 + index] === byte)) {
    return { kind: 'strange', reason: 'the datagram does not match the request' };
  }
  const view = new DataView(packet.buffer, packet.byteOffset, packet.length);
  const header = view.getUint8(0);
  const mode = header & 0b111;
  if (mode !== server) return none(`the answer is not that of a server (mode ${mode})`);
  const stratum = view.getUint8(1);
  if (stratum === 0) return kissOfDeath(packet.subarray(12, 16));
  if (stratum > worstStratum) return none(`the server has no time itself (stratum ${stratum})`);
  if (header >> 6 === notSynchronised) return none('the server says that its clock is not synchronised');
  return timesIn(view, stratum);
}

function timesIn(view: DataView, stratum: number): TimeServerResponse {
  if (view.getBigUint64(32) === 0n || view.getBigUint64(40) === 0n) return none('the reply has no time');
  const received = stampAt(view, 32);
  const sent = stampAt(view, 40);
  if (received < 0) return none('the server states a time before 1970');
  if (sent < received) return none('the server says that it answered before it was asked');
  return { kind: 'time', stratum, received, sent };
}

/**
 * Converts a time stamp to ms since 1970 UTC. The 32-bit seconds count from 1900 and overflow in February 2036: numbers
 * below the middle are after the overflow (RFC 4330, chapter 3). The result is right from 1968 to 2104.
 */
function stampAt(view: DataView, at: number): number {
  const seconds = view.getUint32(at);
  const era = seconds < secondsOfAnEra / 2 ? secondsOfAnEra : 0;
  return (seconds + era - secondsFrom1900) * 1000 + (view.getUint32(at + 4) / secondsOfAnEra) * 1000;
}

/** Interprets a refusal of a server: its reason is four letters. */
function kissOfDeath(code: Uint8Array): TimeServerResponse {
  const letters = String.fromCharCode(...code);
  if (letters === 'RATE') return { kind: 'slower' };
  if (letters === 'DENY' || letters === 'RSTR') {
    return { kind: 'refused', reason: `the server refuses access (${letters})` };
  }
  return none(
    `the server does not give the time (${/^[A-Z]{4}$/.test(letters) ? letters : 'without a reason'})`,
  );
}

function none(reason: string): TimeServerResponse {
  return { kind: 'none', reason };
}
