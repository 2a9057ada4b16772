import { isIP } from 'node:net';

/** Where cores connect: a UNIX socket, or a TCP port. */
export type SocketAddress =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number };

/** A wrong address, for the person who typed it. */
export class SocketAddressError extends Error {
  override readonly name = 'SocketAddressError';
}

/** Bytes of a path that fit into the address of a UNIX socket. */
const longestPath = 107;

/**
 * Reads `HOST:PORT`, `:PORT` for 127.0.0.1, or the path of a UNIX socket. A path that looks like a port begins with `./`.
 * @throws SocketAddressError
 */
export function parseSocketAddress(text: string): SocketAddress {
  const [, host, portText] = /^([^/]*):(\d+)$/.exec(text) ?? [];
  if (host === undefined) {
    if (text === '') throw new SocketAddressError('expected a path, or HOST:PORT');
    if (Buffer.byteLength(text) > longestPath)
      throw new SocketAddressError(`the path of a UNIX socket has at most ${longestPath} bytes`);
    return { kind: 'unix', path: text };
  }
  const port = Number(portText);
  if (port > 65_535) throw new SocketAddressError(`expected a port up to 65535, got ${portText}`);
  const plain = /^\[(.*)\]$/.exec(host)?.[1] ?? host;
  const address = plain === '' ? '127.0.0.1' : plain === 'localhost' ? '127.0.0.1' : plain;
  if (isIP(address) === 0)
    throw new SocketAddressError(`expected an IP address or localhost before the port, got ${host}`);
  return { kind: 'tcp', host: address, port };
}

export function isLoopback(host: string): boolean {
  return host.startsWith('127.') || host === '::1';
}

/** The address as `parseSocketAddress` reads it. */
export function addressText(address: SocketAddress): string {
  if (address.kind === 'unix') return address.path;
  return isIP(address.host) === 6 ? `[${address.host}]:${address.port}` : `${address.host}:${address.port}`;
}
