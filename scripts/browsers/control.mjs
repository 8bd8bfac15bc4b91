/** Hands steps to the page of `steps.mjs`, and its answers back. */
import { once } from "node:events";
import { createServer } from "node:http";

/** How long a page may take for one step, in milliseconds: one that hangs must not hold up all that comes after it. */
const PATIENCE = 300_000;

/** Answers the address that the page is told, and `run`, which ends with the page's answer to one step. */
export async function control() {
  const steps = [];
  let asking, answered;
  const give = () => {
    if (asking === undefined || steps.length === 0) return;
    asking.end(JSON.stringify(steps.shift()));
    asking = undefined;
  };
  const server = createServer(async (request, response) => {
    response.setHeader("Access-Control-Allow-Origin", "*");
    if (request.method === "GET") {
      asking = response;
      return give();
    }
    let body = "";
    for await (const piece of request) body += piece;
    response.end();
    answered(JSON.parse(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    run(step) {
      steps.push(step);
      const answer = new Promise((resolve, reject) => {
        answered = resolve;
        setTimeout(() => reject(new Error(`no answer to ${JSON.stringify(step)} within ${PATIENCE} ms`)), PATIENCE).unref();
      });
      give();
      return answer;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
