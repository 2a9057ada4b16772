import { counted, ScanDataFormat as formats, measurementDataOutput } from '@azimuth/model';
import { isMulticast } from '../../scan-data/stream-settings.js';
import { note, problem, type Verdict, verdictFrom, warning } from '../check.js';
import { type MetricsPage, totalOf } from '../metrics-page.js';
import { obstacleAt } from '../nat.js';
import type { Observation } from '../observation.js';
import { type Destination, mayMeasure, type Stream, streamDestination } from './stream-parts.js';

const { ScanDataFormat } = measurementDataOutput.members;

/** The content of scan data streams. Other formats have other ways. */
const streamFormats: ReadonlySet<number> = new Set([formats.Compact, formats.MSGPACK]);

/** The error code of the system for a port that another program uses. */
const portInUse = 'EADDRINUSE';

/** Judges the data that arrived at this computer. */
export function arrival(observation: Observation, stream: Stream): Verdict {
  const to = streamDestination(observation, stream);
  if (!('protocol' in to)) return to;
  const { title } = stream;
  const heard = observation.facts.arrivals.get(stream.name);
  if (heard === undefined) {
    if (to.port === 0) return { absent: `${title} goes to port 0` };
    if (observation.facts.host === undefined) return { unseen: 'the scanner was not reached over IPv4' };
    return { absent: `${title} goes to another computer` };
  }
  const at = to.protocol === 'TCP' ? `TCP port ${to.port} of the scanner` : `UDP port ${to.port}`;
  if (heard.closed === portInUse) {
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
      `give each scanner a port of its own: ${observation.command(`set ${stream.destination.name} Port=PORT`)}`,
    ),
  );
  if (telegrams > 0) {
    const received = `${counted(telegrams, 'telegram')} in ${seconds.toFixed(1)} s at ${at}`;
    if (to.protocol === 'TCP' || isMulticast(to.address)) return verdictFrom(others, received);
    // The port was free: no program that waits for the data listens there.
    const free = note(
      `${title} arrives at ${at} of this computer, and no program listens there now`,
      `start yours, or look at it: ${observation.command('scan')}`,
    );
    return verdictFrom([...others, free], received);
  }
  const silence = whySilent(observation, stream);
  if (silence !== undefined && others.length === 0 && damaged === 0) return { unseen: silence };
  if (silence !== undefined) return verdictFrom(others, silence);
  const obstacle = to.protocol === 'TCP' ? undefined : obstacleAt(observation, to.port);
  const strange =
    damaged > 0
      ? `, but ${counted(damaged, 'datagram that is no telegram', 'datagrams that are no telegrams')} came`
      : '';
  return verdictFrom(
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

/** Returns the reason why the scanner sends no telegrams now; undefined if they should have arrived. */
function whySilent(observation: Observation, stream: Stream): string | undefined {
  if (!mayMeasure(observation)) return 'the scanner does not measure now, so nothing can arrive';
  const format = observation.value(ScanDataFormat);
  if (stream.name === 'scan' && format !== undefined && !streamFormats.has(format))
    return 'the stream sends nothing in this format';
  const { metrics } = observation.facts;
  // Over TCP, the scanner sends to programs that connect, such as this one.
  if (metrics === undefined || observation.value(stream.destination)?.Protocol === 2) return undefined;
  if (metricsSent(metrics, stream) > 0) return undefined;
  return 'the scanner sends no telegrams now, so nothing can arrive';
}

function metricsSent([before, after]: readonly [MetricsPage, MetricsPage], { name: stream }: Stream): number {
  const sent = (page: MetricsPage) => totalOf(page, 'telegrams_total', { stream });
  return sent(after) - sent(before);
}

function remedyAt({ protocol, port }: Destination): string {
  return protocol === 'TCP'
    ? 'check that no firewall blocks the port'
    : `check that the firewall of this computer lets UDP port ${port} in, for example: sudo ufw allow ${port}/udp`;
}
