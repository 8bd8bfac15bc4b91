/**
 * Memories on Cloudflare: an object per user, the Worker that leads users to their objects, and clients.
 *
 * @packageDocumentation
 */
export { durableObjectStorage, type DurableObjectStorageLike, type DurableObjectStorageObject, type DurableObjectStorageOptions } from "./storage.js";
export { MemoryObject, type MemoryObjectOptions, type ObjectMetric } from "./object.js";
export type { UserLimits } from "./limits.js";
export type { RemoteFiles, RemoteMemory } from "./calls.js";
export { RateLimitedError, responseOf, UnauthorizedError, UnreachableError, type Answer } from "./errors.js";
export { userMemory } from "./binding.js";
export type { MemoryNamespace } from "./names.js";
export { memoryRouter, type MemoryRouter, type MemoryRouterOptions, type RequestMetric } from "./router.js";
