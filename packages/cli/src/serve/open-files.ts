import { readFileSync } from 'node:fs';

/** Files that a scanner has open beside its connections: data streams with their clients, and connections that wait for a refusal. */
const spare = 184;

/** With fewer connections a scanner is of no use. */
const leastConnections = 8;

/** What the modules of a command need while they are loaded. */
const filesOfCommand = 64;

/** How many connections this process can have open; undefined where the system does not tell. */
export function affordableConnections(): number | undefined {
  const files = openFilesAllowed();
  return files === undefined ? undefined : Math.max(1, files - spare);
}

/**
 * Why a command cannot be begun in a process that may have so few files open; undefined where it can, and where the
 * system does not tell. Node has raised the limit as far as it may by itself.
 */
export function shortageOfFiles([command]: readonly string[]): string | undefined {
  const found = openFilesAllowed();
  const needed = command === 'serve' ? spare + leastConnections : filesOfCommand;
  if (found === undefined || found >= needed) return undefined;
  return (
    `this process may have only ${found} files and connections open, and needs ${needed}: raise the limit, ` +
    'with ulimit -n 2048, LimitNOFILE=2048 (systemd) or --ulimit nofile=2048 (containers)'
  );
}

function openFilesAllowed(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
