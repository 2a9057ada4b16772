/**
 * The statuses of a reply (`header.status`) with their messages: the specification's table of errors.
 * HTTP stays 200 for all of them.
 */
export const statuses = {
  ok: { code: 0, message: 'Ok' },
  parsingFailed: { code: 1, message: 'Parsing Failed' },
  invalidData: { code: 2, message: 'Invalid Data' },
  internalServerError: { code: 3, message: 'Internal Server Error' },
  accessDenied: { code: 4, message: 'Access Denied' },
  notFound: { code: 5, message: 'Not Found' },
  outOfRange: { code: 6, message: 'Out Of Range' },
  outOfBounds: { code: 7, message: 'Out Of Bounds' },
  readOnly: { code: 8, message: 'Read Only' },
  illegalValue: { code: 9, message: 'Illegal Value' },
  invalidChallenge: { code: 10, message: 'Invalid Challenge' },
  outOfConnections: { code: 11, message: 'Out Of Connections' },
} as const;

/** The name of a status, as this code base speaks of it. */
export type Status = keyof typeof statuses;

const messages = new Map<number, string>(Object.values(statuses).map(({ code, message }) => [code, message]));

/** The message that belongs to a status number; undefined for a number that the specification does not know. */
export function statusMessage(code: number): string | undefined {
  return messages.get(code);
}
