import { readFileSync } from 'node:fs';

/** Files that a scanner has open beside its connections: data streams with their clients, and connections that wait for a refusal. */
const spare = 184;

/** How many connections this process can have open; undefined where the system does not tell. */
export function affordableConnections(): number | undefined {
  const files = openFilesAllowed();
  return files === undefined ? undefined : Math.max(1, files - spare);
}

function openFilesAllowed(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
