import { basicSettings, counted, DeviceStatus, general, type Method, status } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { Act, levelToSave, NeedsLevel, SaveButton } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { knownValue, levelToCall } from '../connection/declarations.js';
import { shortText } from '../forms/value-text.js';
import { unknownWords } from '../parameters/unsaved.js';
import { PageContent, Panel } from '../parts/panels.js';
import { spokenByScanner } from '../parts/texts.js';

const { RebootDevice, SoftReset, WriteEeprom } = general.members;

export default function Restart() {
  return (
    <PageContent title="Restart">
      <p class="lead">
        Start the scanner again, or only stop measuring. It measures nothing until it is back.
      </p>
      <div class="panels">
        <SaveAndReboot />
        <RebootWithoutSaving />
        <SaveOnly />
        <Measuring />
      </div>
    </PageContent>
  );
}

function SaveAndReboot() {
  const link = scanner();
  const level = levelToCall(RebootDevice);
  const reboot = async () => {
    await link.call(RebootDevice.name);
    link.absences.expect('reboots');
  };
  const question = () => {
    const unsaved = link.stored.unsaved.value;
    return {
      title: 'Save everything and reboot?',
      text:
        unsaved?.length === 0
          ? 'The scanner stops measuring, and is back in a while. Recordings that are not saved are lost.'
          : `${unsaved === undefined ? 'What is unsaved is' : 'These changes are'} saved first. Then the scanner stops measuring, and is back in a while.`,
      lines: unsaved ?? [],
      act: 'Reboot',
    };
  };
  return (
    <Panel title="Reboot">
      <p>{RebootDevice.facts.text}</p>
      <div class="row">
        <Act kind="main" level={level} act={reboot} question={question}>
          Reboot
        </Act>
        <NeedsLevel level={level} />
      </div>
    </Panel>
  );
}

function RebootWithoutSaving() {
  const link = scanner();
  const level = levelToCall(SoftReset);
  const known = link.known.value;
  const unsaved = link.stored.unsaved.value;
  const reset = async () => {
    await link.call(SoftReset.name, { ProcessorNbr: 0 });
    link.absences.expect('reboots');
  };
  const question = () => ({
    title: 'Reboot without saving?',
    text:
      unsaved === undefined
        ? `Every change that was not saved is lost. ${unknownWords(link.stored)}`
        : unsaved.length === 0
          ? 'Nothing is unsaved, so no parameter changes.'
          : 'These changes are lost. The parameters get the values that were saved last:',
    lines: (unsaved ?? []).map(
      (name) =>
        `${name}: ${shortText(name, link.value(name), known)} → ${shortText(name, link.stored.valueOf(name), known)}`,
    ),
    // If nothing is unsaved, nothing is lost.
    calls: unsaved?.length !== 0 ? SoftReset : undefined,
    act: 'Reboot without saving',
    danger: true,
  });
  return (
    <Panel title="Reboot without saving">
      <p>{SoftReset.facts.text}</p>
      {unsaved !== undefined && (
        <p class="soft">
          {unsaved.length === 0
            ? 'Everything is saved: nothing would be lost.'
            : `${counted(unsaved.length, 'unsaved change')} would be lost.`}
        </p>
      )}
      <div class="row">
        <Act kind="danger" level={level} act={reset} question={question}>
          Reboot without saving
        </Act>
        <NeedsLevel level={level} />
      </div>
    </Panel>
  );
}

function SaveOnly() {
  const link = scanner();
  const date = link.value('LastParaDate');
  const time = link.value('LastParaTime');
  return (
    <Panel title="Save">
      <p>{WriteEeprom.facts.text}</p>
      {typeof date === 'string' && /\d/.test(date) && (
        <p class="soft">
          Saved last on {spokenByScanner(date, String(time ?? ''))}, by the clock of the scanner.
        </p>
      )}
      <div class="row">
        <SaveButton link={link} kind="" />
        <NeedsLevel level={levelToSave} />
      </div>
    </Panel>
  );
}

const { mStandby, mStartMeasure, mStopMeasure } = basicSettings.members;

function Measuring() {
  const link = scanner();
  const busy = useSignal(false);
  const isOff = knownValue(link, status.members.DeviceStatus) === DeviceStatus.DS_SuspendedOperation;
  const stopBy = (method: Pick<Method<unknown, unknown>, 'name' | 'facts'>, act: string) => ({
    busy,
    level: levelToCall(method),
    act: () => link.call(method.name),
    question: () => ({
      title: `${act}?`,
      text: 'There are no scans then, and no field is watched, until measuring is started again.',
      act,
      danger: true,
    }),
  });
  return (
    <Panel title="Measuring">
      <p>
        {isOff
          ? 'Measuring is switched off: there are no scans.'
          : 'The scanner can pause without a reboot. In standby, its laser and its motor are off, too.'}
      </p>
      <div class="row">
        {isOff ? (
          <Act
            kind="main"
            busy={busy}
            level={levelToCall(mStartMeasure)}
            act={() => link.call(mStartMeasure.name)}
          >
            Start measuring
          </Act>
        ) : (
          <Act {...stopBy(mStopMeasure, 'Stop measuring')}>Stop measuring …</Act>
        )}
        <Act {...stopBy(mStandby, 'Go to standby')}>Standby …</Act>
        <NeedsLevel level={levelToCall(mStandby)} />
      </div>
    </Panel>
  );
}
