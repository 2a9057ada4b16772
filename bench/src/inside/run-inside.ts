import { isObject } from '../json.js';
import { cores } from '../processes/children.js';
import { messageOf } from '../processes/message-of.js';
import { Collected } from '../result.js';

/** The figure of each task. */
export const perCall = 'µs a call';

/** Has a program measure its tasks in a process of its own. What it says of them comes in its order. */
export async function runInside(command: readonly string[]): Promise<Collected[]> {
  const message = await messageOf({ core: cores.server, command });
  if (!Array.isArray(message)) throw new Error('a list of what was measured was expected');
  return message.map(collect);
}

function collect(measured: unknown): Collected {
  if (!isObject(measured) || !Array.isArray(measured.microseconds)) throw new Error('figures were expected');
  const collected = new Collected(String(measured.subject), String(measured.condition));
  for (const value of measured.microseconds) collected.add({ [perCall]: Number(value) });
  return collected;
}

/** The one of a subject under a condition. @throws Error where nothing was told of it. */
export function found(all: readonly Collected[], subject: string, condition: string): Collected {
  const one = all.find((each) => each.subject === subject && each.condition === condition);
  if (one === undefined) throw new Error(`nothing was told of ${subject}, ${condition}`);
  return one;
}
