import { createHash } from 'node:crypto';
import type { ConformanceCase } from '../cases/index.js';
import type { CaseResult, Verdict } from '../run/case-result.js';
import type { CheckReport } from '../run/check-report.js';
import type { CheckTool } from './json.js';

type SarifLevel = 'error' | 'warning' | 'note';

interface SarifText {
  readonly text: string;
}

interface SarifRule {
  readonly id: string;
  readonly shortDescription: SarifText;
  readonly fullDescription: SarifText;
  readonly help: SarifText;
  readonly defaultConfiguration: { readonly level: SarifLevel };
  readonly properties: Readonly<Record<string, string>>;
}

/** The part of SARIF 2.1.0 that a report uses. */
export interface SarifLog {
  readonly $schema: string;
  readonly version: '2.1.0';
  readonly runs: readonly {
    readonly tool: {
      readonly driver: { name: string; semanticVersion: string; rules: readonly SarifRule[] };
    };
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly level: SarifLevel;
      readonly message: SarifText;
      readonly locations: readonly {
        readonly physicalLocation: {
          readonly artifactLocation: { readonly uri: string };
          readonly region: { readonly startLine: number };
        };
        readonly logicalLocations: readonly { readonly fullyQualifiedName: string }[];
      }[];
      readonly partialFingerprints: Readonly<Record<string, string>>;
    }[];
  }[];
}

/** Level of a result in SARIF. Others are left out: readers of SARIF list what is to be done. */
const sarifLevels: Readonly<Partial<Record<Verdict, SarifLevel>>> = {
  fail: 'error',
  warn: 'warning',
  'unexpected-pass': 'note',
  noted: 'note',
};

/** Results that readers of SARIF accept in one run. */
const mostResults = 5000;

/**
 * Returns reports as SARIF 2.1.0: a rule for each case that is not as expected, and a result for each scanner that is not. A
 * scanner has no lines of code: the place of a result is the file that stands for it.
 * @param fileOf file in the repository that stands for a scanner, such as its profile
 */
export function sarifReport(
  reports: readonly CheckReport[],
  tool: CheckTool,
  fileOf: (report: CheckReport) => string = scannerFile,
): SarifLog {
  const found = reports
    .flatMap((report) =>
      report.results.flatMap((result) => {
        const level = sarifLevels[result.verdict];
        return level === undefined ? [] : [{ report, result, level }];
      }),
    )
    .slice(0, mostResults);
  const cases = new Map(found.map(({ result }) => [result.case.id, result.case]));
  const indexes = new Map([...cases.keys()].map((id, index) => [id, index]));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: tool.name, semanticVersion: tool.version, rules: [...cases.values()].map(rule) },
        },
        results: found.map(({ report, result, level }) => ({
          ruleId: result.case.id,
          ruleIndex: indexes.get(result.case.id) ?? -1,
          level,
          message: { text: messageOf(report, result) },
          locations: [
            {
              physicalLocation: { artifactLocation: { uri: fileOf(report) }, region: { startLine: 1 } },
              logicalLocations: [
                { fullyQualifiedName: `${report.scanner.url} ${result.failure?.at ?? ''}`.trim() },
              ],
            },
          ],
          partialFingerprints: { primaryLocationLineHash: fingerprint(report, result) },
        })),
      },
    ],
  };
}

function rule({ id, clause, place, level, stage }: ConformanceCase): SarifRule {
  return {
    id,
    shortDescription: { text: clause },
    fullDescription: { text: `${clause} [${place}]` },
    help: { text: `${clause} Stated in ${place}. azimuth check --only ${id} runs this case alone.` },
    defaultConfiguration: { level: level === 'must' ? 'error' : level === 'should' ? 'warning' : 'note' },
    properties: { level, stage, place },
  };
}

function messageOf({ scanner: { url } }: CheckReport, { failure, reason }: CaseResult): string {
  if (failure === undefined) return `${url}: ${reason ?? 'passed, although a deviation is declared'}`;
  const byHand = failure.byHand.length === 0 ? '' : ` By hand: ${failure.byHand.join(' ; ')}`;
  return `${url}: ${failure.at}: expected ${failure.expected}, came ${failure.came}.${byHand}`;
}

/** Returns what stays the same from run to run: the scanner and the case. */
function fingerprint({ scanner: { url } }: CheckReport, { case: { id } }: CaseResult): string {
  return createHash('sha256').update(`${url} ${id}`).digest('hex').slice(0, 32);
}

/** Returns a name of a file that stands for a scanner: `scanners/192.168.0.1`. */
function scannerFile({ scanner: { url } }: CheckReport): string {
  return `scanners/${url.replace(/^\w+:\/\//, '').replaceAll(/[^\w.-]/g, '-')}`;
}
