import { localDateTime } from '../parts/texts.js';
import { type Presence, shareOf, stretchesOf } from './curves.js';
import type { HistoryPoint } from './history-answer.js';

const words: Readonly<Record<Presence, string>> = {
  all: 'answered',
  part: 'answered a part of the time',
  none: 'did not answer',
  unknown: 'not known',
};

/** Shows when a scanner has answered, as a band above the curves. */
export function PresenceBand({ points }: { points: readonly HistoryPoint[] }) {
  const share = shareOf(points);
  const [first, last] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 1];
  const x = (at: number) => (1000 * (at - first)) / Math.max(1, last - first);
  const gone = stretchesOf(points).filter(({ presence }) => presence === 'none').length;
  return (
    <section class="panel history-curve" aria-label="Answers">
      <header class="row between">
        <h2>Answers</h2>
        <span class="soft small numbers">
          {share === undefined ? 'not known' : `${Number(share.toFixed(share > 99 ? 2 : 1))} % of the time`}
          {gone > 0 && ` · gone ${gone === 1 ? 'once' : `${gone} times`}`}
        </span>
      </header>
      <svg
        class="presence"
        viewBox="0 0 1000 10"
        preserveAspectRatio="none"
        role="img"
        aria-label="When it has answered"
      >
        {stretchesOf(points).map(({ from, to, presence }) => (
          <rect key={from} class={presence} x={x(from)} width={x(to) - x(from)} height="10">
            <title>
              {`${localDateTime(new Date(from))} to ${localDateTime(new Date(to))}: ${words[presence]}`}
            </title>
          </rect>
        ))}
      </svg>
    </section>
  );
}
