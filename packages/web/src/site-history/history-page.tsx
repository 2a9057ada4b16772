import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { TimeChart } from '../charts/time-chart.js';
import { pathOf, scanner } from '../connection/current.js';
import { setting } from '../parts/inputs.js';
import { Facts, PageContent, Quantity } from '../parts/panels.js';
import { localDateTime } from '../parts/texts.js';
import { pollInSight } from '../site/poll-in-sight.js';
import { SiteFault } from '../site/site-answer.js';
import { askCurves } from './ask-history.js';
import { between, figure, type ReadCurve, type Span, type Summed, sortedCurves, spans } from './curves.js';
import { PresenceBand } from './presence-band.js';
import '../style/history.css';

/** The name of the curve that says how much of the time the scanner has answered. */
const presenceName = 'reachable';

interface Shown {
  readonly curves: readonly ReadCurve[];
  readonly from: number;
  readonly to: number;
}

/** The history of a scanner: what the server of the page knew of it over time. */
export default function HistoryPage() {
  const span = useSignal<Span>(spans[0]);
  const path = pathOf(scanner());
  const { shown, why } = useCurves(path, span.value);
  return (
    <PageContent title="History">
      <p class="lead">What the server of this page has seen of the scanner.</p>
      <fieldset class="row history-spans" aria-label="How far back">
        {spans.map((one) => (
          <button
            key={one.label}
            type="button"
            aria-pressed={span.value === one}
            onClick={setting(span, one)}
          >
            {one.label}
          </button>
        ))}
      </fieldset>
      {why !== undefined && (
        <p class="notice warn" role="alert">
          The server of this page tells no newer history: {why}. It is asked again.
        </p>
      )}
      {shown === undefined ? why === undefined && <p class="empty">Loading …</p> : <Curves {...shown} />}
    </PageContent>
  );
}

/** Reads the curves of a scanner again and again while the page is in sight. */
function useCurves(path: string, span: Span) {
  const shown = useSignal<Shown | undefined>(undefined);
  const why = useSignal<string | undefined>(undefined);
  useEffect(() => {
    shown.value = undefined;
    why.value = undefined;
    return pollInSight(span.every, async (aborted) => {
      const to = Date.now();
      try {
        const curves = await askCurves(path, to - span.length, aborted);
        shown.value = { curves, from: to - span.length, to };
        why.value = undefined;
      } catch (error) {
        if (aborted.aborted) return;
        if (!(error instanceof SiteFault)) throw error;
        why.value = error.message;
      }
    });
  }, [path, span, shown, why]);
  return { shown: shown.value, why: why.value };
}

function Curves({ curves, from, to }: Shown) {
  const presence = curves.find(({ name }) => name === presenceName);
  const { changing, constant, unknown } = sortedCurves(curves.filter((curve) => curve !== presence));
  // A curve begins with what is known: all of them with the first known one.
  const firsts = curves.flatMap(({ points }) => points.find(([, value]) => value !== null)?.[0] ?? []);
  if (firsts.length === 0)
    return <p class="empty">Nothing is known of this time. A longer one may have values.</p>;
  const begin = Math.max(from, Math.min(...firsts));
  return (
    <>
      {begin > from + 60_000 && (
        <p class="soft small">Known since {localDateTime(new Date(begin))}; not before.</p>
      )}
      <div class="history-curves">
        {presence !== undefined && <PresenceBand points={between(presence.points, begin, to)} />}
        {changing.map((curve) => (
          <Curve key={curve.name} curve={curve} from={begin} to={to} />
        ))}
      </div>
      {constant.length > 0 && (
        <section class="panel" aria-label="Without a change">
          <h2>Without a change</h2>
          <Facts
            kind="small"
            of={constant.map((curve) => [
              curve.label,
              <Quantity key={curve.name} value={figure(curve.newest, curve)} unit={curve.unit} />,
            ])}
          />
        </section>
      )}
      {unknown.length > 0 && (
        <p class="soft small">Not known in this time: {unknown.map(({ label }) => label).join(', ')}.</p>
      )}
    </>
  );
}

function Curve({ curve, from, to }: { curve: Summed; from: number; to: number }) {
  const { label, unit, least, largest, newest, isCurrent } = curve;
  return (
    <section class="panel history-curve" aria-label={label}>
      <header class="row between">
        <h2>{label}</h2>
        <span class="soft small numbers">
          {figure(least, curve)} to {figure(largest, curve)} {unit} ·{' '}
          {isCurrent ? (
            <strong>
              <Quantity value={figure(newest, curve)} unit={unit} />
            </strong>
          ) : (
            'not known now'
          )}
        </span>
      </header>
      <TimeChart
        lines={[{ label, points: between(curve.points, from, to) }]}
        label={`${label} from ${localDateTime(new Date(from))}`}
        unit={unit}
        leastSpan={leastSpanOf(curve)}
        height={96}
      />
    </section>
  );
}

/** The least range of an axis, so that noise does not look like a change. */
function leastSpanOf({ unit, least, largest }: Summed): number {
  if (unit === '') return 1;
  return unit === '°C' ? 4 : Math.max(Math.abs(least), Math.abs(largest)) / 5;
}
