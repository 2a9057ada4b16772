import { isObject } from '@azimuth/model';
import { type Json, shown } from '../match/matcher.js';
import { type HttpAnswer, HttpExchange, NoAnswer } from '../wire/http-exchange.js';
import { jsonIn } from '../wire/json-answer.js';
import { saveParts, withSaved } from './saved-values.js';
import { NotTestable, type StepContext } from './step-context.js';

/** One request to the control port of a simulation, or to hardware that injects faults: it is no part of the scanner. */
export interface ControlStep {
  readonly kind: 'control';
  readonly method: 'GET' | 'POST';
  /** Path behind the URL of the control port: `faults/clear`. */
  readonly path: string;
  readonly body?: Json;
  /** Parts of the response to save, by the name under which they are saved. */
  readonly save?: Readonly<Record<string, string>>;
}

/** Sends a command to the control port. */
export function control(path: string, body: Json = {}): ControlStep {
  return { kind: 'control', method: 'POST', path, body };
}

/** Asks the control port, and saves parts of its response. */
export function askControl(path: string, save: Readonly<Record<string, string>>): ControlStep {
  return { kind: 'control', method: 'GET', path, save };
}

/** Longest time of an answer in ms, if the target does not state one. */
const usualTimeout = 5000;

/** @throws NotTestable if there is no control port, or if it cannot do this: nothing is wrong with the scanner then */
export async function performControl(step: ControlStep, context: StepContext): Promise<void> {
  const { target, saved } = context;
  if (target.control === undefined) throw new NotTestable('needs a control port that injects faults');
  const port = new HttpExchange(target.control, target.timeoutMs ?? usualTimeout);
  const base = new URL(target.control).pathname.replace(/\/$/, '');
  const path = `${base}/${step.path}`;
  const body = step.body === undefined ? undefined : JSON.stringify(withSaved(step.body, saved));
  try {
    const answer = await port.send({
      method: step.method,
      path,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body,
    });
    if (answer.status !== 200) throw new NotTestable(refusal(path, answer));
    saveParts(jsonIn(answer), step.save, context);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    throw new NotTestable(`the control port does not answer ${path}: ${error.message}`);
  } finally {
    port.close();
  }
}

function refusal(path: string, answer: HttpAnswer): string {
  if (answer.status === 404) return `the control port has no ${path}`;
  const json = jsonIn(answer);
  const reason = isObject(json) && typeof json.error === 'string' ? json.error : answer.body.toString();
  return `the control port refuses ${path}: ${shown(reason)}`;
}
