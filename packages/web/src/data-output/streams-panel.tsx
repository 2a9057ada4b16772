import { measurementDataOutput, ScanDataFormat } from '@azimuth/model';
import { scanner } from '../connection/current.js';
import { variableNamed } from '../connection/declarations.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import {
  compactDestinationOf,
  type DataDestination,
  destinationOf,
  routeState,
  tcp,
} from '../data-route/data-destination.js';
import { metricsWatch, type Sending } from '../data-route/sending.js';
import { valueAt, withValue } from '../forms/value-path.js';
import { Panel } from '../parts/panels.js';
import { StateMark } from '../parts/states.js';
import { doubtsAbout, isLoopback } from './destination-doubts.js';
import { formatOf } from './formats.js';
import type { OutputDraft } from './output-draft.js';
import { SettingCell, SettingSwitch } from './setting-row.js';
import { type DataStream, scanStream, streams } from './streams.js';

const { ScanDataFormat: format } = measurementDataOutput.members;

/** The three streams: on or off, destination, and whether the data arrives there. */
export function StreamsPanel({ draft }: { draft: OutputDraft }) {
  const link = scanner();
  const edition = link.edition.value;
  const present = streams.filter(({ enable }) => variableNamed(enable.name, edition) !== undefined);
  return (
    <Panel title="Streams" label="Streams">
      {present.map((stream) => (
        <StreamRow key={stream.id} stream={stream} draft={draft} link={link} />
      ))}
    </Panel>
  );
}

function StreamRow({ stream, draft, link }: { stream: DataStream; draft: OutputDraft; link: ScannerLink }) {
  const { title, enable, destination } = stream;
  const settings = draft.valueOf(destination);
  const chosen = formatOf(draft.valueOf(format));
  const hasDestination = stream.id !== 'scan' || chosen === undefined || chosen.hasDestination;
  const isTcp = valueAt(settings, ['Protocol']) === tcp;
  const around = {
    host: new URL(link.shownUrl).hostname,
    known: link,
    release: link.edition.value?.release,
  };
  return (
    <fieldset class="stream" aria-label={title}>
      <div class="stream-head">
        <SettingSwitch draft={draft} setting={{ variable: enable, path: [], label: title }} />
        <Delivery stream={stream} link={link} />
      </div>
      {hasDestination ? (
        <div class="destination">
          {destinationMembers
            .filter(([member]) => !(isTcp && member === 'IPAddress'))
            .map(([member, label]) => (
              <SettingCell
                key={member}
                draft={draft}
                setting={{ variable: destination, path: [member], label }}
              />
            ))}
          {!isTcp && <ThisComputer stream={stream} draft={draft} link={link} />}
        </div>
      ) : (
        <p class="small soft">
          {chosen?.number === ScanDataFormat.NativeROS2
            ? 'This format goes to every program of its ROS 2 domain. It needs no destination.'
            : 'This format goes to clients of the legacy interfaces, even while the stream is off.'}
        </p>
      )}
      {hasDestination && isTcp && (
        <p class="small soft">With TCP, programs connect to this port of the scanner.</p>
      )}
      {hasDestination &&
        doubtsAbout(stream, settings, around).map((doubt) => (
          <p class="notice warn small" key={doubt}>
            {doubt}
          </p>
        ))}
    </fieldset>
  );
}

const destinationMembers = [
  ['Protocol', 'Protocol'],
  ['IPAddress', 'Address'],
  ['Port', 'Port'],
] as const;

/** Puts the address of this computer into the draft, if it is known. */
function ThisComputer({
  stream: { destination },
  draft,
  link,
}: {
  stream: DataStream;
  draft: OutputDraft;
  link: ScannerLink;
}) {
  const here = addressHere(link);
  if (here === undefined) return null;
  const bytes = here.split('.').map(Number);
  const settings = draft.valueOf(destination);
  const isHere = String(valueAt(settings, ['IPAddress'])) === String(bytes);
  return (
    <button
      type="button"
      disabled={isHere || settings === undefined}
      title={`The scanner reaches this computer at ${here}`}
      onClick={() => draft.edit(destination, withValue(settings, ['IPAddress'], bytes))}
    >
      This computer
    </button>
  );
}

/** The IPv4 address at which the scanner reaches this computer; undefined if this page cannot know it. */
function addressHere(link: ScannerLink): string | undefined {
  if (link.gateway !== undefined) return link.gateway.here.value;
  // A scanner on this computer reaches it by loopback. Of others, a browser does not know its own address.
  return isLoopback(new URL(link.url).hostname) ? '127.0.0.1' : undefined;
}

function Delivery({ stream, link }: { stream: DataStream; link: ScannerLink }) {
  const watch = metricsWatch(link);
  const isScan = stream === scanStream;
  const destination = isScan
    ? destinationOf(link)
    : compactDestinationOf(link, stream.enable, stream.destination);
  if (destination === undefined) return <span class="soft">…</span>;
  const sending = isScan ? watch.sending.value : watch.sendingOf(stream.id);
  const [severity, word, why] = routeState(destination, sending);
  return (
    <>
      <StateMark severity={severity}>{word}</StateMark>
      <p class="small soft">{destination.isOn ? deliveryText(destination, sending) : stream.content}</p>
      {why !== '' && severity !== 'good' && destination.isOn && <p class="small soft">{why}</p>}
    </>
  );
}

/** Returns the destination and the counts of a stream that is on, in a few words. */
function deliveryText({ to }: DataDestination, sending: Sending): string {
  if (sending.kind === 'unknown') return `to ${to}`;
  if (sending.kind === 'unavailable') return `to ${to}; this scanner does not tell how much arrives`;
  const { rate, sent } = sending;
  const parts = [
    `to ${to}`,
    ...(rate === undefined ? [] : [`${Math.round(rate)} telegrams a second`]),
    `${sent.refused} refused`,
    `${sent.lost} lost`,
  ];
  return parts.join(', ');
}
