import {
  basicSettings,
  contaminationIndication,
  device,
  status as deviceStatus,
  sectorStates,
} from '@azimuth/model';
import { Act, NeedsLevel } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { knownValue, levelToCall } from '../connection/declarations.js';
import { Facts } from '../parts/panels.js';
import { linkTo } from '../parts/route.js';
import { deviceState, StateMark } from '../parts/states.js';
import { conditionOf } from './condition.js';
import { SectorRing } from './sector-ring.js';
import { type Lamp, lampColour, lampLight, lampPurpose, lampText, screenText } from './words.js';

const { FindMe } = device.members;
const { LEDState } = basicSettings.members;
const { temperatureAlarmStatus } = deviceStatus.members;
const { ContaminationConfig, ContaminationData } = contaminationIndication.members;

/** s for which the lamps blink. */
const blinkFor = 20;

export function DevicePicture() {
  const link = scanner();
  const lamps = knownValue(link, LEDState) ?? [];
  const contamination = knownValue(link, ContaminationData);
  const sectors = contamination && sectorStates(contamination, knownValue(link, ContaminationConfig));
  const isHot = knownValue(link, temperatureAlarmStatus) === true;
  const status = link.value('DeviceStatus');
  const condition = conditionOf(link.state.value, status, isHot);
  const { severity, word, advice } = condition.severity === 'good' ? deviceState(status) : condition;
  return (
    <section class="panel device-panel" aria-label="State">
      <svg
        class="device"
        viewBox="-104 -104 208 196"
        role="img"
        aria-label={`The scanner from above. ${word}. ${sectors === undefined ? '' : screenText(sectors)}`}
      >
        <path class="ahead" d="M0 -101 5 -92H-5Z" />
        {sectors !== undefined && <SectorRing sectors={sectors} inner={64} outer={88} />}
        <circle class="housing" r="54" />
        <circle class="window" r="40" />
        <path class="plug" d="M-10 52H10V64H-10Z" />
        {lamps.map((lamp, index) => (
          <LampLight key={lamp.Id} lamp={lamp} x={(index - (lamps.length - 1) / 2) * 26} />
        ))}
      </svg>
      <div class="stack">
        <p>
          <StateMark severity={severity}>{word}</StateMark>
          <br />
          <span class="soft">{advice}</span>
        </p>
        {lamps.length > 0 && (
          <Facts of={lamps.map((lamp) => [`${lampPurpose(lamp.Id)} lamp`, lampText(lamp)])} />
        )}
        {sectors !== undefined && (
          <p>
            {screenText(sectors)}{' '}
            <a href={linkTo('parameters', ContaminationConfig.name)}>Detection of dirt</a>
          </p>
        )}
        <FindIt />
      </div>
    </section>
  );
}

function LampLight({ lamp, x }: { lamp: Lamp; x: number }) {
  return (
    <g class={`lamp ${lampColour(lamp)} ${lampLight(lamp)}`}>
      <title>{`${lampPurpose(lamp.Id)}: ${lampText(lamp)}`}</title>
      <circle class="glow" cx={x} r="11" />
      <circle class="bulb" cx={x} r="7" />
    </g>
  );
}

/** Makes the lamps blink, so that a person in front of several scanners sees which one this is. */
function FindIt() {
  const link = scanner();
  const level = levelToCall(FindMe);
  return (
    <div class="row">
      <Act
        level={level}
        act={() => link.call(FindMe.name, { uiDuration: blinkFor })}
        title="Its lamp blinks fast, so that you see which scanner it is"
      >
        Find it: blink for {blinkFor} s
      </Act>
      <NeedsLevel level={level} />
    </div>
  );
}
