import type { IncomingMessage } from 'node:http';

const long = new WeakSet<IncomingMessage>();

/**
 * The body of this request may take longer than others: whoever receives it watches its pace. Node tells of an overdue
 * request once, and does not look at it again.
 */
export function allowLong(request: IncomingMessage): void {
  long.add(request);
}

export function isLong(request: IncomingMessage): boolean {
  return long.has(request);
}
