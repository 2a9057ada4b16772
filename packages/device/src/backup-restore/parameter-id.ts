import { hash } from 'node:crypto';

/** What a backup calls a parameter beside its name: the first eight hex digits of the SHA-256 of the name. */
export function parameterId(name: string): string {
  return hash('sha256', name).slice(0, 8);
}
