import { constants } from 'node:crypto';
import { Server } from 'node:https';
import type { Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import type { CertificateBundle } from '@azimuth/device';
import {
  httpOptions,
  type TakesUpgrade,
  type Timeouts,
  usualTimeouts,
  withoutOptions,
} from '../http/http-server.js';

/** TLS 1.3, and of TLS 1.2 what has forward secrecy and authenticated encryption. */
const ciphers = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/** How connections are encrypted from now on. All of it each time: node keeps nothing of what it had before. */
export function secureContextOf(bundle: CertificateBundle): SecureContextOptions {
  return {
    cert: bundle.certificatesPem,
    key: bundle.privateKeyPem(),
    minVersion: 'TLSv1.2',
    ciphers,
    // Nobody needs another handshake on the same connection, and each costs us more than the client.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  };
}

/** A server that also closes connections whose handshake is under way: node's counts those that speak HTTP already. */
class WholeServer extends Server {
  readonly #connections = new Set<Socket>();

  watch(): this {
    this.on('connection', (connection: Socket) => {
      this.#connections.add(connection);
      connection.once('close', () => this.#connections.delete(connection));
    });
    return this;
  }

  override closeAllConnections(): void {
    super.closeAllConnections();
    for (const connection of this.#connections) connection.destroy();
  }
}

/** The same server as for HTTP, behind TLS. A handshake may take as long as headers may. */
export function httpsServer(
  bundle: CertificateBundle,
  wishes: Partial<Timeouts> = {},
  takesUpgrade?: TakesUpgrade,
): Server {
  const timeouts = { ...usualTimeouts, ...wishes };
  const server = new WholeServer({
    ...httpOptions(timeouts, takesUpgrade),
    ...secureContextOf(bundle),
    handshakeTimeout: timeouts.headers,
    ALPNProtocols: ['http/1.1'],
    // As node:http has it: who sends no more may still wait for answers.
    allowHalfOpen: true,
  });
  return withoutOptions(server.watch(), timeouts);
}
