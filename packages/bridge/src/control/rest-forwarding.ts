import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  failureBody,
  forward,
  forwardingFailure,
  type RequestContext,
  refuse,
  respondText,
} from '@azimuth/http';
import type { Refusal } from '@azimuth/model';
import type { UnservedRequest } from '@azimuth/server/faults';
import { responseTimeout } from './limits.js';
import { headersWithBody, headOfScanner } from './passed-headers.js';
import { RecordedExchange, type Recording } from './recorded-exchange.js';
import type { ScannerConnections } from './scanner-target.js';

/** Passes requests of programs to a scanner as they are, and its responses back. */
export class RestForwarding {
  readonly #scanner: ScannerConnections;
  readonly #recording: Recording;

  constructor(scanner: ScannerConnections, recording: Recording) {
    this.#scanner = scanner;
    this.#recording = recording;
  }

  /**
   * Passes a request on. Fulfilled when the program has its response, or has closed its connection. If the scanner does not
   * answer, the response is HTTP 502 with the reason as text, which no scanner sends.
   */
  async serve(context: RequestContext, response: ServerResponse): Promise<void> {
    const { request } = context;
    // The scanner sets the time limit of an upload.
    context.allowLong();
    const path = pathIn(request);
    const exchange = new RecordedExchange(this.#recording, request, path);
    const outgoing = this.#scanner.request(request.socket, () => !context.connection.isResponding, {
      method: request.method ?? 'GET',
      path,
      headers: headersWithBody(context),
    });
    outgoing.setTimeout(responseTimeout, () => outgoing.destroy(new Error('it has sent nothing for 60 s')));
    const inspect = (incoming: IncomingMessage) => {
      exchange.responds(incoming);
      if (incoming.headers.connection?.toLowerCase() === 'close') response.shouldKeepAlive = false;
      return undefined;
    };
    exchange.follow(request);
    try {
      await forward({ request, response, outgoing, headOf: headOfScanner, inspect });
    } catch (error) {
      // The scanner has closed a connection at the moment at which the program has used it, as without the relay.
      if (outgoing.reusedSocket && isLost(error)) request.socket.destroy();
      else
        respondText(
          response,
          502,
          `The relay gets no answer: ${this.#scanner.host}: ${forwardingFailure(error)}`,
        );
    } finally {
      exchange.end();
    }
  }

  /** Returns a request that the scanner does not get, because of a planned fault. */
  unserved({ request }: RequestContext, response: ServerResponse): UnservedRequest {
    const exchange = new RecordedExchange(this.#recording, request, pathIn(request));
    const answer = (refusal: Refusal, httpStatus: number) => {
      const { body, headers } = refusalBody(refusal);
      exchange.answered(httpStatus, headers, body);
      refuse(response, refusal, httpStatus);
    };
    return {
      refuse: answer,
      refuseAsTooMany: (refusal) => answer(refusal, 429),
      unanswered: () => exchange.end(),
    };
  }
}

function refusalBody({ status }: Refusal) {
  const { text, headers } = failureBody(status);
  return { body: Buffer.from(text), headers: headers.map(String) };
}

/** Returns the path that a program requests, with its query. */
export function pathIn({ url = '/' }: IncomingMessage): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*\/?/i, '/');
}

function isLost(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}
