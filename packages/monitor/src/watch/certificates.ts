import { connect } from 'node:tls';
import { cybersecurity } from '@azimuth/model';
import { valueIn } from '../state/derived-values.js';
import { longestAnswer } from './reading.js';

const { certificateBundleInfo } = cybersecurity.members;

/** Returns until when all certificates of a bundle are valid, in ms since 1970; undefined if it has none. */
export function bundleValidUntil(values: ReadonlyMap<string, unknown>): number | undefined {
  const { certificates = [] } = valueIn(values, certificateBundleInfo) ?? {};
  return earliest(certificates.map(({ validNotAfter }) => Date.parse(validNotAfter)));
}

/** Returns the earliest of several times; undefined if there is none. */
export function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined && Number.isFinite(time));
  return known.length === 0 ? undefined : Math.min(...known.map(Number));
}

/**
 * Returns until when the certificate is valid that a server of HTTPS shows in the handshake, in ms since 1970. Nothing
 * is sent to the server, and nothing it shows is trusted. Undefined if there is no handshake in time.
 */
export function servedValidUntil(url: string, longestMs = longestAnswer): Promise<number | undefined> {
  const { hostname, port, protocol } = new URL(url);
  if (protocol !== 'https:') return Promise.resolve(undefined);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: port === '' ? 443 : Number(port),
      rejectUnauthorized: false,
      ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
    });
    const end = (until: number | undefined) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(until);
    };
    const timer = setTimeout(() => end(undefined), longestMs);
    socket.on('error', () => end(undefined));
    socket.on('close', () => end(undefined));
    socket.on('secureConnect', () => {
      const until = Date.parse(socket.getPeerCertificate().valid_to);
      end(Number.isNaN(until) ? undefined : until);
    });
  });
}
