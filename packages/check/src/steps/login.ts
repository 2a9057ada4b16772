import { credentials } from '@azimuth/client';
import { type Challenge, isObject, type LoginLevel } from '@azimuth/model';
import type { Json } from '../match/matcher.js';
import { shown } from '../match/matcher.js';
import { jsonIn } from '../wire/json-answer.js';
import { partAt, withSaved } from './saved-values.js';
import { passwordOf, type StepContext, Unmet } from './step-context.js';

/** How a POST proves a password: with a challenge for this level, and what is wrong with it, if anything. */
export interface LoginPlan {
  readonly level: LoginLevel;
  /** The challenge that a step has saved under this name; a new one by default. */
  readonly challenge?: string;
  /** Another password than the level's. */
  readonly password?: string;
  /** Another endpoint in the hash than that of the request. */
  readonly endpoint?: string;
  /** True if the hash leaves the salt out. */
  readonly unsalted?: true;
  /** Members of the header that are written in capital letters. */
  readonly capitals?: readonly string[];
  /** Members of the header that are replaced after the response was computed. null takes a member away. */
  readonly header?: Readonly<Record<string, Json>>;
}

/** Makes the header of a POST. @throws NotTestable, Unmet if the scanner gives no challenge */
export async function headerFor(
  plan: LoginPlan,
  endpoint: string,
  context: StepContext,
): Promise<Record<string, unknown>> {
  const { level, unsalted, header = {} } = plan;
  const password = plan.password ?? passwordOf(context, level);
  const challenge =
    plan.challenge === undefined
      ? await newChallenge(level, context)
      : challengeIn(context.saved.get(plan.challenge));
  const answered = unsalted === true ? { ...challenge, salt: [] } : challenge;
  const made: Record<string, unknown> = {
    ...credentials(answered, level, password, plan.endpoint ?? endpoint),
  };
  for (const [name, value] of Object.entries(header)) {
    if (value === null) delete made[name];
    else made[name] = withSaved(value, context.saved);
  }
  for (const name of plan.capitals ?? []) made[name] = String(made[name]).toUpperCase();
  return made;
}

/** @throws Unmet if the scanner gives no challenge */
export async function newChallenge(level: LoginLevel, { http }: StepContext): Promise<Challenge> {
  const answer = await http.send({
    method: 'POST',
    path: '/api/getChallenge',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: { user: level } }),
  });
  return challengeIn(partAt(jsonIn(answer), 'challenge'), answer.body.toString());
}

/** @throws Unmet for anything that no login can answer */
function challengeIn(json: unknown, came: unknown = json): Challenge {
  const { realm, nonce, opaque, salt = [] } = isObject(json) ? json : {};
  const isText = (value: unknown): value is string => typeof value === 'string';
  const isByte = (value: unknown): value is number => typeof value === 'number';
  if (isText(realm) && isText(nonce) && isText(opaque) && Array.isArray(salt) && salt.every(isByte))
    return { realm, nonce, opaque, salt };
  throw new Unmet({ at: 'getChallenge', expected: 'a challenge', came: shown(came) });
}
