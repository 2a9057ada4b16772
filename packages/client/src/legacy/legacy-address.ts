import { legacyProtocols } from '@azimuth/model';
import type { Framing } from '@azimuth/telegrams/legacy';

const { EtherAuxIPPort, EtherHostIPPort } = legacyProtocols.members;

/** Address of a legacy interface, and its framing. */
export interface LegacyAddress {
  readonly host: string;
  readonly port: number;
  readonly framing: Framing;
}

/** The factory settings of the ports: EtherAuxIPPort and EtherHostIPPort. */
export const legacyPorts: Readonly<Record<Framing, number>> = {
  text: EtherAuxIPPort.type.initial,
  binary: EtherHostIPPort.type.initial,
};

const framings: Readonly<Record<string, Framing>> = { 'cola:': 'text', 'colab:': 'binary' };

/**
 * Parses `cola://HOST[:PORT]` (text, interface A) or `colab://HOST[:PORT]` (binary, interface B).
 * @throws TypeError if the text is not such an address, or continues after it.
 */
export function legacyAddress(text: string): LegacyAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const framing = framings[url?.protocol ?? ''];
  if (url === undefined || framing === undefined || url.hostname === '') {
    throw new TypeError(`expected cola://HOST[:PORT] or colab://HOST[:PORT], got "${text}"`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('the address of a scanner must not contain a user or a password');
  }
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') {
    throw new TypeError(`expected nothing after host and port, got "${text}"`);
  }
  if (url.port === '0') throw new TypeError(`expected a port of 1 to 65535, got "${text}"`);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return { host, port: url.port === '' ? legacyPorts[framing] : Number(url.port), framing };
}

/** Returns the address as a URL: `cola://192.168.0.1:2111`. */
export function legacyUrl({ host, port, framing }: LegacyAddress): string {
  const hostText = host.includes(':') ? `[${host}]` : host;
  return `${framing === 'text' ? 'cola' : 'colab'}://${hostText}:${port}`;
}
