// Each worker of the tests has a folder of its own for what programs keep of a user, such as the log of a monitor: two
// monitors cannot share one, and the log of the developer stays as it is.
import { tmpdir } from 'node:os';
import { join } from 'node:path';

process.env.XDG_STATE_HOME = join(tmpdir(), `azimuth-test-state-${process.pid}`);
