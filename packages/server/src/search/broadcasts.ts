import { networkInterfaces } from 'node:os';
import { broadcastOf } from '@azimuth/device/device-search';

/**
 * Where broadcasts for a listener at this address go to. A socket at one address hears none of them on most systems; one
 * at 0.0.0.0 hears them all.
 */
export function broadcastsFor(address: string): readonly string[] {
  if (address === '0.0.0.0') return [];
  if (address.startsWith('127.')) return ['127.255.255.255'];
  const directed = Object.values(networkInterfaces())
    .flatMap((interfaces) => interfaces ?? [])
    .filter((at) => at.family === 'IPv4' && at.address === address)
    .map((at) => broadcastOf(bytesOf(at.address), bytesOf(at.netmask)).join('.'));
  return [...new Set([...directed, '255.255.255.255'])];
}

function bytesOf(address: string): readonly number[] {
  return address.split('.').map(Number);
}
