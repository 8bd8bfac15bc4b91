/**
 * A server of the Model Context Protocol over a user's memory: over stdio, over HTTP, and over any transport of the official SDK.
 *
 * @packageDocumentation
 */
export { mcpServer, type McpServer, type McpServerOptions } from "./server.js";
export type { McpToolSet } from "./tools.js";
export type { McpTransport } from "./session.js";
export type { McpUser } from "./user.js";
