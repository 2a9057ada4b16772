/** @packageDocumentation @internal */

export { allIds, unknownIds } from './cases/all-ids.js';
export {
  type Area,
  areas,
  type CaseException,
  type ConformanceCase,
  casesFor,
  type Need,
  needs,
  type ReleaseRange,
  type RequirementLevel,
  type Stage,
  stages,
} from './cases/index.js';
export { selectedBy } from './cases/selection.js';
export {
  productSubject,
  profileSubject,
  releaseOfProduct,
  versionOfProduct,
} from './profile/product-subject.js';
export { ProfileMistakes, profileIn } from './profile/read-profile.js';
export type { DeclaredDeviation, MeasuredLimits, ScannerProfile } from './profile/scanner-profile.js';
export { writtenProfile } from './profile/write-profile.js';
export { htmlReport } from './report/html.js';
export { type CheckTool, jsonReport } from './report/json.js';
export { junitReport } from './report/junit.js';
export { sarifReport } from './report/sarif.js';
export { isSignedReport, signedReport } from './report/signature.js';
export { type StatedReport, type StatedReports, statedReports } from './report/stated-report.js';
export { tableLines } from './report/table.js';
export { type CaseFailure, type CaseResult, type Verdict, verdicts } from './run/case-result.js';
export { type CheckReport, checkScanner } from './run/check-report.js';
export { identify, type ScannerFacts, type StatedEdition, subjectOf } from './run/identify.js';
export type { Leftover } from './run/leftover.js';
export { runAlone } from './run/run-alone.js';
export {
  type CaseSelection,
  type CheckRun,
  type RunOptions,
  runCases,
  runCheck,
  selectedCases,
} from './run/run-check.js';
export { editionSubject } from './scanner/checked-edition.js';
export type { CheckClock, CheckSubject, CheckTarget, Endpoint } from './scanner/checked-scanner.js';
export { Unmet } from './steps/step-context.js';
export { NoAnswer } from './wire/http-exchange.js';
