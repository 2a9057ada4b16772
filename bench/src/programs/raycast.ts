// Casts scans of scenes, by sweep and by brute force. Arguments: rounds, milliseconds of each turn, and the number of
// lines of each scene.
import { measureTasks } from '../microbenchmark.js';
import { raycastTasks } from '../raycast/tasks.js';

const [rounds = '', milliseconds = '', ...sizes] = process.argv.slice(2);
const tasks = sizes.flatMap((lines) => raycastTasks(Number(lines)));
process.send?.(await measureTasks(tasks, Number(rounds), Number(milliseconds)));
