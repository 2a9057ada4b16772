export { Fleet, type FleetOptions, type StateCounts } from './fleet.js';
export { FrontPort } from './front/front-port.js';
export type { ListedUnit } from './front/listed-unit.js';
export { sendOverviewPage } from './front/overview-page.js';
export { type ScannerPath, scannerPathOf } from './front/scanner-path.js';
export { FleetStore } from './store/fleet-store.js';
export { DamagedJournal } from './store/journal.js';
export type { UnitState } from './units/unit.js';
export type { UnitFacts, UnitPorts } from './units/unit-facts.js';
