import {
  counted,
  isKnownIssue,
  isObject,
  issueText,
  type KnownIssue,
  knownIssueNames,
  releasesWith,
} from '@azimuth/model';
import {
  checkedFault,
  expectationOf,
  type FaultKind,
  FaultPlanError,
  faultKinds,
  isFaultKind,
  type Member,
  membersOf,
} from '@azimuth/model/faults';
import { nearestName } from '@azimuth/wording';
import { Option } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { readFaultPlan } from '../input/fault-plan.js';
import { Command } from '../options/command.js';
import { millisecondsIn } from '../options/option-values.js';
import { printable } from '../output/output.js';
import { TargetOutput } from '../scanners/target-output.js';
import { formattedLines, type Row } from '../values/format-value.js';
import type { SimAct, SimRun } from './control-port.js';

/** `azimuth sim fault`: plans faults by time, by count or at random. */
export function faultCommand(run: SimRun): Command {
  const command = new Command('fault')
    .summary('list, add and clear faults')
    .description(
      'List, add and clear faults of the network protocols and of the device. A fault happens by time, by count or at random: see docs/faults.md.',
    )
    .addCommand(listCommand(run))
    .addCommand(addCommand(run))
    .addCommand(loadCommand(run))
    .addCommand(knownIssueCommand(run))
    .addCommand(clearCommand(run));
  return command.withExamples(
    'azimuth sim fault add stream-loss --probability 0.05',
    'azimuth sim fault add http-status --endpoint LocationName --every 3',
    'azimuth sim fault add link-down --at 10s --for 5s',
    'azimuth sim fault load lossy.yaml',
    'azimuth sim fault known-issue 2.1.0/angle-filter',
    'azimuth sim fault list',
    'azimuth sim fault clear',
  );
}

function listCommand(run: SimRun): Command {
  const command = new Command('list')
    .summary('list the faults')
    .description('List the faults with their ids, and how often each has happened.')
    .action(() =>
      run(command.allOptions(), async (port, output) => {
        const { faults } = await port.read('faults');
        const listed = Array.isArray(faults) ? faults.filter(isObject) : [];
        await output.print(listed, () => formattedLines(listed.map(faultRow)));
      }),
    );
  return command.withControlOptions().withExamples('azimuth sim fault list');
}

function faultRow({ id, state, occasions, times, fault }: Record<string, unknown>): Row {
  const { kind, ...members } = isObject(fault) ? fault : {};
  const known = isFaultKind(kind) ? membersOf(kind) : {};
  const given = Object.entries(members).map(([name, value]) => {
    const member = known[name];
    const unit = member?.type === 'number' ? member.unit : undefined;
    return unit === undefined ? `${name} ${value}` : `${name} ${value} ${unit}`;
  });
  const parts = [`${kind}: ${state}`, `happened ${times} of ${counted(Number(occasions), 'time')}`, ...given];
  return [printable(String(id)), printable(parts.join(', '))];
}

function addCommand(run: SimRun): Command {
  const command = new Command('add')
    .summary('add a fault')
    .description(
      'Add a fault. It happens from now on, and prints its id. For its options: --help behind its name.',
    );
  for (const kind of Object.keys(faultKinds))
    if (isFaultKind(kind)) command.addCommand(kindCommand(kind, run));
  return command.withExamples(
    'azimuth sim fault add stream-loss --probability 0.05',
    'azimuth sim fault add http-latency --latency 200ms --jitter 50ms',
    'azimuth sim fault add stream-loss --help',
  );
}

function kindCommand(kind: FaultKind, run: SimRun): Command {
  const plain = faultKinds[kind].text.replaceAll('`', '');
  const command = new Command(kind)
    .summary(plain.charAt(0).toLowerCase() + plain.slice(1).replace(/\.$/, ''))
    .description(plain)
    .action(async () => {
      const plan = { faults: [faultFromOptions(kind, command.opts())] };
      await run(command.allOptions(), sending(plan));
    });
  for (const option of faultOptions(kind)) command.addOption(option);
  return command.withControlOptions().withExamples(`azimuth sim fault add ${kind}`);
}

function loadCommand(run: SimRun): Command {
  const command = new Command('load')
    .summary('add the faults of a file')
    .description('Add the faults of a file to those that there are.')
    .argument('<file>', 'plan of faults, YAML or JSON (- for stdin)')
    .action(async (file: string) => {
      const plan = await readFaultPlan(file);
      await run(command.allOptions(), sending(plan));
    });
  return command.withControlOptions().withExamples('azimuth sim fault load lossy.yaml');
}

