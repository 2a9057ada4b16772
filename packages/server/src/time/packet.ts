/** Bytes of a message of the Simple Network Time Protocol, version 4 (RFC 4330); longer ones carry more behind that. */
export const packetSize = 48;
/** Bytes of a time stamp, which are also what tells an answer to our request from others. */
export const stampSize = 8;

/** No warning, version 4, client. */
const clientHeader = 0b00_100_011;
const server = 4;
const notSynchronised = 3;
const worstStratum = 15;

const secondsFrom1900 = 2_208_988_800;
const secondsOfAnEra = 2 ** 32;

/** What came, as far as it says something about the time. UTC in ms since 1970, with a fraction. */
export type Reply =
  | {
      readonly kind: 'time';
      readonly stratum: number;
      /** When the server got our request, and when it sent its answer. */
      readonly received: number;
      readonly sent: number;
    }
  | { readonly kind: 'slower' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'none'; readonly reason: string }
  /** Not the answer to our request. */
  | { readonly kind: 'strange'; readonly reason: string };

/**
 * A request. It carries random bytes where the time of the sender usually stands: the server sends them back, and
 * nobody who has not seen the request can answer it.
 */
export function requestWith(cookie: Uint8Array): Uint8Array {
  const packet = new Uint8Array(packetSize);
  packet[0] = clientHeader;
  packet.set(cookie, 40);
  return packet;
}

/** What a packet says to whoever has sent these random bytes; checked as RFC 4330 says (chapter 5). */
export function replyIn(packet: Uint8Array, cookie: Uint8Array): Reply {
  if (packet.length < packetSize) {
    return {
      kind: 'strange',
      reason: `what came has ${packet.length} bytes, and an answer at least ${packetSize}`,
    };
  }
  if (!cookie.every((byte, index) => packet[24 + index] === byte)) {
    return { kind: 'strange', reason: 'what came is no answer to the request that was sent' };
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

function timesIn(view: DataView, stratum: number): Reply {
  if (view.getBigUint64(32) === 0n || view.getBigUint64(40) === 0n) return none('the answer tells no time');
  const received = stampAt(view, 32);
  const sent = stampAt(view, 40);
  if (received < 0) return none('the server tells a time before 1970');
  if (sent < received) return none('the server says that it answered before it was asked');
  return { kind: 'time', stratum, received, sent };
}

/**
 * ms since 1970 UTC. Seconds are counted from 1900 with 32 bits, which begin anew in February 2036: numbers below the
 * middle are of then (RFC 4330, chapter 3). So it is right from 1968 to 2104.
 */
function stampAt(view: DataView, at: number): number {
  const seconds = view.getUint32(at);
  const era = seconds < secondsOfAnEra / 2 ? secondsOfAnEra : 0;
  return (seconds + era - secondsFrom1900) * 1000 + (view.getUint32(at + 4) / secondsOfAnEra) * 1000;
}

/** A server that does not want to answer says why with four letters. */
function kissOfDeath(code: Uint8Array): Reply {
  const letters = String.fromCharCode(...code);
  if (letters === 'RATE') return { kind: 'slower' };
  if (letters === 'DENY' || letters === 'RSTR') {
    return { kind: 'refused', reason: `the server refuses access (${letters})` };
  }
  return none(`the server gives no time (${/^[A-Z]{4}$/.test(letters) ? letters : 'without a reason'})`);
}

function none(reason: string): Reply {
  return { kind: 'none', reason };
}
