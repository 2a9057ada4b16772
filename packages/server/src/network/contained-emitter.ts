import type { EventEmitter } from 'node:events';

/**
 * Has `failed` called where a listener of this emitter throws, or where it tells of an error that nobody listens to:
 * either would end the process. Listeners behind the one that throws are not called. Gives the emitter back.
 */
export function contained<E extends EventEmitter>(emitter: E, failed: (error: unknown) => void): E {
  const emit = emitter.emit.bind(emitter);
  return Object.assign(emitter, {
    emit: (event: string | symbol, ...facts: unknown[]): boolean => {
      try {
        return emit(event, ...facts);
      } catch (error) {
        failed(error);
        return true;
      }
    },
  });
}
