import { createSocket } from 'node:dgram';
import { type Clock, isOfOneDevice, type Random, type TimeAnswer } from '@azimuth/device';
import { asWritten } from '../network/as-written.js';
import { contained } from '../network/contained-emitter.js';
import { type Reply, replyIn, requestWith, stampSize } from './packet.js';

/** ms: so long an answer is waited for. */
export const patience = 2000;

/** ms: what a number of ms since 1970 is exact to. */
const resolution = 0.001;

interface Options {
  readonly clock: Clock;
  readonly random: Random;
  /** The UDP port that the server is asked at. */
  readonly port: number;
}

/**
 * Asks a time server once, over UDP. What is no answer to the request is passed over; where no answer comes in time, it
 * is what is told. The socket is closed when the promise is fulfilled.
 */
export function askTime(
  { clock, random, port }: Options,
  address: readonly number[],
  signal: AbortSignal,
): Promise<TimeAnswer> {
  const host = address.join('.');
  if (!isOfOneDevice(address))
    return Promise.resolve({ kind: 'none', reason: `${host} is no address of a server` });
  return new Promise((resolve) => {
    const cookie = random.bytes(stampSize);
    const socket = contained(createSocket({ type: 'udp4', lookup: asWritten }), (error) =>
      end({ kind: 'none', reason: `the answer of ${host} cannot be used: ${String(error)}` }),
    );
    let asked = Number.NaN;
    let isOver = false;
    let reason = `${host} has not answered within ${patience / 1000} s`;
    const cancel = clock.after(patience, () => end({ kind: 'none', reason }));
    const breakOff = () => end({ kind: 'none', reason: 'nobody waits for the answer any more' });

    function end(answer: TimeAnswer): void {
      if (isOver) return;
      isOver = true;
      cancel();
      socket.close();
      resolve(answer);
    }

    socket.on('error', (error) => end({ kind: 'none', reason: `${host} cannot be asked: ${error.message}` }));
    socket.on('message', (packet) => {
      const took = clock.monotonic() - asked;
      const reply = replyIn(packet, cookie);
      if (reply.kind === 'strange') reason = reply.reason;
      else end(answerOf(reply, clock.utc(), took));
    });
    if (signal.aborted) return breakOff();
    signal.addEventListener('abort', breakOff);
    // Connected, so that only what comes from this address and port is heard, and refusals are. A callback of `connect`
    // would be called with its failure too, in place of the event 'error'.
    socket.once('connect', () => {
      asked = clock.monotonic();
      socket.send(requestWith(cookie));
    });
    socket.connect(port, host);
  });
}

/** @param now the UTC (ms) of the scanner's clock as the answer came, `took` ms after the request had left. */
function answerOf(reply: Exclude<Reply, { kind: 'strange' }>, now: number, took: number): TimeAnswer {
  if (reply.kind !== 'time') return reply;
  const { received, sent, stratum } = reply;
  const kept = sent - received;
  if (kept > took + resolution) {
    return {
      kind: 'none',
      reason: `the server says that it kept the request for ${Math.round(kept)} ms, longer than all took`,
    };
  }
  // The way back takes as long as the way there, as far as anybody can know.
  const ahead = (received - (now - took) + (sent - now)) / 2;
  const roundTrip = Math.max(0, Math.round((took - kept) * 1000) / 1000);
  return { kind: 'time', ahead, roundTrip, stratum };
}
