/** The options of the command. */
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SETS, type McpToolSet } from "../../mcp/tools.js";

/** How to use the command. */
export const USAGE = `Usage: mnemic-mcp --file <path> [options]

A server of the Model Context Protocol with a memory in a file.

  --file <path>       the file of the memory; made when there is none
  --user <id>         whose memory; default: user
  --tools <sets>      of graph, facts, profile and recall, separated by commas; default: all
  --profiles <path>   a JSON file with the schemas of profiles, by their names
  --allow-missing     relations may name entities that were not created
  --import <path>     a memory.jsonl to read once; default: the one beside the file, if there is one
  --port <number>     serve http://127.0.0.1:<number>/mcp instead of the standard streams
  --origins <list>    with --port, the origins of pages that may call, separated by commas, such as https://chat.example; default: none

With MNEMIC_MCP_TOKEN in the environment, requests over HTTP need the header "Authorization: Bearer <token>".
`;

/** What was asked for. */
export interface CommandOptions {
  readonly file: string;
  readonly user: string;
  readonly tools: McpToolSet[] | undefined;
  readonly profiles: string | undefined;
  readonly allowsMissing: boolean;
  readonly jsonl: string | undefined;
  readonly port: number | undefined;
  /** The origins of pages that may call over HTTP. */
  readonly origins: string[] | undefined;
  /** What who calls over HTTP must know. */
  readonly token: string | undefined;
}

/**
 * Reads the arguments and the environment of the command; undefined when help was asked for.
 *
 * @throws Error when they are wrong.
 */
export function readOptions(args: string[], { MNEMIC_MCP_TOKEN: token }: NodeJS.ProcessEnv): CommandOptions | undefined {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args,
    options: {
      file: text,
      user: text,
      tools: text,
      profiles: text,
      import: text,
      port: text,
      origins: text,
      "allow-missing": { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return undefined;
  if (!values.file) throw new Error("--file is missing");
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535)) throw new Error(`--port is ${values.port}; pass a number from 0 to 65535`);
  if (token === "") throw new Error("MNEMIC_MCP_TOKEN is empty; set a long random text, or unset it");
  const tools = listed(values.tools) as McpToolSet[] | undefined;
  const unknown = tools?.find((set) => !SETS.includes(set));
  if (unknown !== undefined) throw new Error(`--tools has ${JSON.stringify(unknown)}; the sets are ${SETS.join(", ")}`);
  const origins = listed(values.origins);
  const wrong = origins?.find((origin) => !isOrigin(origin));
  if (wrong !== undefined) throw new Error(`--origins has ${JSON.stringify(wrong)}; pass scheme, host and port, such as https://chat.example or http://localhost:5173`);
  if (origins !== undefined && port === undefined) throw new Error("--origins is for pages that call over HTTP; pass --port too");
  return {
    file: atHome(values.file),
    user: values.user ?? "user",
    tools,
    profiles: values.profiles && atHome(values.profiles),
    allowsMissing: values["allow-missing"] ?? false,
    jsonl: values.import && atHome(values.import),
    port,
    origins,
    token,
  };
}

/** The items of a list. */
const listed = (text: string | undefined): string[] | undefined => text?.split(",").map((item) => item.trim());

/** Whether a text is an origin as browsers send it. */
const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

/** A path as a shell would give it: the configurations of clients go through none. */
function atHome(path: string): string {
  return path.startsWith("~/") ? join(homedir(), path.slice(2)) : path;
}
