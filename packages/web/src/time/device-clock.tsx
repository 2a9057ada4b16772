import { dateAndSystemTime, extensions, judgedClock, localTime } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { attempt } from '../connection/attempt.js';
import { scanner } from '../connection/current.js';
import { knownValue, typed } from '../connection/known-value.js';
import { levelToCall } from '../connection/needed-level.js';
import { wireName } from '../connection/scanner-link.js';
import { NeedsLevel } from '../forms/needs-level.js';
import { clockText, differenceText } from './clock-difference.js';

const { LSPdatetime, LSPsetdatetime, TSCRole, TSCTCtimezone } = dateAndSystemTime.members;
const level = levelToCall(LSPsetdatetime);

/** The device clock beside the one of this computer. */
export function DeviceClock() {
  const link = scanner();
  const busy = useSignal(false);
  const reading = link.readings.of(wireName(LSPdatetime.name)).value;
  const json = reading.state === 'there' ? reading.value : undefined;
  const arrived = useMemo(() => new Date(), [json]);
  const device = typed(LSPdatetime, json);
  const synchronised = knownValue(link, extensions.members.time)?.Synchronised;
  const isSynchronised = synchronised === true;
  const zone = knownValue(link, TSCTCtimezone);
  const role = knownValue(link, TSCRole);
  const judged =
    device === undefined ? undefined : judgedClock({ device, now: arrived, role, zone, synchronised });
  const set = () =>
    attempt(busy, level, async () => {
      await link.call(LSPsetdatetime.name, { DateTime: localTime(new Date()) });
      link.readings.readShown();
    });
  return (
    <section class="panel">
      <h2>Now</h2>
      <dl class="facts">
        <dt>Scanner</dt>
        <dd>
          <strong>{device === undefined ? '…' : clockText(device)}</strong>
          {judged?.zone !== undefined && <span class="soft"> {judged.zone.replaceAll('_', ' ')}</span>}
        </dd>
        <dt>This computer</dt>
        <dd>{clockText(localTime(arrived))}</dd>
        <dt>The scanner is</dt>
        <dd>{judged === undefined ? '…' : differenceText(judged)}</dd>
      </dl>
      <p class="small soft">
        {isSynchronised
          ? 'The clock follows its source, so it cannot be set by hand.'
          : 'A time that is set by hand is lost at the next boot. While the clock follows a server or a master, the scanner refuses it.'}
      </p>
      <div class="row">
        <button type="button" disabled={busy.value || isSynchronised} onClick={set}>
          Set to the time of this computer
        </button>
        <NeedsLevel level={level} />
      </div>
    </section>
  );
}
