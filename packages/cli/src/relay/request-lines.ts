import type { RequestPassed, ResponsePassed } from '@azimuth/bridge/timeline';
import { counted } from '@azimuth/model';

/** Requests without a response yet that are remembered. There are never that many: each connection has one. */
const mostRequests = 4096;

/** A request with its response. */
export interface ShownRequest {
  readonly json: object;
  readonly line: string;
  /** Time of the response: µs since 1970. */
  readonly at: number;
}

interface Asked extends Pick<RequestPassed, 'at' | 'method' | 'path'> {
  /** Bytes of its body. */
  readonly sent: number;
}

/** Puts requests and their responses together: each is one line. */
export class RequestLines {
  /** Without bodies, which may be long. */
  readonly #requests = new Map<number, Asked>();

  begin(request: RequestPassed): void {
    const { id, at, method, path } = request;
    if (this.#requests.size < mostRequests)
      this.#requests.set(id, { at, method, path, sent: bytesOf(request) });
  }

  /** Returns what is shown of a response and its request. Bodies may have secrets: only their size is told. */
  end(response: ResponsePassed): ShownRequest | undefined {
    const request = this.#requests.get(response.id);
    if (request === undefined) return undefined;
    this.#requests.delete(response.id);
    const { method, path, sent } = request;
    const { id, status, isBrokenOff, at } = response;
    const milliseconds = Math.round((at - request.at) / 100) / 10;
    const bytes = bytesOf(response);
    const outcome = status === undefined ? 'no response' : `HTTP ${status}`;
    const more = isBrokenOff === true ? '  broken off' : '';
    return {
      at,
      json: { kind: 'request', id, method, path, sent, status, milliseconds, bytes, isBrokenOff },
      line: `${method} ${path}  ${outcome}  ${milliseconds} ms  ${counted(bytes, 'byte')}${more}`,
    };
  }
}

function bytesOf({ body, unkept }: RequestPassed | ResponsePassed): number {
  return unkept?.length ?? body.length;
}
