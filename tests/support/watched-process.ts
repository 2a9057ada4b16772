import { readdirSync, readFileSync } from 'node:fs';
import type { ScannerProcess } from './scanner-process.js';

/** Bytes of memory that a process has resident. */
export function residentBytes({ pid }: ScannerProcess): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}

export function openFiles({ pid }: ScannerProcess): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** A value in the metrics of a scanner; NaN where there is none of that name. */
export async function metric(scanner: ScannerProcess, name: string): Promise<number> {
  const { text } = await scanner.client().send({ method: 'GET', path: '/metrics' });
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
}
