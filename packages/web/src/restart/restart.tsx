import { basicSettings, counted, DeviceStatus, general, type Method, status } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { attempt, mayNow, NeedsLevel } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { knownValue, levelToCall } from '../connection/declarations.js';
import { shortText } from '../forms/value-text.js';
import { confirmed } from '../parts/dialogs.js';
import { spokenByScanner } from '../parts/times.js';
import '../style/maintain.css';
import { unknownWords } from '../parameters/unsaved.js';

const { RebootDevice, SoftReset, WriteEeprom } = general.members;

/** Save, reboot with or without saving, and stop measuring. */
export function Restart() {
  return (
    <div class="content">
      <header class="lead">
        <h1>Restart</h1>
        <p class="soft">
          Start the scanner again, or only stop measuring. It measures nothing until it is back.
        </p>
      </header>
      <div class="panels">
        <SaveAndReboot />
        <RebootWithoutSaving />
        <SaveOnly />
        <Measuring />
      </div>
    </div>
  );
}

function SaveAndReboot() {
  const link = scanner();
  const busy = useSignal(false);
  const reboot = async () => {
    if (!(await mayNow(levelToCall(RebootDevice)))) return;
    const unsaved = link.stored.unsaved.value;
    const question = {
      title: 'Save everything and reboot?',
      text:
        unsaved?.length === 0
          ? 'The scanner stops measuring, and is back in a while. Recordings that are not saved are lost.'
          : `${unsaved === undefined ? 'What is unsaved is' : 'These changes are'} saved first. Then the scanner stops measuring, and is back in a while.`,
      lines: unsaved ?? [],
      act: 'Reboot',
    };
    if (!(await confirmed(question))) return;
    await attempt(busy, levelToCall(RebootDevice), async () => {
      await link.call(RebootDevice.name);
      link.absences.expect('reboots');
    });
  };
  return (
    <section class="panel">
      <h2>Reboot</h2>
      <p>{RebootDevice.facts.text}</p>
      <div class="row">
        <button type="button" class="main" disabled={busy.value} onClick={reboot}>
          Reboot
        </button>
        <NeedsLevel level={levelToCall(RebootDevice)} />
      </div>
    </section>
  );
}

function RebootWithoutSaving() {
  const link = scanner();
  const busy = useSignal(false);
  const unsaved = link.stored.unsaved.value;
  const reset = async () => {
    if (!(await mayNow(levelToCall(SoftReset)))) return;
    const question = {
      title: 'Reboot without saving?',
      text:
        unsaved === undefined
          ? `Every change that was not saved is lost. ${unknownWords(link.stored)}`
          : unsaved.length === 0
            ? 'Nothing is unsaved, so no parameter changes.'
            : 'These changes are lost. The parameters get the values that were saved last:',
      lines: (unsaved ?? []).map(
        (name) =>
          `${name}: ${shortText(name, link.value(name))} → ${shortText(name, link.stored.valueOf(name))}`,
      ),
      // If nothing is unsaved, nothing is lost.
      ...(unsaved?.length === 0 ? {} : { calls: SoftReset }),
      act: 'Reboot without saving',
      danger: true,
    };
    if (!(await confirmed(question))) return;
    await attempt(busy, levelToCall(SoftReset), async () => {
      await link.call(SoftReset.name, { ProcessorNbr: 0 });
      link.absences.expect('reboots');
    });
  };
  return (
    <section class="panel">
      <h2>Reboot without saving</h2>
      <p>{SoftReset.facts.text}</p>
      {unsaved !== undefined && (
        <p class="soft">
          {unsaved.length === 0
            ? 'Everything is saved: nothing would be lost.'
            : `${counted(unsaved.length, 'unsaved change')} would be lost.`}
        </p>
      )}
      <div class="row">
        <button type="button" class="danger" disabled={busy.value} onClick={reset}>
          Reboot without saving
        </button>
        <NeedsLevel level={levelToCall(SoftReset)} />
      </div>
    </section>
  );
}

function SaveOnly() {
  const link = scanner();
  const busy = useSignal(false);
  const date = link.value('LastParaDate');
  const time = link.value('LastParaTime');
  return (
    <section class="panel">
      <h2>Save</h2>
      <p>{WriteEeprom.facts.text}</p>
      {typeof date === 'string' && /\d/.test(date) && (
        <p class="soft">
          Saved last on {spokenByScanner(date, String(time ?? ''))}, by the clock of the scanner.
        </p>
      )}
      <div class="row">
        <button
          type="button"
          disabled={busy.value}
          onClick={() => attempt(busy, levelToCall(WriteEeprom), () => link.save())}
        >
          Save
        </button>
        <NeedsLevel level={levelToCall(WriteEeprom)} />
      </div>
    </section>
  );
}

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
