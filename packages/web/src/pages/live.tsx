import { scanner } from '../connection/current.js';
import { LiveView } from '../live/live-view.js';

/** What the scanner sees. */
export default function Live() {
  return <LiveView link={scanner()} />;
}
