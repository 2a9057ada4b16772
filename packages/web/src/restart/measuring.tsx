import { basicSettings, DeviceStatus, type Method, status } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { attempt, mayNow } from '../connection/attempt.js';
import { scanner } from '../connection/current.js';
import { knownValue } from '../connection/known-value.js';
import { levelToCall } from '../connection/needed-level.js';
import { NeedsLevel } from '../forms/needs-level.js';
import { confirmed } from '../parts/dialogs.js';

const { mStandby, mStartMeasure, mStopMeasure } = basicSettings.members;

/** Starts and stops measuring, without a reboot. */
export function Measuring() {
  const link = scanner();
  const busy = useSignal(false);
  const isOff = knownValue(link, status.members.DeviceStatus) === DeviceStatus.DS_SuspendedOperation;
  const call = ({ name, facts }: Pick<Method<unknown, unknown>, 'name' | 'facts'>) =>
    attempt(busy, levelToCall({ facts }), () => link.call(name));
  const stop = async (method: Pick<Method<unknown, unknown>, 'name' | 'facts'>, act: string) => {
    const question = {
      title: `${act}?`,
      text: 'There are no scans then, and no field is watched, until measuring is started again.',
      act,
      danger: true,
    };
    if ((await mayNow(levelToCall(method))) && (await confirmed(question))) await call(method);
  };
  return (
    <section class="panel">
      <h2>Measuring</h2>
      <p>
        {isOff
          ? 'Measuring is switched off: there are no scans.'
          : 'The scanner can pause without a reboot. In standby, its laser and its motor are off, too.'}
      </p>
      <div class="row">
        {isOff && (
          <button type="button" class="main" disabled={busy.value} onClick={() => call(mStartMeasure)}>
            Start measuring
          </button>
        )}
        {!isOff && (
          <button type="button" disabled={busy.value} onClick={() => stop(mStopMeasure, 'Stop measuring')}>
            Stop measuring …
          </button>
        )}
        <button type="button" disabled={busy.value} onClick={() => stop(mStandby, 'Go to standby')}>
          Standby …
        </button>
        <NeedsLevel level={levelToCall(mStandby)} />
      </div>
    </section>
  );
}
