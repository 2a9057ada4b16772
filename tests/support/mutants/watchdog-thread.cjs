// Runs beside the event loop that it watches: a loop that never ends cannot stop it.
const { writeSync } = require('node:fs');
const { parentPort } = require('node:worker_threads');

let timer;

/** Each message is what runs now, with its longest time; null if nothing runs any more. */
parentPort.on('message', (running) => {
  clearTimeout(timer);
  if (running === null) return;
  const { text, milliseconds } = running;
  timer = setTimeout(() => {
    writeSync(2, `${text}: has not ended within ${milliseconds / 1000} s, so its process is ended\n`);
    process.kill(process.pid, 'SIGKILL');
  }, milliseconds);
});
