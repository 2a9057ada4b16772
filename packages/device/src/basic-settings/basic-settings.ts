import {
  basicSettings,
  DeviceStatus,
  device,
  fieldOfView,
  LampId,
  LEDColor,
  LEDFunction,
  type ProfileFacts,
  StateChange,
  status,
  type ValueOf,
} from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { computed, type Feature, method } from '../feature.js';
import type { ContainedHardware } from '../hardware/contained-hardware.js';
import type { Clock } from '../interfaces/environment.js';
import type { Lamp as HardwareLamp } from '../interfaces/hardware/index.js';
import type { Conditions } from '../lifecycle/conditions.js';
import type { Measuring } from '../measuring/measuring.js';
import type { MeasuringState } from '../measuring/measuring-state.js';
import type { Parameters } from '../parameters/parameters.js';

const { LEDEnable, LEDState, PerformanceProfileNumber, ScanConfig } = basicSettings.members;
const { mStartMeasure, mStopMeasure, mStandby } = basicSettings.members;

interface Options {
  readonly parameters: Parameters;
  readonly conditions: Conditions;
  readonly clock: Clock;
  readonly announcements: Announcements;
  readonly hardware: Pick<ContainedHardware, 'lamps' | 'findMe'>;
}

type Lamp = ValueOf<'LEDState'>[number];

/** The two lamps: one shows the state of the device, the other helps to find it. */
export class Lamps implements Feature {
  readonly computed = [computed(LEDState, () => this.state, [LEDEnable, status.members.DeviceStatus])];
  readonly methods = [
    method(device.members.FindMe, ({ uiDuration }) => {
      this.findMe(uiDuration);
      return {};
    }),
  ];
  readonly #options: Options;
  #stopBlinking: (() => void) | undefined;
  /** ms of the monotonic clock. */
  #blinksUntil = 0;
  #hasEnded = false;

  constructor(options: Options) {
    const { announcements, hardware } = options;
    this.#options = options;
    const followed = [LEDState, LEDEnable, status.members.DeviceStatus];
    if (hardware.lamps !== undefined) announcements.subscribeTo(followed, () => this.#show());
  }

  /** Called at a boot: the lamp that helps to find the scanner is off. */
  boot(): void {
    this.#blink(undefined);
  }

  /** Blinks for this many seconds from now, also while the lamps are switched off. */
  findMe(seconds: number): void {
    this.#blink(this.#blinkFor(seconds * 1000));
    this.#options.hardware.findMe(seconds);
  }

  /** Remembers how long the lamp still blinks. */
  remember(): () => void {
    const { clock } = this.#options;
    const left = this.#stopBlinking === undefined ? 0 : this.#blinksUntil - clock.monotonic();
    return () => {
      this.#blink(left > 0 ? this.#blinkFor(left) : undefined);
    };
  }

  #blinkFor(milliseconds: number): () => void {
    const { clock } = this.#options;
    this.#blinksUntil = clock.monotonic() + milliseconds;
    return clock.after(milliseconds, () => this.#blink(undefined));
  }

  /** All lamps are off when the scanner has ended. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    await this.#options.hardware.lamps?.end(this.state.map((lamp) => ({ ...shownLamp(lamp), shows: 'off' })));
  }

  /** @param stop undefined: blinking has ended */
  #blink(stop: (() => void) | undefined): void {
    this.#stopBlinking?.();
    this.#stopBlinking = stop;
    this.#options.announcements.changed([LEDState]);
  }

  #show(): void {
    const { hardware, parameters } = this.#options;
    // Before the first boot, it has no parameters.
    if (!this.#hasEnded && parameters.has(LEDEnable)) hardware.lamps?.set(this.state.map(shownLamp));
  }

  get state(): readonly Lamp[] {
    const blinking = this.#stopBlinking !== undefined;
    const enabled = this.#options.parameters.read(LEDEnable);
    return [
      { ...this.#ofDevice(enabled), Id: LampId.STATE },
      {
        Color: LEDColor.YELLOW,
        // The function that devices call "find me" in their telegrams.
        Function: blinking ? LEDFunction.BLINKING_COLOR : LEDFunction.OFF,
        Id: LampId.FIND,
      },
    ];
  }

  #ofDevice(enabled: boolean): Omit<Lamp, 'Id'> {
    switch (this.#options.conditions.deviceStatus) {
      case DeviceStatus.DS_RecoverableError:
      case DeviceStatus.DS_FatalError:
        return { Color: LEDColor.RED, Function: shown(enabled, LEDFunction.ON) };
      case DeviceStatus.DS_ServiceRequired:
        return { Color: LEDColor.RED, Function: shown(enabled, LEDFunction.BLINKING) };
      case DeviceStatus.DS_ServiceRecommended:
        return { Color: LEDColor.YELLOW, Function: shown(enabled, LEDFunction.BLINKING) };
      case DeviceStatus.DS_NormalOperation:
        return { Color: LEDColor.GREEN, Function: shown(enabled, LEDFunction.ON) };
      default:
        return { Color: LEDColor.YELLOW, Function: shown(enabled, LEDFunction.ON) };
    }
  }
}

/** A lamp for the hardware. */
function shownLamp({ Id, Color, Function: shows }: Lamp): HardwareLamp {
  return { id: Id === LampId.FIND ? 'find' : 'state', color: colors[Color], shows: lampStates[shows] };
}

const colors = {
  [LEDColor.GREEN]: 'green',
  [LEDColor.YELLOW]: 'yellow',
  [LEDColor.RED]: 'red',
  [LEDColor.WHITE]: 'white',
} as const;

const lampStates = {
  [LEDFunction.ON]: 'on',
  [LEDFunction.OFF]: 'off',
  [LEDFunction.BLINKING]: 'blinking',
  [LEDFunction.BLINKING_FAST]: 'blinking',
  [LEDFunction.BLINKING_DELAYED]: 'blinking',
  [LEDFunction.BLINKING_COLOR]: 'blinking',
  [LEDFunction.BLINKING_YELLOW_RED]: 'blinking',
} as const;

function shown(enabled: boolean, lit: Lamp['Function']): Lamp['Function'] {
  return enabled ? lit : LEDFunction.OFF;
}

/** Starts and stops measuring, and computes ScanConfig from the performance profile. */
export function operation({
  parameters,
  measuring,
}: {
  readonly parameters: Parameters;
  readonly measuring: Measuring;
}): Feature {
  const requestState = (state: MeasuringState) => ({
    ErrorCode: measuring.request(state)
      ? StateChange.SOPAS_ERR_NO_ERR
      : StateChange.SOPAS_ERR_STATE_CHANGE_NOT_PERMITTED,
  });
  return {
    computed: [computed(ScanConfig, () => scanConfigOf(parameters.profile), [PerformanceProfileNumber])],
    methods: [
      method(mStartMeasure, () => requestState('measuring')),
      method(mStopMeasure, () => requestState('stopped')),
      method(mStandby, () => requestState('standby')),
    ],
  };
}

function scanConfigOf({ frequency, resolution }: ProfileFacts): ValueOf<'ScanConfig'> {
  const range = {
    udiAngleRes: resolution,
    diStartAngle: fieldOfView.minimum,
    diStopAngle: fieldOfView.maximum,
  };
  return { udiScanFreq: frequency, ScanRange: { uiLength: 1, aRange: [range] } };
}
