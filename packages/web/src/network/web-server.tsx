import { ClientError } from '@azimuth/client';
import { webserverSettings } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { attempt, mayNow } from '../connection/attempt.js';
import { scanner } from '../connection/current.js';
import { levelToCall } from '../connection/needed-level.js';
import { NeedsLevel } from '../forms/needs-level.js';
import { confirmed } from '../parts/dialogs.js';
import { StateMark } from '../parts/state-mark.js';
import { isEnabledIn } from './address-plan.js';

const { GetWebserverEnabled, SetWebserverEnabled } = webserverSettings.members;
const level = levelToCall(SetWebserverEnabled);

/** The switch of the web server, without which neither pages nor REST work. */
export function WebServer() {
  const link = scanner();
  const isOn = useSignal<boolean | undefined>(undefined);
  const failure = useSignal('');
  const busy = useSignal(false);
  const look = async () => {
    try {
      isOn.value = isEnabledIn(await link.scanner.callAny(GetWebserverEnabled.name));
      failure.value = '';
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      failure.value = error.message;
    }
  };
  useEffect(() => void look(), [link]);
  const set = async (enable: boolean) => {
    const question = {
      title: 'Switch the web server off?',
      text: 'After the next reboot, the scanner answers over HTTP and HTTPS no more: neither these pages nor programs reach it. Only the legacy interfaces can switch the web server on again (sMN SetWebserverEnabled 1).',
      act: 'Switch off',
      danger: true,
    };
    if (!(await mayNow(level))) return;
    if (!enable && !(await confirmed(question))) return;
    await attempt(busy, level, () => link.call(SetWebserverEnabled.name, { Enable: enable }));
    await look();
  };
  return (
    <section class="panel">
      <h2>Web server</h2>
      <p class="soft">Programs (REST) and these pages reach the scanner by its web server.</p>
      {failure.value !== '' && <p class="soft">{failure.value}</p>}
      {isOn.value === true && (
        <>
          <StateMark severity="good">Stays on at the next reboot</StateMark>
          <div class="row">
            <button type="button" class="danger" disabled={busy.value} onClick={() => set(false)}>
              Switch off …
            </button>
            <NeedsLevel level={level} />
          </div>
        </>
      )}
      {isOn.value === false && (
        <>
          <StateMark severity="warn">Off after the next reboot</StateMark>
          <div class="row">
            <button type="button" class="main" disabled={busy.value} onClick={() => set(true)}>
              Leave it on
            </button>
            <NeedsLevel level={level} />
          </div>
        </>
      )}
    </section>
  );
}
