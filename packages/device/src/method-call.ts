import { Fault, type Method, reaches } from '@azimuth/model';
import type { Caller } from './access/access.js';
import type { Performed } from './feature.js';
import type { Log } from './interfaces/log.js';

/** What a call answers, and what is to happen once the answer is out. */
export interface Answer {
  readonly response: unknown;
  readonly afterwards?: () => void;
}

/**
 * May this caller call it? Asked first of all, so that nothing is read of what comes from somebody who may not.
 * @throws Fault 4 for too low a level.
 */
export function admitCall({ facts: { level } }: Method<unknown, unknown>, caller: Caller): void {
  const needed = level === 'open' ? 'Run' : level === 'login' ? 'Maintenance' : level;
  if (!reaches(caller.level, needed)) throw new Fault('accessDenied', '', `${needed} is needed`);
}

/**
 * Calls a method with the members of its request as JSON. The answer is there at once, unless the method waits for
 * something.
 * @throws Fault 4 for too low a level, then what is wrong with the request, then what the method refuses.
 */
export function callMethod(
  method: Method<unknown, unknown>,
  perform: Performed['perform'],
  request: unknown,
  caller: Caller,
  log: Log,
): Answer | Promise<Answer> {
  const { level } = method.facts;
  admitCall(method, caller);
  const acts: (() => void)[] = [];
  const answered = (response: unknown): Answer => {
    // Whoever calls what needs no login must not be able to fill the log, here or below.
    if (level !== 'open') log.info('A method was called', { method: method.name, userLevel: caller.level });
    return acts.length === 0 ? { response } : { response, afterwards: () => doAll(acts) };
  };
  const failed = (error: unknown): never => {
    if (level !== 'open' && error instanceof Fault && error.status === 'internalServerError') {
      log.error('A method failed', { method: method.name, reason: error.message });
    }
    throw error;
  };
  try {
    const response = perform(request === undefined ? {} : request, {
      caller,
      log,
      afterwards: (then) => acts.push(then),
    });
    return response instanceof Promise ? response.then(answered, failed) : answered(response);
  } catch (error) {
    return failed(error);
  }
}

function doAll(acts: readonly (() => void)[]): void {
  for (const act of acts) act();
}
