/** Reasons why a fleet, or a part of it, refuses a request or a WebSocket. */
export const refusals = {
  starting: 'The fleet is starting.',
  ending: 'This port ends.',
  foreign: 'This host name or page may not use this scanner: see --allowed-host and --allowed-origin.',
  full: 'Too many connections are open at this port.',
  noWebSocket: 'No WebSocket is here.',
  unknown: 'This fleet has no scanner with this serial number.',
  elsewhere: 'This worker does not run the scanner.',
  worker: 'This is a worker of a fleet: ask a gateway.',
  waiting: 'No worker runs this scanner now. It is started again as soon as one is free.',
  busy: 'The worker of this scanner has too many requests that it has not answered yet.',
  unsigned:
    'The worker of this scanner does not accept the key of this gateway. The same AZIMUTH_FLEET_KEY, and clocks that differ by less than 60 s, are needed on both.',
  unreachable: (reason: string) => `The worker of this scanner cannot be reached: ${reason}`,
  silent: (serial: string, reason: string) => `The scanner ${serial} does not answer: ${reason}`,
};

/** Returns the message of an error, for a response. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
