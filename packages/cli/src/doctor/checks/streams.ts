import { counted, measurementDataOutput, ScanDataFormat, status, type Variable } from '@azimuth/model';
import { isLoopback, isMulticast } from '../../scan-data/stream-settings.js';
import { type Check, type Finding, note, problem, type Verdict, verdictFrom, warning } from '../check.js';
import { matchingSamples, totalOf } from '../metrics-page.js';
import { obstacleAt } from '../nat.js';
import { isIn, isOneDevice, networkText, noAddress } from '../network.js';
import type { Observation } from '../observation.js';
import { arrival } from './arrival.js';
import { networkInForce, networkVariables, unknownNetworkReason } from './scanner-network.js';
import {
  aimed,
  allStreams,
  arrivesHere,
  type Destination,
  mayMeasure,
  type Stream,
  streamDestination,
} from './stream-parts.js';

const { ScanDataFormat: formatVariable } = measurementDataOutput.members;
const { DeviceStatus } = status.members;

/** The checks of every stream: is it on, its destination, its route, its sending, its arrival. */
export const streamChecks: readonly Check[] = allStreams.flatMap((stream) => {
  const reads: readonly Variable<unknown>[] = [
    stream.enable,
    stream.destination,
    formatVariable,
    DeviceStatus,
  ];
  const { name, title } = stream;
  return [
    {
      name: `${name}-on`,
      about: `whether ${title} is switched on`,
      reads,
      judge: (observation) => isOn(observation, stream),
    },
    {
      name: `${name}-destination`,
      about: `where ${title} goes`,
      reads,
      judge: (observation) => checkDestination(observation, stream),
    },
    {
      name: `${name}-route`,
      about: `whether ${title} can get there from the network of the scanner`,
      reads: [...reads, ...networkVariables],
      judge: (observation) => route(observation, stream),
    },
    {
      name: `${name}-sending`,
      about: `whether ${title} leaves the scanner, and is not refused`,
      reads,
      judge: (observation) => sending(observation, stream),
    },
    {
      name: `${name}-arrival`,
      about: `whether ${title} arrives at this computer`,
      reads,
      judge: (observation) => arrival(observation, stream),
    },
  ];
});

function isOn(observation: Observation, stream: Stream): Verdict {
  const { enable, title, name } = stream;
  if (observation.lacks(enable)) return { absent: `this scanner has no ${title}` };
  const enabled = observation.value(enable);
  if (enabled === undefined) return { unseen: observation.unknownReason(enable) };
  if (enabled) return { fine: 'on' };
  // IMU and encoder data are off at the factory, and most programs do not need them.
  if (name !== 'scan') return { fine: 'off' };
  // Sessions of the legacy interfaces get it, even if the stream is switched off.
  if (observation.value(formatVariable) === ScanDataFormat.LMDscandata)
    return { fine: 'off; LMDscandata does not need it' };
  return problem(
    'the scan data stream is off, so no program gets scans from it',
    observation.command(`set ${enable.name} on`),
    {
      question: 'Switch the scan data stream on?',
      acts: [{ write: enable.name, value: true }],
    },
  );
}

function checkDestination(observation: Observation, stream: Stream): Verdict {
  const to = streamDestination(observation, stream);
  if (!('protocol' in to)) return to;
  const { title, destination } = stream;
  if (to.port === 0) {
    const { Port: port } = destination.type.initial;
    return problem(
      `${title} goes to port 0, so nothing is sent`,
      observation.command(`set ${destination.name} Port=${port}`),
      {
        question: `Send ${title} to port ${port}, as at the factory?`,
        acts: [{ write: destination.name, members: { Port: port } }],
      },
    );
  }
  if (to.protocol === 'TCP') return { fine: `TCP: programs connect to port ${to.port} of the scanner` };
  const wrong = whyNobodyReceives(observation, to);
  if (wrong !== undefined) return nobody(observation, stream, `${title} goes to ${to.address}, ${wrong}`);
  const { host, own } = observation.facts;
  if (host === undefined || own === undefined) {
    return {
      unseen: `it goes to ${to.address}, port ${to.port}; the scanner was not reached over IPv4, so who that is cannot be told`,
    };
  }
  if (isMulticast(to.address)) return { fine: `multicast group ${to.address}, port ${to.port}` };
  if (arrivesHere(observation, to)) return { fine: `this computer, port ${to.port}` };
  const aim = aimed(observation, stream);
  return note(
    `${title} goes to ${to.address}, port ${to.port}, and not to this computer (${own})`,
    aim === undefined
      ? (obstacleAt(observation, to.port)?.remedy ?? '')
      : `if it should come here: ${aim.command}`,
  );
}

/** Returns the reason why nobody can receive at an address; undefined if it is possible. */
function whyNobodyReceives({ facts }: Observation, { address }: Destination): string | undefined {
  if (address === noAddress) return 'which is no address';
  const { host, isHere } = facts;
  if (isHere || host === undefined) return undefined;
  if (address === host) return 'which is the address of the scanner itself';
  if (isLoopback(address)) {
    return 'which is the scanner itself, and not this computer';
  }
  return undefined;
}

/** Makes a finding about a destination without a receiver: changing it harms nobody. */
function nobody(observation: Observation, stream: Stream, text: string): Finding {
  const aim = aimed(observation, stream);
  const { destination, title } = stream;
  if (aim === undefined) {
    return problem(text, observation.command(`set ${destination.name} IPAddress=ADDRESS`));
  }
  return problem(text, aim.command, {
    question: `Send ${title} to this computer (${observation.facts.own})?`,
    acts: [{ write: destination.name, members: aim.members }],
  });
}

