import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Device, Log } from '@azimuth/device';
import type { FileEndpoint } from '@azimuth/model';

/** A request for a file, under a verb that the file has and with the session token that it needs. */
export interface Transfer {
  readonly device: Device;
  readonly file: FileEndpoint;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** For what is to be told of this request: its lines carry what leads back to it. */
  readonly log: Log;
}

/** Answers a transfer, and reads the request to its end or closes the connection. */
export type Handler = (transfer: Transfer) => Promise<void>;
