import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { pause } from '@azimuth/async';
import { CommandFailure } from '../command-failure.js';

/** Host and port of HTTPS of a scanner. */
export interface HttpsPlace {
  readonly host: string;
  readonly port: number;
}

/** The certificate of a scanner in a TLS handshake. */
export interface Presented {
  readonly certificate: X509Certificate;
  /** The reason why a client that trusts the authorities refuses it; undefined if it accepts it. */
  readonly refusal: string | undefined;
}

/** Longest time of a handshake (ms). */
const handshakeTimeout = 10_000;

/** Longest time of a scanner until it shows a certificate that it has accepted (ms). */
const longestWait = 30_000;

const lookAgainMs = 250;

/**
 * Looks at the certificate of a scanner in a TLS handshake. No request is sent.
 * @param authorities in PEM, the only ones that are trusted; none: those of Node
 * @returns undefined if nothing speaks TLS there
 */
export function presented(
  { host, port }: HttpsPlace,
  authorities?: readonly string[],
): Promise<Presented | undefined> {
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port,
      // The certificate is judged below.
      rejectUnauthorized: false,
      ...(isIP(host) > 0 ? {} : { servername: host }),
      ...(authorities === undefined ? {} : { ca: [...authorities], allowPartialTrustChain: true }),
    });
    const end = (result: Presented | undefined) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(result);
    };
    const timer = setTimeout(() => end(undefined), handshakeTimeout);
    socket.once('error', () => end(undefined));
    socket.once('close', () => end(undefined));
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerX509Certificate();
      const refusal = socket.authorized ? undefined : String(socket.authorizationError);
      end(certificate === undefined ? undefined : { certificate, refusal });
    });
  });
}

/**
 * Waits until a scanner shows a certificate, and clients that trust its authorities accept it.
 * @param waitMs how long it may take, 30 s by default
 * @throws CommandFailure that says what it shows instead
 */
export async function requirePresented(
  place: HttpsPlace,
  certificate: X509Certificate,
  authorities: readonly string[] | undefined,
  waitMs = longestWait,
): Promise<void> {
  const end = performance.now() + waitMs;
  for (;;) {
    const shown = await presented(place, authorities);
    const isShown = shown?.certificate.fingerprint256 === certificate.fingerprint256;
    if (isShown && shown.refusal === undefined) return;
    if (performance.now() > end || isShown) {
      const where = `${place.host}:${place.port}`;
      const instead =
        shown === undefined
          ? 'nothing speaks TLS there'
          : isShown
            ? `clients refuse it: ${shown.refusal}`
            : `it shows the one with the fingerprint ${shown.certificate.fingerprint256}`;
      throw new CommandFailure(
        `the scanner has accepted the certificate, but a TLS handshake with ${where} does not show it as valid: ${instead}`,
        'refused',
      );
    }
    await pause(lookAgainMs);
  }
}
