import type { Connection } from './connection.js';
import type { GetJob, LoadResult, PostJob } from './jobs.js';
import {
  challengeIn,
  challengeRequest,
  getRequest,
  hash1Of,
  loginHeader,
  postRequest,
} from './rest-messages.js';
import { runLoad } from './run-load.js';

/** Each connection sends its next request as soon as it has a response. Every body is compared. */
export function getLoad(job: GetJob): Promise<LoadResult> {
  const requests = job.paths.map(getRequest);
  let sent = 0;
  return runLoad(job, (connection: Connection, again, window) => {
    let begun = 0;
    const compare = (body: string) => {
      if (body !== job.body) throw new Error(`another body than expected: ${body.slice(0, 200)}`);
      window.count(begun, begun);
      if (again()) ask();
    };
    const ask = () => {
      begun = performance.now();
      const request = requests[sent++ % requests.length] ?? '';
      connection.ask(request, compare);
    };
    ask();
  });
}

/**
 * Each connection repeats a challenge and the POST that answers it. hash1 is computed once, as in any client; two
 * hashes remain for each operation.
 */
export async function postLoad(job: PostJob): Promise<LoadResult> {
  const { endpoint, user, password, payloads } = job;
  const path = `/api/${endpoint}`;
  const challengeText = challengeRequest(user);
  let hash1 = '';
  let turn = 0;

  function loginRequest(challengeBody: string): string {
    const challenge = challengeIn(challengeBody);
    if (hash1 === '') hash1 = hash1Of(user, challenge.realm, password, challenge.salt);
    const header = loginHeader(user, hash1, challenge, endpoint);
    const payload = payloads[turn++ % payloads.length];
    return postRequest(path, `{"header":${header}${payload === undefined ? '' : `,"data":${payload}`}}`);
  }

  return runLoad(job, (connection: Connection, again, window) => {
    let begun = 0;
    let lastBegun = 0;
    const logIn = (challengeBody: string) => {
      const request = loginRequest(challengeBody);
      lastBegun = performance.now();
      connection.ask(request, compare);
    };
    const compare = (body: string) => {
      if (body !== job.response) throw new Error(`${endpoint} was refused: ${body.slice(0, 200)}`);
      window.count(begun, lastBegun);
      if (again()) begin();
    };
    const begin = () => {
      begun = performance.now();
      connection.ask(challengeText, logIn);
    };
    begin();
  });
}
