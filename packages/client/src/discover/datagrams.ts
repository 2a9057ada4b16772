import { randomBytes } from 'node:crypto';
import type { NetworkConfiguration, SearchForm } from './found-scanner.js';

const search = 0x10;
const change = 0x11;
const everybody = Buffer.alloc(6, 0xff);

export const headerBytes = 16;

/** A request, and the id that its answers repeat. */
export interface SearchRequest {
  readonly id: Buffer;
  readonly datagram: Buffer;
}

/**
 * Asks every scanner. Host and mask are of whoever asks; no scanner that we know looks at them.
 */
export function searchRequest(): SearchRequest {
  return request(search, everybody, Buffer.alloc(8));
}

/** Asks one scanner to take another configuration. */
export function changeRequest(mac: string, wish: NetworkConfiguration, form: SearchForm): SearchRequest {
  const body = form === 'xml' ? xmlWish(mac, wish) : taggedWish(wish);
  return request(change, Buffer.from(mac.replaceAll(':', ''), 'hex'), body);
}

function request(telegram: number, mac: Buffer, body: Buffer): SearchRequest {
  const id = randomBytes(4);
  const start = Buffer.of(telegram, 0, body.length >> 8, body.length & 0xff);
  return { id, datagram: Buffer.concat([start, mac, id, Buffer.of(1, 0), body]) };
}

function taggedWish({ address, mask, gateway, dhcp }: NetworkConfiguration): Buffer {
  const quads = [address, mask, gateway].flatMap((text) => text.split('.').map(Number));
  return Buffer.of(...quads, dhcp ? 1 : 0);
}

function xmlWish(mac: string, { address, mask, gateway, dhcp }: NetworkConfiguration): Buffer {
  const items = Object.entries({
    IPAddress: address,
    IPMask: mask,
    IPGateway: gateway,
    DHCPClientEnabled: dhcp ? 'TRUE' : 'FALSE',
  }).map(([key, value]) => `<Item key="${key}" value="${value}"/>`);
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><IPconfig MACAddr="${mac}">${items.join('')}</IPconfig>`,
  );
}
