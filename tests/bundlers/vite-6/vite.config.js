export default { optimizeDeps: { exclude: ["mnemic"] } };
