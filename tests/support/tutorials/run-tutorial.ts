import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@azimuth/test-support/free-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServeProcess } from './serve-process.js';
import { BusyTerminal, Shell } from './terminals.js';
import { isAsExpected, type Step, tutorialIn } from './tutorial.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const pages = join(root, 'docs', 'tutorials');

/** The port of the device search, at which the first scanner of a page answers. */
const usualSearchPort = '30718';

/** With this variable, the outputs in the pages are replaced by those of the run. */
const updates = process.env.AZIMUTH_UPDATE_TUTORIALS === '1';

const pageOf = (name: string) => readFileSync(join(pages, name), 'utf8');

const all = readdirSync(pages).filter((name) => name.endsWith('.md'));
/** Programs beside Node that commands of a page start. */
const needsPrograms = (name: string) => /\n\$ (cc|prometheus) /.test(pageOf(name));

/** Ports that pages name, and that a run replaces by free ones: of monitors, of Prometheus and of what they tell. */
const portsInPages = ['9464', '9090', '8099'];

/** The pages of the tutorials: those that need programs beside Node, and the others. */
export const tutorials = {
  all: all.map((name) => ({ name, ...tutorialIn(pageOf(name)) })),
  withNode: all.filter((name) => !needsPrograms(name)),
  withPrograms: all.filter(needsPrograms),
  text: pageOf,
};

/** Registers tests that do what a tutorial says, in an empty folder beside a clone, and compare what is printed. */
export function runTutorial(name: string): void {
  describe(name, () => {
    const page = pageOf(name);
    const { servers, scenarios } = tutorialIn(page);
    const folder = mkdtempSync(join(tmpdir(), 'azimuth-tutorial-'));
    const running: ServeProcess[] = [];
    const terminals = new Map<string, BusyTerminal>();
    const outputs = new Map<number, string>();
    /** What stands in the page for what is true in this run. */
    const instead: [written: string, here: string][] = [];
    let shell: Shell;

    beforeAll(async () => {
      mkdirSync(join(folder, 'bin'));
      symlinkSync(join(root, 'packages', 'cli', 'bin', 'azimuth.js'), join(folder, 'bin', 'azimuth'));
      symlinkSync(join(root, 'examples'), join(folder, 'examples'));
      symlinkSync(root, join(folder, 'azimuth'));
      for (const command of servers) {
        const server = await ServeProcess.start(command, folder);
        instead.push([`http://127.0.0.1:${8080 + running.length}`, server.url]);
        running.push(server);
      }
      for (const port of portsInPages)
        if (page.includes(port)) instead.push([port, String(await freePort())]);
      const [first] = running;
      if (first !== undefined) instead.push([usualSearchPort, String(first.searchPort)]);
      // The programs of a page without such scanners have the usual port, too.
      if (servers.length === 0) instead.push(['8080', String(await freePort())]);
      const inherited = Object.entries(process.env).filter(
        ([key]) => !/^(AZIMUTH|NODE|VITEST|npm)(_|$)/.test(key),
      );
      shell = new Shell(folder, {
        ...Object.fromEntries(inherited),
        PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter),
        XDG_CONFIG_HOME: join(folder, 'config'),
        XDG_STATE_HOME: join(folder, 'state'),
        npm_config_offline: 'true',
        AZIMUTH_DEVICE: running[0]?.url,
        AZIMUTH_CONTROL: running[0]?.control,
        AZIMUTH_PASSWORD: 'servicelevel',
      });
    });

    afterAll(async () => {
      await Promise.all([...running, ...terminals.values()].map((one) => one.end()));
      rmSync(folder, { recursive: true, force: true });
      if (!updates) return;
      const typed = scenarios.flatMap(({ steps }) => steps.flatMap((step) => ('from' in step ? [step] : [])));
      const updated = typed
        .toReversed()
        .reduce(
          (before, { from, to }) => before.slice(0, from) + (outputs.get(from) ?? '') + before.slice(to),
          page,
        );
      writeFileSync(join(pages, name), updated);
    });

    const here = (text: string) =>
      instead.reduce((before, [written, now]) => before.replaceAll(written, now), text);
    const asWritten = (text: string) =>
      instead.reduce((before, [written, now]) => before.replaceAll(now, written), text);

    /** Does what a step says, and returns what is printed. */
    async function printedBy(step: Step): Promise<string> {
      if (step.kind === 'file') {
        writeFileSync(join(shell.cwd, step.name), here(step.content));
        return '';
      }
      const command = here(step.command);
      if (step.kind === 'command') return shell.run(command);
      const terminal = terminals.get(step.terminal) ?? new BusyTerminal();
      terminals.set(step.terminal, terminal);
      return terminal.start({ command, output: here(step.output) }, shell);
    }

    it.each(scenarios)('$title', async ({ steps }) => {
      for (const step of steps) {
        const printed = asWritten(await printedBy(step));
        if (step.kind === 'file') continue;
        const { command, output, from } = step;
        const isRight = isAsExpected(printed, output);
        outputs.set(from, isRight ? output : printed);
        if (!updates) expect(isRight, `${command}\nexpected:\n${output}\nprinted:\n${printed}`).toBe(true);
      }
      expect(steps.length).toBeGreaterThan(0);
    });
  });
}
