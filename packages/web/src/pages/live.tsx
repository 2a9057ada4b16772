import { useMemo } from 'preact/hooks';
import { scanner, scanners } from '../connection/current.js';
import { LiveView } from '../live/live-view.js';
import { shownOf } from '../live/shown-scanners.js';

/** What the scanners see. */
export default function Live() {
  const shown = shownOf(scanners.value, scanner());
  // The same ones keep their history.
  const links = useMemo(() => shown, [shown.map(({ url }) => url).join(' ')]);
  return <LiveView links={links} />;
}
