/** The folder of this app, where other lock files are above it. */
export default { turbopack: { root: import.meta.dirname } };
