import { type DateTime, dateAndSystemTime, extensions, type TimeState, type Variable } from '@azimuth/model';
import { atService, TestDevice } from '@azimuth/test-support/test-device';
import { FakeTimeServers, flushPromises } from './fake-time-servers.js';

const { LSPdatetime, TSCRole, TSCTCSrvAddr, TSCTCtimezone, TSCTCupdatetime } = dateAndSystemTime.members;
const { time } = extensions.members;

interface Settings {
  readonly role?: 0 | 1 | 3;
  readonly server?: readonly number[];
  readonly zone?: number;
  readonly updateTime?: number;
}

/** The host is at 2026-01-15 12:00 UTC; so is its local time. */
export class Clocked {
  private constructor(
    readonly testDevice: TestDevice,
    readonly servers: FakeTimeServers,
  ) {}

  static async open(): Promise<Clocked> {
    const servers = new FakeTimeServers();
    return new Clocked(await TestDevice.open({ timeServers: servers }), servers);
  }

  write({ role, server, zone, updateTime }: Settings): void {
    const values: readonly [Variable<unknown>, unknown][] = [
      [TSCTCupdatetime, updateTime],
      [TSCTCtimezone, zone],
      [TSCTCSrvAddr, server],
      [TSCRole, role],
    ];
    for (const [variable, value] of values) {
      if (value === undefined) continue;
      this.testDevice.device.write(variable, value, atService);
    }
  }

  get state(): TimeState {
    return this.testDevice.device.read(time);
  }

  /** The clock in words: `2026-01-15 12:00:00`. */
  get shows(): string {
    return clockText(this.testDevice.device.read(LSPdatetime));
  }

  async set(to: string): Promise<unknown> {
    const [uiYear = 0, usiMonth = 0, usiDay = 0, usiHour = 0, usiMinute = 0, usiSec = 0] = to
      .split(/\D/)
      .map(Number);
    const DateTime = { uiYear, usiMonth, usiDay, usiHour, usiMinute, usiSec, udiUSec: 0 };
    return this.testDevice.respond('LSPsetdatetime', { DateTime });
  }

  get logged(): readonly string[] {
    return this.testDevice.log.lines.map(({ message }) => message);
  }

  async pass(ms: number): Promise<void> {
    this.testDevice.clock.advance(ms);
    await flushPromises();
  }
}

export function clockText({ uiYear, usiMonth, usiDay, usiHour, usiMinute, usiSec }: DateTime): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${uiYear}-${two(usiMonth)}-${two(usiDay)} ${two(usiHour)}:${two(usiMinute)}:${two(usiSec)}`;
}
