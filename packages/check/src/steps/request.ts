import { type LoginLevel, statusMessage } from '@azimuth/model';
import { type Json, type Matcher, type Mismatch, mismatch, shown } from '../match/matcher.js';
import { type HttpAnswer, HttpExchange, type HttpRequest } from '../wire/http-exchange.js';
import { jsonIn } from '../wire/json-answer.js';
import { asCurl } from './as-curl.js';
import { headerFor, type LoginPlan } from './login.js';
import { filledIn, partAt, saveParts, withSaved } from './saved-values.js';
import { NotTestable, passwordOf, type StepContext, targetUrl, Unmet, usualTimeout } from './step-context.js';

/** What an answer is expected to be. Only what is stated is compared. */
export interface AnswerExpectation {
  /** `header.status`, one of these. */
  readonly status?: number | readonly number[];
  /** Status of HTTP, one of these. 200 by default if `status` is stated. */
  readonly http?: number | readonly number[];
  /** `data` of the envelope. */
  readonly data?: Matcher;
  /** The whole JSON body. */
  readonly body?: Matcher;
  /** The whole body as text, for what is not JSON. */
  readonly text?: Matcher;
  /** Headers of HTTP by their names in lower case. */
  readonly headers?: Readonly<Record<string, Matcher>>;
}

/** One HTTP request. */
export interface RequestStep {
  readonly kind: 'request';
  readonly method: string;
  /** Path under `/api/`, or from the first slash on. `{NAME}` stands for a saved text. */
  readonly path: string;
  /** Undefined for a request without a `header`. */
  readonly login?: LoginPlan;
  /** HTTP Basic with the password of a level, or another one; `user` in place of the name of the level. */
  readonly basic?: { readonly level: LoginLevel; readonly user?: string; readonly password?: string };
  /** `data` of the body. */
  readonly data?: Json;
  /** The whole body in place of `header` and `data`: a text is sent as it is, anything else as JSON. */
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, Json>>;
  /** HTTPS in place of the address of the target. */
  readonly over?: 'https';
  readonly expect: AnswerExpectation;
  /** What the request is about, in front of the place of a failure: `EtherIPAddress[3]`. */
  readonly about?: string;
  /** The case is not tested if the answer is otherwise, for this reason. */
  readonly requires?: string;
  /** Parts of the JSON body to save, by the name under which they are saved: `{ before: 'data.LocationName' }`. */
  readonly save?: Readonly<Record<string, string>>;
}

/** What may differ from a plain request. */
export type RequestOptions = Partial<Omit<RequestStep, 'kind' | 'method' | 'path' | 'expect'>>;

/** Reads a variable. */
export function get(path: string, expect: AnswerExpectation, options: RequestOptions = {}): RequestStep {
  return { kind: 'request', method: 'GET', path, ...options, expect };
}

/** Sends a POST, by default without a login. */
export function post(path: string, expect: AnswerExpectation, options: RequestOptions = {}): RequestStep {
  return { kind: 'request', method: 'POST', path, ...options, expect };
}

/** Writes a variable with a login. */
export function write(
  name: string,
  value: Json,
  expect: AnswerExpectation = { status: 0 },
  options: RequestOptions = {},
): RequestStep {
  return post(name, expect, { login: { level: 'Service' }, data: { [name]: value }, ...options });
}

/** Calls a method with a login. */
export function call(
  name: string,
  data: Json | undefined,
  expect: AnswerExpectation = { status: 0 },
  options: RequestOptions = {},
): RequestStep {
  return post(name, expect, {
    login: { level: 'Service' },
    ...(data === undefined ? {} : { data }),
    ...options,
  });
}

/** @throws Unmet, NotTestable, NoAnswer */
export async function performRequest(step: RequestStep, context: StepContext): Promise<void> {
  const request = await requestOf(step, context);
  const http = step.over === undefined ? context.http : secureExchange(context);
  const answer = await http.send(request);
  const byHand = [asCurl(http.origin, request, step.login !== undefined)];
  try {
    const json = checkedAnswer(step.expect, answer, context, byHand);
    saveParts(json, step.save, context);
  } catch (error) {
    throw error instanceof Unmet ? unmetStep(step, error) : error;
  }
}

