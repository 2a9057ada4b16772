import { readFileSync } from 'node:fs';

/**
 * Number of open files of a scanner in addition to its connections: its own sockets and files, data streams with their
 * clients, and connections that wait to be refused. The program is one file, which is read before any other is opened.
 */
const spare = 184;

/** Minimum number of connections with which a scanner starts. */
const minConnections = 8;

/** Files and connections that a command of a client has open at the same time, with those of Node. */
const filesOfCommand = 64;

/** Returns the number of connections that this process can have open; undefined if the system does not report it. */
export function affordableConnections(): number | undefined {
  const files = openFilesAllowed();
  return files === undefined ? undefined : Math.max(1, files - spare);
}

/**
 * Returns the reason why this process may have too few files for a command; undefined if the limit is high enough, or
 * if the system does not report it. Node has already raised the limit as far as allowed.
 */
export function shortageOfFiles([command]: readonly string[]): string | undefined {
  const found = openFilesAllowed();
  const needed = command === 'serve' ? spare + minConnections : filesOfCommand;
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
