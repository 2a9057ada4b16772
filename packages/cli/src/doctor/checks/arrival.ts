import { counted, ScanDataFormat as formats, measurementDataOutput } from '@azimuth/model';
import { isMulticast } from '../../scan-data/stream-settings.js';
import { note, problem, type Verdict, verdictOf, warning } from '../check.js';
import { type MetricsPage, sumOf } from '../metrics-page.js';
import { obstacleAt } from '../nat.js';
import type { Observation } from '../observation.js';
import { type Destination, destinationOf, mayMeasure, type Stream } from './stream-parts.js';

const { ScanDataFormat } = measurementDataOutput.members;

/** What the stream of scan data sends. Other formats have ways of their own. */
const streamFormats: ReadonlySet<number> = new Set([formats.Compact, formats.MSGPACK]);

/** The error code of the system for a port that another program has. */
const portTaken = 'EADDRINUSE';

/** What came to this computer while it listened. */
export function arrival(seen: Observation, stream: Stream): Verdict {
  const to = destinationOf(seen, stream);
  if (!('protocol' in to)) return to;
  const { title } = stream;
  const heard = seen.facts.arrivals.get(stream.name);
  if (heard === undefined) {
    if (to.port === 0) return { absent: `${title} goes to port 0` };
    if (seen.facts.host === undefined) return { unseen: 'the scanner was not reached over IPv4' };
    return { absent: `${title} goes to another computer` };
  }
  const at = to.protocol === 'TCP' ? `TCP port ${to.port} of the scanner` : `UDP port ${to.port}`;
  if (heard.closed === portTaken) {
    return note(
      `another program on this computer has ${at}: it gets the ${title}`,
      `to see which, on Linux: sudo ss -ulpn "sport = :${to.port}"`,
    );
  }
  if (heard.closed !== undefined && to.protocol === 'TCP') {
    return problem(
      `${at} cannot be connected to`,
      'check that no firewall blocks it, and that fewer than 16 programs are connected',
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
  const silence = whySilent(seen, stream);
  if (silence !== undefined && others.length === 0 && damaged === 0) return { unseen: silence };
  if (silence !== undefined) return verdictOf(others, silence);
  const obstacle = to.protocol === 'TCP' ? undefined : obstacleAt(seen, to.port);
  const strange =
    damaged > 0
      ? `, but ${counted(damaged, 'datagram that is no telegram', 'datagrams that are no telegrams')} came`
      : '';
  return verdictOf(
    [
      problem(
        `${title} should arrive at ${at}, and none came in ${seconds.toFixed(1)} s${strange}${obstacle === undefined ? '' : `: ${obstacle.cause}`}`,
        obstacle?.remedy ?? remedyAt(to),
      ),
      ...others,
    ],
    '',
  );
}

/** Why it means nothing that no telegram came: the scanner sends none. Undefined if it should. */
function whySilent(seen: Observation, stream: Stream): string | undefined {
  if (!mayMeasure(seen)) return 'the scanner does not measure now, so nothing can arrive';
  const format = seen.value(ScanDataFormat);
  if (stream.name === 'scan' && format !== undefined && !streamFormats.has(format))
    return 'the stream sends nothing in this format';
  const { metrics } = seen.facts;
  // Over TCP, the scanner sends to programs that connect, as this one has.
  if (metrics === undefined || seen.value(stream.destination)?.Protocol === 2) return undefined;
  if (metricsSent(metrics, stream) > 0) return undefined;
  return 'the scanner sends no telegrams now, so nothing can arrive';
}

function metricsSent([before, after]: readonly [MetricsPage, MetricsPage], { name: stream }: Stream): number {
  const sent = (page: MetricsPage) => sumOf(page, 'azimuth_telegrams_total', { stream });
  return sent(after) - sent(before);
}

function remedyAt({ protocol, port }: Destination): string {
  return protocol === 'TCP'
    ? 'check that no firewall blocks the port'
    : `check that the firewall of this computer lets UDP port ${port} in, for example: sudo ufw allow ${port}/udp`;
}
