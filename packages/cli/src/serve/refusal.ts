import { getSystemErrorMap } from 'node:util';
import { DowngradeRefused, FolderInUse } from '@azimuth/device';
import { Fault } from '@azimuth/model';
import { PortTaken } from '@azimuth/server';

/** Calls of the system that belong to ports, whose errors name what they are about. */
const portCalls: readonly unknown[] = ['listen', 'bind', 'getaddrinfo'];

/**
 * Why a scanner with this folder cannot be started, as far as that is a matter for a person; undefined for an error
 * of ours.
 */
export function refusalOf(error: unknown, folder: string): string | undefined {
  if (error instanceof PortTaken || error instanceof FolderInUse || error instanceof DowngradeRefused)
    return error.message;
  if (error instanceof Fault && error.status === 'internalServerError') return `${folder}: ${error.reason}`;
  if (!(error instanceof Error && 'syscall' in error)) return undefined;
  if (portCalls.includes(error.syscall)) return error.message;
  const known = 'errno' in error && typeof error.errno === 'number' ? error.errno : 0;
  const [code, text] = getSystemErrorMap().get(known) ?? [];
  return `${folder}: ${code === undefined ? error.message : `${text} (${code})`}`;
}
