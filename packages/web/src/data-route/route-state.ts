import type { Severity } from '../parts/severity.js';
import type { DataDestination } from './data-destination.js';
import type { Sending } from './sending.js';

/** Why a stream that is on sends nothing, in words. */
const downWords: Readonly<Record<string, string>> = {
  port_closed: 'The scanner cannot open its TCP port. Usually, another program has it.',
  no_port: 'The port of the destination is 0.',
  no_address: 'The scanner has no address of its own.',
  format: 'This format is not sent as a data stream.',
  unreachable: 'There is no network route to the destination. The scanner tries again every second.',
};

/**
 * Whether the scan data gets to where it goes.
 * @returns how good that is, in a word, and why
 */
export function routeState(
  { isOn, to }: DataDestination,
  sending: Sending,
): readonly [severity: Severity, word: string, why: string] {
  if (!isOn) return ['idle', 'Off', 'The scanner sends its scan data nowhere.'];
  if (sending.kind !== 'told') return ['good', 'On', ''];
  const { down } = sending.sent;
  if (down !== undefined) {
    return ['bad', 'Cannot send', downWords[down] ?? 'The network fails. The log of the scanner says more.'];
  }
  if (sending.isRefused)
    return ['warn', 'Refused', `Nobody listens at ${to}: start the program that receives the data.`];
  if (sending.isLosing)
    return ['warn', 'Losing telegrams', 'The network takes fewer than the scanner sends.'];
  return sending.rate === 0
    ? [
        'idle',
        'Nothing sent',
        'The stream is on, but the scanner does not measure, or no program is connected.',
      ]
    : ['good', 'Sending', ''];
}
