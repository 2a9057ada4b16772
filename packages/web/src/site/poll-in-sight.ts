import { Polling } from '../parts/waiting.js';

/**
 * Polls while the page is in sight, until the returned function is called.
 * @param every ms between two calls
 */
export function pollInSight(every: number, poll: (aborted: AbortSignal) => Promise<void>): () => void {
  const polling = new Polling(every, poll);
  const follow = () => (document.hidden ? polling.close() : polling.open());
  follow();
  document.addEventListener('visibilitychange', follow);
  return () => {
    document.removeEventListener('visibilitychange', follow);
    polling.close();
  };
}
