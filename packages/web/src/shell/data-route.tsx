import { useEffect } from 'preact/hooks';
import { scanner } from '../connection/current.js';
import { destinationOf } from '../data-route/data-destination.js';
import { routeState } from '../data-route/route-state.js';
import { sendingWatch } from '../data-route/sending.js';
import { StateMark } from '../parts/state-mark.js';
import { linkTo } from '../routing/route.js';

/** Where the scan data goes and whether it gets there, or that it is off. */
export function DataRoute() {
  const link = scanner();
  const destination = destinationOf(link);
  // Scanners that announce their changes count what they send, too.
  const tells = destination?.isOn === true && link.state.value.kind === 'live';
  useEffect(() => (tells ? sendingWatch(link).open() : undefined), [link, tells]);
  if (destination === undefined) return null;
  if (!destination.isOn) return <span class="soft">Scan data: off</span>;
  const sending = sendingWatch(link).sending.value;
  const [severity, word, why] = routeState(destination, sending);
  return (
    <span title={why}>
      {severity === 'good' ? (
        <span class="soft">Data →</span>
      ) : (
        <a href={linkTo('live')}>
          <StateMark severity={severity}>{word}</StateMark>
        </a>
      )}{' '}
      {destination.to}{' '}
      <span class="soft small">
        <span class="format">{destination.format}</span>
        {tells &&
          sending.kind === 'told' &&
          sending.rate !== undefined &&
          ` ${Math.round(sending.rate)}/s, ${sending.sent.refused} refused`}
      </span>
    </span>
  );
}
