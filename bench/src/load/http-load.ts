import type { Connection } from './connection.js';
import type { GetJob, LoadResult, PostJob, Posts } from './jobs.js';
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
  const { user, password, before } = job;
  const challengeText = challengeRequest(user);
  let hash1 = '';
  let turn = 0;

  function loginRequest({ endpoint, payloads }: Posts, challengeBody: string): string {
    const challenge = challengeIn(challengeBody);
    if (hash1 === '') hash1 = hash1Of(user, challenge.realm, password, challenge.salt);
    const header = loginHeader(user, hash1, challenge, endpoint);
    const payload = payloads[turn++ % payloads.length];
    const data = payload === undefined ? '' : `,"data":${payload}`;
    return postRequest(`/api/${endpoint}`, `{"header":${header}${data}}`);
  }

  return runLoad(job, (connection: Connection, again, window) => {
    /** @param done gets the times at which the challenge and the POST began */
    const post = (posts: Posts, done: (begun: number, lastBegun: number) => void) => {
      const begun = performance.now();
      connection.ask(challengeText, (challengeBody) => {
        const request = loginRequest(posts, challengeBody);
        const lastBegun = performance.now();
        connection.ask(request, (body) => {
          if (body !== posts.response)
            throw new Error(`${posts.endpoint} was refused: ${body.slice(0, 200)}`);
          done(begun, lastBegun);
        });
      });
    };
    const measured = () =>
      post(job, (begun, lastBegun) => {
        window.count(begun, lastBegun);
        if (again()) begin();
      });
    const begin = before === undefined ? measured : () => post(before, measured);
    begin();
  });
}