function secureExchange(context: StepContext): HttpExchange {
  const { timeoutMs = usualTimeout } = context.target;
  const http = new HttpExchange(targetUrl('https', context), timeoutMs);
  context.closeAtEnd(() => http.close());
  return http;
}

/** Returns the JSON body of an answer that is as expected; undefined for another body. @throws Unmet */
export function checkedAnswer(
  expect: AnswerExpectation,
  answer: HttpAnswer,
  context: StepContext,
  byHand: readonly string[],
): unknown {
  const json = jsonIn(answer);
  const unmet = answerMismatch(expect, answer, json, context);
  if (unmet !== undefined) throw new Unmet(unmet, byHand);
  return json;
}

function unmetStep({ about, requires }: RequestStep, unmet: Unmet): Error {
  if (requires !== undefined) return new NotTestable(requires);
  if (about === undefined) return unmet;
  return new Unmet({ ...unmet.mismatch, at: `${about}: ${unmet.mismatch.at}` }, unmet.byHand);
}

async function requestOf(step: RequestStep, context: StepContext): Promise<HttpRequest> {
  const { saved } = context;
  const name = filledIn(step.path, saved);
  const path = name.startsWith('/') ? name : `/api/${name}`;
  const body = await bodyOf(step, path.replace(/^\/(api\/)?/, ''), context);
  const headers = Object.entries(step.headers ?? {}).map(
    ([key, value]) => [key, String(withSaved(value, saved))] as const,
  );
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const basic = basicHeader(step, context);
  return { method: step.method, path, headers: { ...type, ...basic, ...Object.fromEntries(headers) }, body };
}

function basicHeader({ basic }: RequestStep, context: StepContext): Readonly<Record<string, string>> {
  if (basic === undefined) return {};
  const { level, user = level, password = passwordOf(context, level) } = basic;
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`, 'latin1').toString('base64')}` };
}

async function bodyOf(
  step: RequestStep,
  endpoint: string,
  context: StepContext,
): Promise<string | undefined> {
  const { body, login, data } = step;
  if (typeof body === 'string') return body;
  if (body !== undefined) return JSON.stringify(withSaved(body, context.saved));
  if (login === undefined && data === undefined) return undefined;
  const header = login === undefined ? {} : { header: await headerFor(login, endpoint, context) };
  return JSON.stringify({
    ...header,
    ...(data === undefined ? {} : { data: withSaved(data, context.saved) }),
  });
}

function answerMismatch(
  expect: AnswerExpectation,
  answer: HttpAnswer,
  json: unknown,
  context: StepContext,
): Mismatch | undefined {
  const { status, http = status === undefined ? undefined : 200, data, body, text, headers = {} } = expect;
  if (http !== undefined) {
    const wrong = oneOf(http, answer.status, 'HTTP status', String);
    if (wrong !== undefined) return wrong;
  }
  if (status !== undefined) {
    if (json === undefined) return { at: 'body', expected: 'JSON', came: shown(answer.body.toString()) };
    const wrong = oneOf(status, partAt(json, 'header.status'), 'header.status', statusText);
    if (wrong !== undefined) return wrong;
  }
  const wrongHeader = Object.entries(headers)
    .map(([name, matcher]) => mismatch(matcher, answer.headers[name], `HTTP header ${name}`, context))
    .find((wrong) => wrong !== undefined);
  if (wrongHeader !== undefined) return wrongHeader;
  if (data !== undefined) {
    const wrong = mismatch(data, partAt(json, 'data'), 'data', context);
    if (wrong !== undefined) return wrong;
  }
  if (body !== undefined) {
    const wrong = mismatch(body, json, '', context);
    if (wrong !== undefined) return wrong;
  }
  return text === undefined ? undefined : mismatch(text, answer.body.toString(), 'body', context);
}

function oneOf(
  expected: number | readonly number[],
  value: unknown,
  at: string,
  text: (number: number) => string,
): Mismatch | undefined {
  const all = typeof expected === 'number' ? [expected] : expected;
  if (all.some((one) => one === value)) return undefined;
  const came = typeof value === 'number' ? text(value) : shown(value);
  return { at, expected: all.map(text).join(' or '), came };
}

function statusText(code: number): string {
  const message = statusMessage(code);
  return message === undefined ? String(code) : `${code} (${message})`;
}
