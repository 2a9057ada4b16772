import { isObject } from '@azimuth/model';
import { jsonIn } from '../wire/json-answer.js';
import { partAt } from './saved-values.js';
import type { StepContext } from './step-context.js';

/** The answer to a read of a variable. */
interface PresentValue {
  /** Undefined if the answer has no value of this name. */
  readonly value: unknown;
  /** The answer as it came. */
  readonly came: string;
}

/** Reads a variable whose value stands under its name. @throws NoAnswer */
export async function presentValue(name: string, { http }: Pick<StepContext, 'http'>): Promise<PresentValue> {
  const answer = await http.get(`/api/${name}`);
  const data = partAt(jsonIn(answer), 'data');
  const value = isObject(data) && Object.hasOwn(data, name) ? data[name] : undefined;
  return { value, came: answer.body.toString() };
}
