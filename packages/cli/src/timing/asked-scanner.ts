import type { Scanner } from '@azimuth/client';
import type { AskedScanner } from '@azimuth/client/timing';
import { extensionPrefix, extensions, isObject, TimeRole } from '@azimuth/model';

/** Asks a scanner what its clock follows, without a login. What it does not tell stays undefined. */
export async function askedScanner(scanner: Scanner): Promise<AskedScanner> {
  const read = (name: string) => scanner.readAny(name).catch(() => undefined);
  const [role, server, updateTime, state, serialNumber] = await Promise.all([
    read('TSCRole'),
    read('TSCTCSrvAddr'),
    read('TSCTCupdatetime'),
    read(`${extensionPrefix}${extensions.members.time.name}`),
    read('SerialNumber'),
  ]);
  const member = (name: string) => (isObject(state) ? state[name] : undefined);
  const synchronised = member('Synchronised');
  const fault = member('Fault');
  return {
    serialNumber: typeof serialNumber === 'string' && serialNumber !== '' ? serialNumber : undefined,
    follows: followed(role),
    synchronised: typeof synchronised === 'boolean' ? synchronised : undefined,
    server: role === TimeRole.TX_CLIENT && Array.isArray(server) ? server.join('.') : undefined,
    updateTime: role === TimeRole.TX_CLIENT && typeof updateTime === 'number' ? updateTime : undefined,
    fault: typeof fault === 'string' ? fault : undefined,
  };
}

function followed(role: unknown): AskedScanner['follows'] {
  if (role === TimeRole.TX_NONE) return 'nothing';
  if (role === TimeRole.TX_CLIENT) return 'time server';
  return role === TimeRole.TX_PTP_SLAVE ? 'PTP master' : undefined;
}

/** Returns what a scanner said last, of each value: while it boots, it says nothing. */
export function lastSaid(before: AskedScanner, after: AskedScanner): AskedScanner {
  const said = Object.entries(after).filter(([, value]) => value !== undefined);
  return { ...before, ...Object.fromEntries(said) };
}
