import type { ConditionKind } from './condition-kind.js';
import { connectionConditions } from './connection-conditions.js';
import { deviceConditions } from './device-conditions.js';
import { scanConditions } from './scan-conditions.js';
import { settingsConditions } from './settings-conditions.js';

/** All kinds of conditions, in the order of the documentation. */
export const conditionKinds: readonly ConditionKind[] = [
  ...connectionConditions,
  ...deviceConditions,
  ...settingsConditions,
  ...scanConditions,
];
