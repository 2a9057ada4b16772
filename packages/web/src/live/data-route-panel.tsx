import { StateMark } from '../parts/state-mark.js';
import { linkTo } from '../routing/route.js';
import { routeOf } from './data-destination.js';
import type { LiveState } from './live-state.js';
import type { ScanSource } from './scan-source.js';

/** Where the scan data of a scanner goes, and what of it is seen here. */
export function DataRoutePanel({ source: { link, feed }, state }: { source: ScanSource; state: LiveState }) {
  void state.seconds.value;
  const route = routeOf(link);
  const { telegrams, late } = feed.losses;
  return (
    <section class="panel">
      <h2>Where the data goes</h2>
      {state.sources.length > 1 && <p>{link.title.value}</p>}
      {route !== undefined && (
        <>
          <StateMark severity={route.isOn ? 'good' : 'idle'}>{route.isOn ? 'On' : 'Off'}</StateMark>
          <dl class="facts">
            <dt>Destination</dt>
            <dd>{route.destination}</dd>
            <dt>Format</dt>
            <dd>{route.format}</dd>
          </dl>
        </>
      )}
      <h3>Seen here</h3>
      <dl class="facts">
        <dt>Scans</dt>
        <dd>
          {feed.rate(performance.now()).toFixed(1)}
          <span class="unit">a second</span>
        </dd>
        <dt>Received</dt>
        <dd>{feed.received}</dd>
        <dt>Lost on the way</dt>
        <dd>
          {telegrams}
          <span class="unit">telegrams</span>
        </dd>
        {late > 0 && (
          <>
            <dt>Left out here</dt>
            <dd>
              {late}
              <span class="unit">scans</span>
            </dd>
          </>
        )}
      </dl>
      <a href={linkTo('parameters', 'ScanDataEthSettings')}>Change the destination</a>
    </section>
  );
}
