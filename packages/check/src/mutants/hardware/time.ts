import { inFile, type Mutant } from '../mutant.js';

const clock = 'packages/device/src/clock/device-time.ts';
const struct = 'packages/model/src/types/struct.ts';

/** Mutants of the area `time`. */
export const timeMutants: readonly Mutant[] = [
  ...inFile(
    'packages/model/src/envelope.ts',
    ...['month-0', 'month-13', 'day-0', 'day-32'].map(
      (time) => [`time.refused-${time}`, 'outOfRange: { code: 6,', 'outOfRange: { code: 2,'] as const,
    ),
  ),
  ...inFile('packages/model/src/groups/date-and-system-time.ts', [
    'time.without-login',
    "LSPsetdatetime: method({\n    level: 'AuthorizedClient'",
    "LSPsetdatetime: method({\n    level: 'open'",
  ]),
  ...inFile(
    'packages/device/src/date-and-system-time/synchronisation.ts',
    ['time.set', 'deviceTime.setBy(by);\n      this.#moved();', 'this.#moved();'],
    [
      'time.client-without-server',
      'if (this.state.Synchronised) return { ErrorCode: 1 };',
      'if (this.state.Synchronised || this.#settings.role !== TimeRole.TX_NONE) return { ErrorCode: 1 };',
    ],
    ['time.not-synchronised', 'Role: role, Server: server }', 'Role: 1, Server: server }'],
    [
      'time.other-variables',
      'if (!isSlave) this.#endSlave();',
      'if (!isSlave) this.#endSlave();\n    if (role === TimeRole.TX_NONE) this.#options.time.synchronise(0, zoneOffset(ianaZones[this.#settings.zone]));',
    ],
    [
      'time.ptp-listens',
      'const state = this.#client?.state ?? { ...time.type.initial, Role: role, Server: server };\n    if (role !== TimeRole.TX_PTP_SLAVE || !this.#isUp) return state;',
      'const state = this.#client?.state ?? { ...time.type.initial, Role: role, Server: server };\n    if (role !== TimeRole.TX_PTP_SLAVE || !this.#isUp) return state;\n    if (this.#isUp) return { ...state, Role: 1 };',
    ],
  ),
  ...inFile(
    struct,
    [
      'time.refused-hour-24',
      "usiHour: integer('uint8', { maximum: 23 })",
      "usiHour: integer('uint8', { maximum: 24 })",
    ],
    [
      'time.refused-minute-60',
      "usiMinute: integer('uint8', { maximum: 59 })",
      "usiMinute: integer('uint8', { maximum: 60 })",
    ],
    [
      'time.refused-second-60',
      "usiSec: integer('uint8', { maximum: 59 })",
      "usiSec: integer('uint8', { maximum: 60 })",
    ],
    ['time.refused-microsecond', 'maximum: 999_999', 'maximum: 1_000_000'],
  ),
  ...inFile(
    clock,
    ['time.microseconds', '+ to.udiUSec - this.#localMicroseconds', '- this.#localMicroseconds'],
    [
      'time.runs',
      'return this.#clock.monotonic() + this.#hostAhead;',
      'return this.#clock.monotonic() / 2 + this.#hostAhead;',
    ],
    [
      'time.next-day',
      'return dateTimeOf(Math.min(this.#localMicroseconds, lastMicrosecond));',
      'const now = dateTimeOf(Math.min(this.#localMicroseconds, lastMicrosecond));\n    return { ...now, usiMonth: now.usiDay === 1 && now.usiMonth === 1 ? 12 : now.usiMonth };',
    ],
    [
      'time.leap-day',
      'Date.UTC(to.uiYear, to.usiMonth - 1, to.usiDay)',
      'Date.UTC(to.uiYear, to.usiMonth - 1, to.usiDay + (to.usiMonth === 2 && to.usiDay === 28 ? 1 : 0))',
    ],
    ['time.earliest', 'to.uiYear < 1970', 'to.uiYear <= 1970'],
    ['time.latest', 'Date.UTC(2106, 0) * 1000 - 1', 'Date.UTC(2038, 0) * 1000 - 1'],
    [
      'time.set-back',
      'ahead: this.#ahead + microseconds };',
      'ahead: this.#ahead + Math.max(microseconds, 0) };',
    ],
    ['time.refused-year-1969', 'to.uiYear < 1970', 'to.uiYear < 1900'],
    [
      'time.refused-31-april',
      'date.getUTCMonth() !== to.usiMonth - 1 ||',
      'Math.abs(date.getUTCMonth() - to.usiMonth + 1) > 1 || to.usiMonth === 2 &&',
    ],
    [
      'time.refused-29-february',
      'date.getUTCMonth() !== to.usiMonth - 1 || date.getUTCDate() !== to.usiDay',
      'to.usiMonth !== 2 && date.getUTCDate() !== to.usiDay',
    ],
  ),
];
