/** WebAssembly modules as runtimes import them that compile beforehand. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
