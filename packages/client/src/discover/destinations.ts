import { networkInterfaces } from 'node:os';

/**
 * Where to ask for scanners: every network of this computer, and this computer itself (on some systems loopback takes no
 * broadcasts).
 */
export function everywhere(): readonly string[] {
  const networks = Object.values(networkInterfaces())
    .flatMap((interfaces) => interfaces ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address, netmask }) => broadcastOf(address, netmask));
  return [...new Set(['255.255.255.255', ...networks, '127.255.255.255', '127.0.0.1'])];
}

/** The addresses of this computer in all of its networks. */
export function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces())
    .flatMap((interfaces) => interfaces ?? [])
    .filter(({ family }) => family === 'IPv4')
    .map(({ address }) => address);
}

/** The address of all devices in the network of this one; both as text. */
export function broadcastOf(address: string, netmask: string): string {
  const mask = netmask.split('.').map(Number);
  return address
    .split('.')
    .map((byte, i) => (Number(byte) | ~(mask[i] ?? 0)) & 255)
    .join('.');
}
