/**
 * Storages of Node.
 *
 * @packageDocumentation
 */
export {};
