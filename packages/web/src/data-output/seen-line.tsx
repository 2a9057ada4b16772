import type { LiveState } from '../live/live-state.js';
import { Quantity } from '../parts/panels.js';

/** Shows in one line how much arrives in this browser. */
export function SeenLine({ state }: { state: LiveState }) {
  void state.seconds.value;
  const [source] = state.sources;
  const rate = source?.feed.rate(performance.now()) ?? 0;
  if (source === undefined || rate === 0) return null;
  const scan = source.history.newest;
  return (
    <p class="small">
      <span class="soft">Seen here:</span> <Quantity value={rate.toFixed(1)} unit="scans a second" />{' '}
      <Quantity value={scan?.echoes ?? 0} unit="points" /> <Quantity value={scan?.beams ?? 0} unit="beams" />
    </p>
  );
}
