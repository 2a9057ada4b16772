import { scanners } from '../connection/current.js';
import { LiveView } from '../live/live-view.js';

/** What the scanners see. */
export default function Live() {
  return <LiveView links={scanners.value} />;
}
