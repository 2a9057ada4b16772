import { inFile, type Mutant } from '../mutant.js';

const indication = 'packages/device/src/contamination-indication/contamination.ts';
const sectors = 'packages/device/src/contamination-indication/sectors.ts';

/** Mutants of the area `contamination`. */
export const contaminationMutants: readonly Mutant[] = [
  ...inFile(
    'packages/model/src/groups/contamination-indication.ts',
    ['contamination.seven-sectors', 'sectorCount = 7', 'sectorCount = 12'],
    ['contamination.clean', 'CM_DATA_CLEAN: 1,\n  CM_DATA_WARN: 2', 'CM_DATA_CLEAN: 2,\n  CM_DATA_WARN: 1'],
  ),
  ...inFile(
    indication,
    [
      'contamination.off',
      'return sector === undefined ? SectorContamination.CM_DATA_NONE',
      'return sector === undefined ? SectorContamination.CM_DATA_CLEAN',
    ],
    [
      'contamination.order',
      'dirtOf(this.#levels[index] ?? 0',
      'dirtOf(this.#levels[this.#levels.length - 1 - index] ?? 0',
    ],
    ['contamination.response-time', 'const worse = usiResponseTime * 1000;', 'const worse = 3000;'],
    ['contamination.stopped', 'if (isAtRest(options.conditions) !== this.#isAtRest) this.#update();', ''],
    [
      'contamination.blocked',
      '[Dirt.blocked]: SectorContamination.CM_DATA_NONE',
      '[Dirt.blocked]: SectorContamination.CM_DATA_ERROR',
    ],
    ['contamination.no-warning-enabled', 'state.warning && config.bEnableWarning', 'state.warning'],
    ['contamination.no-error-enabled', 'state.error && config.bEnableError', 'state.error'],
    [
      'contamination.better-at-once',
      'CM_STRATEGY_SENSITIVE ? worse : 0 }',
      'CM_STRATEGY_SENSITIVE ? worse : worse }',
    ],
    ['contamination.better-later', 'CM_STRATEGY_SENSITIVE ? worse : 0 }', 'CM_STRATEGY_SENSITIVE ? 0 : 0 }'],
    [
      'contamination.active-sectors',
      'computed(ContaminationActiveSectors, () => this.activeSectors,',
      'computed(ContaminationActiveSectors, () => this.#config.CustomSectors,',
    ],
    [
      'contamination.status-warning',
      "conditions.set('DS_ServiceRecommended', reason, warning)",
      "conditions.set('DS_ServiceRequired', reason, warning)",
    ],
    [
      'contamination.status-error',
      "conditions.set('DS_ServiceRequired', reason, error)",
      "conditions.set('DS_RecoverableError', reason, error)",
    ],
    [
      'contamination.status-clean',
      'for (const set of error ? [require, recommend] : [recommend, require]) set();',
      'for (const set of error ? [require, recommend] : warning ? [recommend, require] : []) set();',
    ],
    [
      'contamination.change-of-configuration',
      'options.announcements.subscribeTo(followed, () => this.#update());',
      '',
    ],
  ),
  ...inFile(
    sectors,
    [
      'contamination.short-dirt',
      'reached.follow(raw >= dirt, now, raw >= dirt ? worse : better)',
      'reached.follow(raw >= dirt, now, raw >= dirt ? worse / 2 : better)',
    ],
    ['contamination.high-sensitivity', 'warning: 0.15, error: 0.3 }', 'warning: 0.15, error: 0.35 }'],
    ['contamination.medium-sensitivity', 'warning: 0.3, error: 0.5 }', 'warning: 0.29, error: 0.5 }'],
    ['contamination.low-sensitivity', 'warning: 0.5, error: 0.7 }', 'warning: 0.5, error: 0.69 }'],
    [
      'contamination.one-sector',
      'judged.some((dirt) => dirt >= least)',
      'judged.filter((dirt) => dirt >= least).length > 1',
    ],
    [
      'contamination.all-sectors',
      'judged.every((dirt) => dirt >= least)',
      'judged.some((dirt) => dirt >= least)',
    ],
    [
      'contamination.all-sectors-warning',
      'judged.every((dirt) => dirt >= least)',
      'judged.every((dirt) => dirt === least)',
    ],
    ['contamination.warning', 'error: reach(Dirt.error) }', 'error: reach(Dirt.warning) }'],
    [
      'contamination.blocked-as-error',
      'blockedAreErrors ? watched : watched.filter(',
      'blockedAreErrors ? watched.filter((dirt) => dirt !== Dirt.blocked) : watched.filter(',
    ],
    [
      'contamination.all-blocked',
      'warning: watched.length > 0, error: false',
      'warning: false, error: false',
    ],
  ),
  ...inFile(
    'packages/model/src/front-screen.ts',
    ['contamination.weather-hood', 'const sectorsBehindHood = 1', 'const sectorsBehindHood = 0'],
    [
      'contamination.custom-sectors',
      'return CustomSectors[sector] ?? true',
      'return CustomSectors[sector + 1] ?? true',
    ],
    [
      'contamination.custom-sectors-ignored',
      'case ContaminationCover.CM_COVER_NONE:\n        return true;',
      'case ContaminationCover.CM_COVER_NONE:\n        return CustomSectors[sector] ?? true;',
    ],
  ),
];