function knownIssueCommand(run: SimRun): Command {
  const command = new Command('known-issue')
    .summary('add a known issue of the release')
    .description(
      'Give the scanner an issue that the release notes of the maker name for its release. Without an issue, list all.',
    )
    .argument('[issue]', 'release and name of the issue, as listed')
    .action(async (issue: string | undefined) => {
      const options = command.allOptions();
      if (issue === undefined) {
        const facts = knownIssueNames.map(issueFacts);
        await new TargetOutput(options).print(facts, () => formattedLines(knownIssueNames.map(issueRow)));
        return;
      }
      if (!isKnownIssue(issue)) throw new CommandFailure(unknownIssue(issue));
      await run(options, sending({ faults: [{ kind: 'known-issue', issue }] }));
    });
  return command
    .withControlOptions()
    .withExamples('azimuth sim fault known-issue', 'azimuth sim fault known-issue 2.1.0/angle-filter');
}

function issueFacts(issue: KnownIssue) {
  return { issue, releases: releasesWith(issue), text: issueText(issue) };
}

function issueRow(issue: KnownIssue): Row {
  return [issue, `${releasesWith(issue)}: ${issueText(issue)}`];
}

function unknownIssue(issue: string): string {
  const near = nearestName(issue, knownIssueNames);
  const hint = near === undefined ? '' : ` (did you mean ${near}?)`;
  return `there is no known issue "${printable(issue)}"${hint}: expected ${knownIssueNames.join(', ')}`;
}

function clearCommand(run: SimRun): Command {
  const command = new Command('clear')
    .summary('end and remove faults')
    .description('End and remove a fault. Without an id, all faults.')
    .argument('[id]', 'id of the fault, as listed')
    .action(async (id: string | undefined) => {
      const given = id === undefined ? {} : { id: parseFaultId(id) };
      await run(command.allOptions(), async (port, output) => {
        await port.command('faults/clear', given);
        await output.print({ ok: true }, () => []);
      });
    });
  return command.withControlOptions().withExamples('azimuth sim fault clear', 'azimuth sim fault clear 3');
}

/** Sends a plan, and prints the ids of its faults. */
function sending(plan: object): SimAct {
  return async (port, output) => {
    const { ids } = await port.command('faults', plan);
    const numbers = Array.isArray(ids) ? ids : [];
    await output.print({ ok: true, ids: numbers }, () => numbers.map(String));
  };
}

function parseFaultId(id: string): number {
  if (/^\d{1,15}$/.test(id)) return Number(id);
  throw new CommandFailure(`id: expected a number, got "${id}"`);
}

/** Returns the options of a kind of fault, one for each member. */
function faultOptions(kind: FaultKind): readonly Option[] {
  return Object.entries(membersOf(kind)).map(([name, member]) => {
    const flag = `--${memberFlag(name)}`;
    const usual = member.default === undefined ? '' : ` (default: ${member.default})`;
    const text = `${member.text.replaceAll('`', '')}: ${expectationOf(member)}${usual}`;
    return new Option(member.type === 'switch' ? flag : `${flag} <${memberPlaceholder(member)}>`, text);
  });
}

function memberFlag(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function memberPlaceholder(member: Member): string {
  if (member.type === 'number') return member.unit === 'ms' ? 'time' : 'number';
  return member.type === 'choice' ? 'choice' : 'text';
}

/**
 * Returns the checked fault from options.
 * @param options as commander returns them
 * @throws CommandFailure
 */
function faultFromOptions(kind: FaultKind, options: Readonly<Record<string, unknown>>): object {
  const members = Object.entries(membersOf(kind)).flatMap(([name, member]) => {
    const typed = options[name];
    return typed === undefined ? [] : [[name, parsed(member, typed)] as const];
  });
  try {
    return checkedFault({ kind, ...Object.fromEntries(members) });
  } catch (error) {
    if (error instanceof FaultPlanError) throw new CommandFailure(`--${error.message}`);
    throw error;
  }
}

/**
 * Parses a typed value. If it is not a value of the member, it is returned unchanged: the later check reports the
 * expected values.
 */
function parsed(member: Member, typed: unknown): unknown {
  if (typeof typed !== 'string') return typed;
  if (member.type === 'number' && member.unit === 'ms') return millisecondsIn(typed) ?? typed;
  if (member.type === 'number' && /^[+-]?(\d+\.?\d*|\.\d+)$/.test(typed)) return Number(typed);
  if (member.type === 'choice') return member.choices.find((choice) => String(choice) === typed) ?? typed;
  return typed;
}
