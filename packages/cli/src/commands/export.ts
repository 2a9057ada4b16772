import { CommandFailure } from '../command-failure.js';
import { maxFileBytes, readTextFileIfExists } from '../input/bounded-file.js';
import type { Command, DeviceOptions } from '../options/command.js';
import { jsonText } from '../output/output.js';
import { scannerAt } from '../scanners/connection.js';
import { asDescribed, describedBy } from '../scanners/described.js';
import { withScanners } from '../scanners/each-scanner.js';
import { filesOfScanners, newFileText, scannersByFile } from '../scanners/file-per-scanner.js';
import type { Target } from '../scanners/target.js';
import { exportedFrom } from '../site/exported-scanner.js';
import { exportedText } from '../site/site-document.js';
import { OutputFile, requireFolder, standardOutput } from '../transfers/output-file.js';
import { FileMistakes } from '../yaml/yaml-file.js';

export function defineCommand(command: Command): Command {
  return command
    .description(
      'Write the parameters of scanners into a site file (YAML), which azimuth apply writes back. If the file is there, its values are brought up to date: its comments, its order and its other scanners stay. The file never contains passwords.',
    )
    .argument('<file>', `file to write; - for standard output. ${newFileText}`)
    .option('--listed', 'for scanners that the file has, only the parameters that it has')
    .option('--changed', 'only the parameters that differ from the factory values')
    .action((file: string) => exportSite(file, command.allOptions()))
    .withDeviceOptions()
    .withForce()
    .withExamples(
      'azimuth export hall.yaml --device http://192.168.0.1',
      'azimuth export @hall/* hall.yaml',
      'azimuth export @hall/* sites/{date}/{scanner}.yaml    (a file for each scanner)',
      'azimuth export @hall/* hall.yaml --listed    (after a change; the file decides what it is about)',
      'azimuth export @* site.yaml --changed    (what you have set, and nothing else)',
      'azimuth export - | grep Port',
    );
}

interface Options extends DeviceOptions {
  readonly listed?: boolean;
  readonly changed?: boolean;
  readonly force?: boolean;
}

/** A site file to write: one for all scanners, or one for each if its name has {scanner}. */
interface ExportFile {
  readonly path: string;
  readonly targets: readonly Target[];
  readonly output: OutputFile;
  /** Its present content. */
  readonly text: string | undefined;
}

async function exportSite(path: string, options: Options): Promise<void> {
  const listed = options.listed === true;
  await withScanners(options, async (scanners) => {
    const files: ExportFile[] = [];
    for (const [name, targets] of scannersByFile(filesOfScanners(path, scanners.targets))) {
      await requireFolder(name);
      const output = await OutputFile.changed(name);
      const text = options.force === true ? undefined : await existing(name);
      if (text !== undefined) {
        // Checks that it is a site file. Only names that the model does not know need a request.
        await asDescribed(targets, (known) => exportedText(name, text, [], { listed, known })).catch(
          onlyWithoutMistakes,
        );
      }
      files.push({ path: name, targets, output, text });
    }
    const changed = options.changed === true;
    const values = await scanners.each((target, output) =>
      exportedFrom(scannerAt(target), {
        key: target.label,
        changed,
        remark: (text) => output.remark(text),
      }),
    );
    const known = await describedBy([...values.keys()]);
    for (const file of files) {
      const exported = file.targets.flatMap((target) => values.get(target) ?? []);
      if (exported.length === 0) continue;
      const bytes = await file.output.write(
        inOnePiece(exportedText(file.path, file.text, exported, { listed, known })),
      );
      if (options.json === true && file.path !== standardOutput) {
        process.stdout.write(
          `${jsonText({ file: file.path, bytes, scanners: exported.map(({ key }) => key) })}\n`,
        );
      }
    }
  });
}

async function existing(path: string): Promise<string | undefined> {
  if (path === standardOutput) return undefined;
  const text = await readTextFileIfExists(path, { limit: maxFileBytes.site });
  return text?.trim() === '' ? undefined : text;
}

/** @throws CommandFailure */
function onlyWithoutMistakes(error: unknown): never {
  if (!(error instanceof FileMistakes)) throw error;
  throw new CommandFailure(
    `${error.message}. Only a site file without mistakes is brought up to date; --force replaces the file`,
  );
}

async function* inOnePiece(text: string): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(text);
}
