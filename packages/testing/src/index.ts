/** @packageDocumentation @stable */

export type { Scanner } from '@azimuth/client';
export type { Ports } from '@azimuth/server';
export type { Odometry, ScanSelection, VehiclePose } from '@azimuth/simulation/control';
export type { FaultPlan } from '@azimuth/simulation/faults';
export type { JournalEntry } from '@azimuth/simulation/journal';
export type { ScanTruth, TrueBeam, TrueSurface } from '@azimuth/simulation/world';
export type { ParameterValues } from './fixtures.js';
export { Power } from './power.js';
export type { MockTimers, ProductTimers, RunnerTimers, TimersOption } from './product-timers.js';
export type { Actor, DriveCommand } from './simulation.js';
export { Simulation } from './simulation.js';
export { Snapshot } from './snapshot.js';
export type { StartOptions } from './start-options.js';
export { startScanner } from './start-scanner.js';
/** @experimental */
export { startWorld, TestWorld } from './start-world.js';
export { type JournalCall, type JournalWrite, TestJournal, type WaitOptions } from './test-journal.js';
export { TestScanner } from './test-scanner.js';
/** @experimental */
export type { WorldOptions, WorldScannerOptions } from './world-options.js';
