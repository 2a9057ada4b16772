import { general, type Method } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { attempt, levelToSave, mayNow, NeedsLevel, SaveButton } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import type { Edition } from '../connection/declarations.js';
import { factoryValueOf, levelToCall } from '../connection/declarations.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { changesTo } from '../forms/differences.js';
import { confirmed } from '../parts/dialogs.js';
import { type Busy, discardAll } from './unsaved.js';

const { LoadFactoryDefaults, LoadApplicationDefaults, SoftReset } = general.members;

/** Acts on all parameters together: save, discard, defaults. */
export function AllParameters({ edition }: { edition: Edition }) {
  const link = scanner();
  const busy = useSignal(false);
  const unsaved = link.stored.unsaved.value;
  const isUnavailable = link.stored.state.value === 'unavailable';
  const nothing = unsaved?.length === 0;
  return (
    <fieldset class="row" aria-label="All parameters" disabled={busy.value}>
      <SaveButton link={link} busy={busy} disabled={nothing} />
      <button
        type="button"
        disabled={nothing}
        onClick={() => (isUnavailable ? discardByReset(link, busy) : discardAll(link, busy))}
      >
        Discard all …
      </button>
      <NeedsLevel level={levelToSave} />
      <span class="all-parameters-defaults">
        {edition.variant === 'full' && (
          <button type="button" onClick={() => loadDefaults(link, edition, busy, LoadApplicationDefaults)}>
            Application defaults …
          </button>
        )}
        <button type="button" onClick={() => loadDefaults(link, edition, busy, LoadFactoryDefaults)}>
          Factory defaults …
        </button>
        <NeedsLevel level={levelToCall(LoadFactoryDefaults)} />
      </span>
    </fieldset>
  );
}

/** The scanner does not show its stored parameters: only a reboot restores them. */
async function discardByReset(link: ScannerLink, busy: Busy): Promise<void> {
  if (!(await mayNow(levelToCall(SoftReset)))) return;
  const question = {
    title: 'Reboot with the stored parameters?',
    text: 'This scanner does not show what it stored. A reboot without a save discards every change since the last one. The scanner does not measure while it reboots.',
    calls: SoftReset,
    act: 'Reboot',
    danger: true,
  };
  if (!(await confirmed(question))) return;
  await attempt(busy, levelToCall(SoftReset), () => link.call(SoftReset.name, { ProcessorNbr: 0 }));
}

async function loadDefaults(
  link: ScannerLink,
  edition: Edition,
  busy: Busy,
  method: Method<unknown, unknown>,
): Promise<void> {
  if (!(await mayNow(levelToCall(method)))) return;
  const isFactoryReset = method === LoadFactoryDefaults;
  const lines = changesTo(
    edition.known.parameters
      .map(({ variable }) => variable)
      .filter((variable) => variable.isIn(edition) && (isFactoryReset || variable.section === 'application')),
    ({ name }) => link.value(name),
    (variable) => factoryValueOf(variable, edition),
  );
  const effect =
    lines.length === 0
      ? 'No parameter has another value now.'
      : 'These values change at once, and are stored.';
  const address = isFactoryReset
    ? ' After the next reboot, the scanner may have another address. Passwords and switches of user levels are reset, too; certificates stay.'
    : ' Network, name and filters stay.';
  const question = {
    title: isFactoryReset ? 'Load the factory defaults?' : 'Load the application defaults?',
    text: effect + address,
    calls: method,
    lines,
    act: 'Load defaults',
    danger: true,
  };
  if (!(await confirmed(question))) return;
  await attempt(busy, levelToCall(method), async () => {
    await link.call(method.name);
    link.readings.readAll();
    await link.stored.read();
  });
}
