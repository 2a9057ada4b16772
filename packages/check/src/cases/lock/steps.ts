import type { LoginLevel } from '@azimuth/model';
import { call, type LoginPlan, pause, post, repeat, type Step } from '../../steps/index.js';
import { challenge } from '../auth/challenge.js';

/** Failed logins at a level. */
export function failures(times: number, level: LoginLevel = 'Service', plan: Partial<LoginPlan> = {}): Step {
  return repeat(
    times,
    post('checkCredentials', { status: 4 }, { login: { level, password: 'not the password', ...plan } }),
  );
}

/** getChallenge is refused: logins are locked. */
export const locked = challenge('Service', { status: 4 });

/** getChallenge is answered: logins are not locked. */
export const notLocked = challenge('Service', { status: 0 });

/** Steps that end a lock, and clear the counts. */
export const unlock: readonly Step[] = [pause(31), call('checkCredentials', undefined)];

/** A challenge of Service, fetched before the lock. */
export const earlier = (name: string) => challenge('Service', { status: 0 }, { [name]: 'challenge' });
