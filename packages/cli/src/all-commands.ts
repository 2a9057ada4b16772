import type { Command } from 'commander';
import { backupCommand } from './commands/backup.js';
import { callCommand } from './commands/call.js';
import { certificateCommand } from './commands/certificate.js';
import { describeCommand } from './commands/describe.js';
import { diagnoseCommand } from './commands/diagnose.js';
import { discoverCommand } from './commands/discover.js';
import { firmwareCommand } from './commands/firmware.js';
import { getCommand } from './commands/get.js';
import { passwordCommand } from './commands/password.js';
import { recordCommand } from './commands/record.js';
import { restoreCommand } from './commands/restore.js';
import { scanCommand } from './commands/scan.js';
import { serveCommand } from './commands/serve.js';
import { setCommand } from './commands/set.js';
import { simCommand } from './commands/sim.js';
import { updateCommand } from './commands/update.js';
import { usersCommand } from './commands/users.js';
import { watchCommand } from './commands/watch.js';
import { programOf } from './program.js';

/** The whole command line. */
export function azimuthProgram(): Command {
  return programOf([
    serveCommand(),
    discoverCommand(),
    getCommand(),
    setCommand(),
    callCommand(),
    describeCommand(),
    watchCommand(),
    scanCommand(),
    recordCommand(),
    backupCommand(),
    restoreCommand(),
    updateCommand(),
    diagnoseCommand(),
    certificateCommand(),
    passwordCommand(),
    usersCommand(),
    firmwareCommand(),
    simCommand(),
  ]);
}
