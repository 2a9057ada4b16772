// Encodes telegrams of scan data. Arguments: rounds, milliseconds of each turn, and the numbers of echoes.
import { measureTasks } from '../microbenchmark.js';
import { libraryEncode } from '../telegram/msgpack-library.js';
import { telegramTasks } from '../telegram/tasks.js';

const [rounds = '', milliseconds = '', ...echoes] = process.argv.slice(2);
const encode = await libraryEncode();
const tasks = echoes.flatMap((count) => telegramTasks(Number(count), encode));
process.send?.(await measureTasks(tasks, Number(rounds), Number(milliseconds)));
