import type { ServerResponse } from 'node:http';
import { pause } from '@azimuth/async';
import { encodeDetail, type RequestContext, refuse, respondText } from '@azimuth/http';
import { detailHeader, Refusal } from '@azimuth/model';
import { KeptBody } from '../control/kept-body.js';
import { endToEndHeaders, isStatusOfResponse } from '../control/passed-headers.js';
import { RecordedExchange, type Recording } from '../control/recorded-exchange.js';
import { pathIn } from '../control/rest-forwarding.js';
import { nameIn, requestBody } from '../control/without-secrets.js';
import { RecordedAnswers } from './recorded-answers.js';
import type { Session } from './session.js';

/** What all parts of a session that is served share. */
export interface ServedFacts {
  readonly session: Session;
  readonly recording: Recording;
  /** Tells that something is not in the session. @returns the same for people */
  readonly missing: (of: string) => string;
}

/** Headers that do not hold for a body that is written anew, and those that stand for secrets. */
const rewritten = new Set(['content-length', 'set-cookie']);

/** Serves the responses of a session over HTTP. */
export class ServedRest {
  readonly answers: RecordedAnswers;
  readonly #facts: ServedFacts;

  constructor(facts: ServedFacts) {
    this.#facts = facts;
    this.answers = new RecordedAnswers(facts.session.entries);
  }

  /** Responds to a request. Fulfilled when the response is sent, or the program has closed its connection. */
  async serve(context: RequestContext, response: ServerResponse): Promise<void> {
    const { request } = context;
    const { recording } = this.#facts;
    const path = pathIn(request);
    const { method = 'GET' } = request;
    const exchange = new RecordedExchange(recording, request, path);
    const kept = new KeptBody(recording.room);
    request.on('data', (piece: Buffer) => kept.add(piece));
    exchange.follow(request);
    const isComplete = await new Promise<boolean>((resolve) => {
      request.once('end', () => resolve(true)).once('close', () => resolve(request.complete));
    });
    const body = requestBody(method, path, kept);
    if (!isComplete || response.headersSent) {
      exchange.end();
      return;
    }
    const answer = this.answers.next({ method, path, ...body, isUpgrade: false });
    if (answer === undefined) {
      this.#refuse(exchange, path, response, this.#facts.missing(`request ${method} ${path}`));
      return;
    }
    const closed = new AbortController();
    response.once('close', () => closed.abort());
    await pause(answer.delay, closed.signal);
    if (closed.signal.aborted) exchange.end();
    else this.#respond(exchange, `${method} ${path}`, path, response, answer.response);
  }

  #respond(
    exchange: RecordedExchange,
    asked: string,
    path: string,
    response: ServerResponse,
    { status, headers, body, unkept, isBrokenOff }: Parameters<typeof sendRecorded>[1],
  ): void {
    if (status === undefined || !isStatusOfResponse(status)) {
      exchange.answered(undefined, [], body);
      respondText(response, 502, `In the session ${this.#facts.session.path}, the scanner did not answer.`);
    } else if (unkept !== undefined) {
      this.#refuse(exchange, path, response, this.#facts.missing(`body of the response to ${asked}`));
    } else {
      exchange.answered(status, headers, body);
      sendRecorded(response, { status, headers, body, isBrokenOff });
    }
  }

  /** Refuses with status 3, which no program takes for what it has asked. Outside of the interface, it is HTTP 404. */
  #refuse(exchange: RecordedExchange, path: string, response: ServerResponse, why: string): void {
    if (nameIn(path) === undefined) {
      exchange.answered(404, [], Buffer.from(why));
      respondText(response, 404, why);
      return;
    }
    const refusal = new Refusal('internalServerError', '', why);
    exchange.answered(200, [detailHeader, encodeDetail(why)], Buffer.from(why));
    refuse(response, refusal);
  }
}

/** Sends a response as it was recorded. One that was broken off is broken off again. */
function sendRecorded(
  response: ServerResponse,
  recorded: {
    readonly status: number | undefined;
    readonly headers: readonly string[];
    readonly body: Uint8Array;
    readonly unkept?: object | undefined;
    readonly isBrokenOff?: boolean | undefined;
  },
): void {
  const { status = 502, headers, body, isBrokenOff } = recorded;
  const isHead = response.req.method === 'HEAD';
  const passed: string[] = [];
  const all = endToEndHeaders(headers);
  for (let index = 0; index + 1 < all.length; index += 2) {
    const [name = '', value = ''] = [all[index], all[index + 1]];
    if (isHead || isBrokenOff === true || !rewritten.has(name.toLowerCase())) passed.push(name, value);
  }
  const hasBody = !isHead && status !== 204 && status !== 304;
  const length = hasBody && isBrokenOff !== true ? ['Content-Length', String(body.length)] : [];
  response.writeHead(status, [...passed, ...length]);
  if (isBrokenOff !== true) {
    response.end(hasBody ? body : undefined);
    return;
  }
  response.write(body, () => response.destroy());
}
