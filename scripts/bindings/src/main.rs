//! Makes the JavaScript side of a module that uses wasm-bindgen, as its command line tool does for `--target web`.
//!
//! The tool itself takes minutes to compile, because a test runner with a web server and TLS comes with it.
//!
//! usage: `mnemic-bindings MODULE FOLDER NAME`, which writes `FOLDER/NAME.js` and `FOLDER/NAME_bg.wasm`

use std::error::Error;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder, name] = arguments.as_slice() else {
        return Err("usage: mnemic-bindings MODULE FOLDER NAME".into());
    };
    // A module of tests has a main function, which is not for a browser: the page picks the tests itself.
    Bindgen::new()
        .web(true)?
        .emit_start(false)
        // The build cuts the module by the names that the linker gave its functions.
        .demangle(false)
        .remove_producers_section(true)
        .input_path(module)
        .out_name(name)
        .generate(folder)?;
    Ok(())
}
