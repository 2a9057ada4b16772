import { boolean } from '@azimuth/model';
import { NotDoneError } from '../errors.js';
import type { EventSink, Link } from './link.js';
import { request } from './request.js';
import { decoded, encoded } from './values.js';

const onOrOff = boolean();

/**
 * Has the events of a name sent, and handed to a sink. The scanner is told that they are wanted no more when the last sink
 * of the connection has gone.
 * @returns what ends it
 * @throws LegacyError where the scanner has no such event, NotDoneError where it does not switch it on
 */
export async function subscribe(link: Link, name: string, sink: EventSink): Promise<() => void> {
  const ask = (on: boolean) =>
    link.ask(request(link.framing, 'sEN', name, encoded(link.framing, onOrOff, on)));
  // First of all: the first event may come right behind the answer.
  link.attach(name, sink);
  const leave = () => {
    if (link.detach(name, sink) && !link.isOver) ask(false).catch(() => undefined);
  };
  try {
    const answer = await ask(true);
    if (!decoded({ ...answer, url: link.url, endpoint: name }, onOrOff)) {
      throw new NotDoneError(name, 'sEA 0', 'the scanner does not send this event');
    }
    return leave;
  } catch (error) {
    leave();
    throw error;
  }
}
