import { counted } from '@azimuth/model';
import { isMulticast } from '../../scan-data/stream-settings.js';
import { found, note, problem, type Verdict, verdictOf, warning } from '../check.js';
import type { Observation } from '../observation.js';
import { destinationOf, type Stream, withoutDestination } from './stream-parts.js';

/** The error code of the system for a port that another program has. */
const portTaken = 'EADDRINUSE';

/** What came to this computer while it listened. */
export function arrival(seen: Observation, stream: Stream): Verdict {
  const without = withoutDestination(seen, stream);
  const to = destinationOf(seen, stream);
  if (without !== undefined || to === undefined) return without ?? { absent: 'off' };
  const { title } = stream;
  const heard = seen.facts.arrivals.get(stream.name);
  if (heard === undefined) return { absent: `${title} goes to another computer` };
  const at = to.protocol === 'TCP' ? `TCP port ${to.port} of the scanner` : `UDP port ${to.port}`;
  if (heard.closed === portTaken) {
    return found(
      note(
        `another program on this computer has ${at}: it gets the ${title}`,
        `to see which, on Linux: sudo ss -ulpn "sport = :${to.port}"`,
      ),
    );
  }
  if (heard.closed !== undefined && to.protocol === 'TCP') {
    return found(
      problem(
        `${at} cannot be connected to`,
        'check that no firewall blocks it, and that fewer than 16 programs are connected',
      ),
    );
  }
  if (heard.closed !== undefined) return { unseen: `${at} cannot be opened here (${heard.closed})` };
  const { telegrams, strangers, damaged, seconds } = heard;
  const others = strangers.map((stranger) =>
    warning(
      `${at} of this computer also gets data from ${stranger}, so programs may mix them up`,
      `give each scanner a port of its own: ${seen.command(`set ${stream.destination.name} Port=PORT`)}`,
    ),
  );
  if (telegrams > 0) {
    const came = `${counted(telegrams, 'telegram')} in ${seconds.toFixed(1)} s at ${at}`;
    if (to.protocol === 'TCP' || isMulticast(to.address)) return verdictOf(others, came);
    // The port was free: whoever misses the data does not listen there.
    const free = note(
      `${title} arrives at ${at} of this computer, and no program listens there now`,
      `start yours, or look at it: ${seen.command('scan')}`,
    );
    return verdictOf([...others, free], came);
  }
  const remedy =
    to.protocol === 'TCP'
      ? 'check that the scanner measures, and that no firewall blocks the port'
      : `check that the scanner measures, and that the firewall of this computer lets UDP port ${to.port} in, for example: sudo ufw allow ${to.port}/udp`;
  const strange =
    damaged > 0
      ? `, but ${counted(damaged, 'datagram that is no telegram', 'datagrams that are no telegrams')} came`
      : '';
  return verdictOf(
    [
      problem(`${title} should arrive at ${at}, and none came in ${seconds.toFixed(1)} s${strange}`, remedy),
      ...others,
    ],
    '',
  );
}
