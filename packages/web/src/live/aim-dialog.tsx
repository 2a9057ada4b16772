import { isLoginLevel, type LoginLevel, loginLevels, measurementDataOutput, reaches } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { destinationOf } from '../data-route/data-destination.js';
import { Modal } from '../parts/modal.js';
import { PasswordInput } from '../parts/password-input.js';
import type { LiveState } from './live-state.js';
import type { ScanSource } from './scan-source.js';

const { write: needed = 'Service' } = measurementDataOutput.members.ScanDataEthSettings.facts;
const enough = loginLevels.filter((level) => reaches(level, needed));

/** Asks whether a scanner is to send its scan data to this computer, and for the login that this needs. */
export function AimDialog({ state: { aiming } }: { state: LiveState }) {
  const source = aiming.value;
  const close = () => {
    aiming.value = undefined;
  };
  return source === undefined ? null : <Question source={source} close={close} />;
}

function Question({ source: { link, arrival }, close }: { source: ScanSource; close: () => void }) {
  const level = useSignal<LoginLevel>(
    enough.find((name) => name === link.login.level) ?? enough.at(-1) ?? 'Service',
  );
  const password = useSignal('');
  const busy = useSignal(false);
  const failure = useSignal('');
  const destination = destinationOf(link);
  const aim = async (event: Event) => {
    event.preventDefault();
    busy.value = true;
    failure.value = '';
    try {
      await arrival?.aim({ user: level.value, password: password.value });
      close();
    } catch (error) {
      failure.value = error instanceof Error ? error.message : String(error);
    } finally {
      busy.value = false;
    }
  };
  return (
    <Modal label="Send the scan data to this computer?" close={close}>
      <form class="stack" onSubmit={aim}>
        <h2>Send the scan data to this computer?</h2>
        <p>
          A scanner sends its data to one destination. Whoever receives it there now gets nothing, until you
          restore the destination here, or until <code>azimuth gui</code> ends.
        </p>
        {destination !== undefined && <pre class="lines">{changesOf(destination).join('\n')}</pre>}
        <label>
          Level
          <select
            value={level.value}
            onChange={({ currentTarget: { value } }) => {
              if (isLoginLevel(value)) level.value = value;
            }}
          >
            {enough.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <PasswordInput password={password} wrong={failure.value !== ''} failure="aim-failure" />
        <p class="small soft">
          The password goes to <code>azimuth gui</code> on this computer, which needs it to restore the
          destination. It is kept in memory until then.
        </p>
        <p id="aim-failure" class="failure" role="alert">
          {failure.value}
        </p>
        <div class="row">
          <button type="submit" class="main" disabled={busy.value}>
            {busy.value ? 'Switching …' : 'Send it here'}
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </Modal>
  );
}

/** What will change at the scanner, a line each. */
function changesOf({
  isOn,
  to,
  format,
}: {
  readonly isOn: boolean;
  readonly to: string;
  readonly format: string;
}): readonly string[] {
  return [
    `Destination: ${to} → this computer`,
    ...(isOn ? [] : ['Scan data: off → on']),
    ...(format === 'Compact' || format === 'MSGPACK' ? [] : [`Format: ${format} → Compact`]),
  ];
}
