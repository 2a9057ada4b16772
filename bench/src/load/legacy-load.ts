import { drive } from './drive.js';
import type { LegacyJob, LoadResult } from './jobs.js';
import { LegacyReader } from './legacy-reader.js';

/** Each connection asks again as soon as it is answered; every answer is compared. */
export function legacyLoad({ login, request, answer, ...job }: LegacyJob): Promise<LoadResult> {
  return drive(
    { ...job, request, answer },
    (exchange, again, window) => {
      let begun = 0;
      const answered = (frame: string) => {
        if (frame !== answer) throw new Error(`another answer than expected: ${JSON.stringify(frame)}`);
        window.count(begun, begun);
        if (again()) ask();
      };
      const ask = () => {
        begun = performance.now();
        exchange.ask(request, answered);
      };
      if (login === undefined) ask();
      else exchange.ask(login, ask);
    },
    (answered) => new LegacyReader(answered),
  );
}
