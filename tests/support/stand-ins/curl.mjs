// As much of curl as the README uses, for machines without it: -s, -d DATA, --retry COUNT, --retry-connrefused, URL.
const options = process.argv.slice(2);
let url = '';
let body;
let retries = 0;
while (options.length > 0) {
  const option = options.shift();
  if (option === '-d') body = options.shift();
  else if (option === '--retry') retries = Number(options.shift());
  else if (option !== '-s' && option !== '--retry-connrefused') url = option;
}

for (;;) {
  try {
    const response = await fetch(url, body === undefined ? {} : { method: 'POST', body });
    process.stdout.write(await response.text());
    break;
  } catch (error) {
    if (retries-- === 0) throw error;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}