function route(observation: Observation, stream: Stream): Verdict {
  const to = streamDestination(observation, stream);
  if (!('protocol' in to)) return to;
  if (to.protocol === 'TCP') return { absent: 'over TCP, programs connect to the scanner' };
  if (isLoopback(to.address)) return { absent: 'it stays on the computer of the scanner' };
  if (!isOneDevice(to.address))
    return { absent: 'multicast and broadcast stay in the network of the scanner' };
  const network = networkInForce(observation);
  if (network === undefined) return { unseen: unknownNetworkReason(observation) };
  const { title } = stream;
  const place = `${to.address} is not in the network of the scanner (${networkText(network)})`;
  if (isIn(to.address, network)) return { fine: `${to.address} is in the network of the scanner` };
  if (network.gateway === noAddress) {
    if (arrivesHere(observation, to))
      return problem(
        `${title} cannot leave: ${place}, and the scanner has no gateway`,
        ownPlace(observation),
      );
    return nobody(observation, stream, `${title} cannot leave: ${place}, and the scanner has no gateway`);
  }
  if (!isIn(network.gateway, network)) {
    return problem(
      `${title} cannot leave: ${place}, and its gateway ${network.gateway} is not in it either`,
      observation.command('set EtherIPGateAddress ADDRESS'),
    );
  }
  const way = `through the gateway ${network.gateway}`;
  const arrived = observation.facts.arrivals.get(stream.name)?.telegrams ?? 0;
  return arrived > 0 ? { fine: way } : { unseen: `it goes ${way}; whether that forwards it cannot be told` };
}

/** Returns the advice for a stream to this computer that the scanner cannot send. */
function ownPlace(observation: Observation): string {
  return `give this computer an address in the network of the scanner, or the scanner a gateway: ${observation.command('set EtherIPGateAddress ADDRESS')}`;
}

/** Texts for the reasons in telegram_errors_total and stream_down. */
const reasons: Readonly<Record<string, string>> = {
  refused: 'refused: no program listens at that port',
  unreachable: 'lost: there is no route to the destination',
  congested: 'dropped: the network of the scanner is too slow',
  slow: 'dropped: a program reads too slowly',
  too_large: 'dropped: they are too large for a datagram',
  no_port: 'not sent: the destination has port 0',
  no_address: 'not sent: the scanner has no address, because DHCP offers none',
  not_permitted: 'not sent: the system, usually a firewall, forbids it',
  port_closed:
    'not sent: the TCP port of the scanner cannot be opened, usually because another program has it',
  format: 'not sent: this stream does not send the format of ScanDataFormat',
};

/** Lost telegrams in a second without a finding: a receiver may just have started. */
const toleratedErrors = 2;

function sending(observation: Observation, stream: Stream): Verdict {
  const to = streamDestination(observation, stream);
  if (!('protocol' in to)) return to;
  const { metrics } = observation.facts;
  if (metrics === undefined) {
    return {
      unseen: 'this scanner has no page of metrics, so it does not tell whether its datagrams are refused',
    };
  }
  const [before, after] = metrics;
  const labels = { stream: stream.name };
  const total = (metric: string, of: Readonly<Record<string, string>> = labels) =>
    totalOf(after, metric, of) - totalOf(before, metric, of);
  const down = matchingSamples(after, 'stream_down', labels).filter(({ value }) => value > 0);
  const errors = matchingSamples(after, 'telegram_errors_total', labels)
    .map(({ labels: { reason = 'other' } }) => ({
      reason,
      lost: total('telegram_errors_total', { ...labels, reason }),
    }))
    .filter(({ lost }) => lost > toleratedErrors);
  const sent = total('telegrams_total');
  const where = to.protocol === 'TCP' ? `TCP port ${to.port}` : `${to.address}, port ${to.port}`;
  const causes = new Set([
    ...down.map(({ labels: { reason = 'other' } }) => reason),
    ...errors.map(({ reason }) => reason),
  ]);
  const findings = [...causes].map((reason) =>
    problem(
      `${stream.title} to ${where} is ${reasons[reason] ?? `lost (${reason}; the log of the scanner says more)`}`,
      sendingRemedy(observation, stream, reason),
    ),
  );
  if (findings.length > 0 || sent > 0)
    return verdictFrom(findings, `${counted(sent, 'telegram was', 'telegrams were')} sent`);
  if (to.protocol === 'TCP') return { unseen: 'no program is connected' };
  if (!mayMeasure(observation)) return { unseen: 'the scanner does not measure now' };
  return warning(`${stream.title} is on, but nothing was sent`, observation.command('get DeviceStatus'));
}

function sendingRemedy(observation: Observation, stream: Stream, reason: string): string {
  const { destination } = stream;
  if (reason === 'refused') {
    return `start the receiver there, or send it elsewhere: ${observation.command(`set ${destination.name} IPAddress=ADDRESS Port=PORT`)}`;
  }
  if (reason === 'format') return observation.command('set ScanDataFormat Compact');
  if (reason === 'no_address') return 'connect a DHCP server, or set a static address';
  if (reason === 'port_closed' || reason === 'no_port')
    return observation.command(`set ${destination.name} Port=PORT`);
  return 'check the network between the scanner and the receiver';
}
