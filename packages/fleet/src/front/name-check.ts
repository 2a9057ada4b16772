import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type AllowedNames,
  CrossOrigin,
  faultOfHead,
  HostAndOrigin,
  headOf,
  refuseAndClose,
  replyForbidden,
} from '@azimuth/http';
import { Fault } from '@azimuth/model';

/** By which names the port of a fleet may be called, and from pages of which origins. */
export class NameCheck {
  readonly #hostAndOrigin: HostAndOrigin;
  readonly #crossOrigin: CrossOrigin | undefined;

  constructor(allowed: AllowedNames | undefined) {
    this.#hostAndOrigin = new HostAndOrigin(allowed);
    const { origins = [] } = allowed ?? {};
    this.#crossOrigin = origins.length === 0 ? undefined : new CrossOrigin(origins);
  }

  /** Why a request is foreign; undefined if it is not. */
  refusalOf(request: IncomingMessage): string | undefined {
    return this.#hostAndOrigin.refusalOf(request)?.why;
  }

  /**
   * Lets allowed pages read the answer.
   * @returns false if it has answered: HTTP forbids the request, it is foreign, or a browser only asks what it may
   */
  admits(request: IncomingMessage, response: ServerResponse): boolean {
    const head = headOf(request.rawHeaders);
    const fault = faultOfHead(request, head);
    if (fault !== undefined) {
      refuseAndClose(request, response, new Fault('parsingFailed', '', fault.why), fault.httpStatus);
      return false;
    }
    const refusal = this.#hostAndOrigin.refusalOf(request, head)?.why;
    if (refusal !== undefined) replyForbidden(response, refusal);
    else {
      this.#crossOrigin?.share(request, response);
      if (this.#crossOrigin?.answersPreflight(request, response) !== true) return true;
    }
    request.resume();
    return false;
  }
}
