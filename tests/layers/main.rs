//! Dependencies point one way.
//!
//! Every module of the crate has a row in [`LAYERS`], and names only modules of its own layer or of layers above it in the
//! list. Code that only tests compile may name anything.

mod ranks;
mod source;

use source::{code_of, names_word, paths, reexports, without_test_items};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What lives together, and whether its modules may name one another.
struct Layer {
    modules: &'static [&'static str],
    siblings: bool,
}

/// From what knows nothing to what knows everything.
const LAYERS: &[Layer] = &[
    Layer {
        modules: &[
            "error",
            "id",
            "time",
            "scope",
            "ordered",
            "json",
            "sort",
            "growth",
            "phrase",
            "pieces",
            "numbering",
            "places",
            "lowercase",
            "base64",
            "among",
            "record",
            "filter",
            "embedding",
            "schema",
            "tokens",
            "checksum",
        ],
        siblings: true,
    },
    Layer { modules: &["log", "index"], siblings: false },
    Layer { modules: &["store"], siblings: false },
    Layer { modules: &["ports"], siblings: false },
    Layer { modules: &["storage"], siblings: false },
    Layer { modules: &["vault"], siblings: false },
    Layer { modules: &["database"], siblings: false },
    Layer { modules: &["memory"], siblings: false },
    Layer { modules: &["engine"], siblings: false },
    Layer { modules: &["web"], siblings: false },
];

/// The crates that know of JavaScript, and the one module that may name them.
const WEB_CRATES: &[&str] =
    &["wasm_bindgen", "wasm_bindgen_futures", "js_sys", "web_sys", "gloo_storage", "serde_wasm_bindgen"];
const WEB_MODULE: &str = "web";

/// What only some files of the package may import; a name that ends in `/` is a folder.
const PACKAGE_IMPORTS: &[(&str, &[&str])] =
    &[("node:", &["entry/node.ts", "node/"]), ("cloudflare:", &["cloudflare/"])];

fn layer_of(module: &str) -> Option<(usize, &'static Layer)> {
    LAYERS.iter().enumerate().find(|(_, layer)| layer.modules.contains(&module))
}

/// What is wrong with a source file of the module at `path`, such as `["index", "vector"]`.
fn rust_faults(path: &[&str], text: &str, reexported: &BTreeMap<String, String>) -> Vec<String> {
    let Some(&module) = path.first() else { return Vec::new() };
    let Some((rank, layer)) = layer_of(module) else {
        return vec![format!("{module} has no row in LAYERS; say where it belongs")];
    };
    let code = without_test_items(&code_of(text, true));
    let mut faults = Vec::new();
    let names: BTreeSet<String> =
        paths(&code, path).into_iter().filter_map(|path| path.into_iter().next()).collect();
    for name in names {
        let target = reexported.get(&name).map_or(name.as_str(), String::as_str);
        let allowed = target == module
            || layer_of(target).is_some_and(|(other, _)| other < rank || (other == rank && layer.siblings));
        if !allowed {
            faults.push(format!("{} names crate::{name}, which it must not know of", path.join("::")));
        }
    }
    if module != WEB_MODULE {
        let named = WEB_CRATES.iter().filter(|name| names_word(&code, name));
        faults.extend(named.map(|name| format!("{} names {name}; only {WEB_MODULE} may", path.join("::"))));
    }
    faults
}

/// What is wrong with a source file of the package; `path` begins under `src/`.
fn package_faults(path: &str, text: &str) -> Vec<String> {
    let code = code_of(text, false);
    let quoted =
        |scheme: &str| ['"', '\'', '`'].iter().any(|quote| code.contains(&format!("{quote}{scheme}")));
    let may = |allowed: &[&str]| {
        allowed.iter().any(|name| *name == path || (name.ends_with('/') && path.starts_with(name)))
    };
    let wrong = PACKAGE_IMPORTS.iter().filter(|(scheme, allowed)| quoted(scheme) && !may(allowed));
    wrong.map(|(scheme, allowed)| format!("{path} names {scheme}; only {} may", allowed.join(", "))).collect()
}

/// All files under `folder` that end in `.extension`; none when the folder does not exist.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|ending| ending == extension) {
            found.push(path);
        }
    }
    found
}

/// The parts of a path below `folder`, without the ending of its last one.
fn parts<'a>(path: &'a Path, folder: &Path) -> Vec<&'a str> {
    let below = path.strip_prefix(folder).unwrap_or(path);
    let mut parts: Vec<&str> = below.iter().filter_map(|part| part.to_str()).collect();
    if let Some(last) = parts.pop() {
        parts.extend(last.rsplit_once('.').map(|(stem, _)| stem));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(path: &[&str], text: &str) -> Vec<String> {
        let root = "pub mod error;\npub use error::{Code, Error, Result};\npub use store::Store;";
        rust_faults(path, text, &reexports(root))
    }

    #[test]
    fn the_crate_keeps_its_layers() {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut all = Vec::new();
        for folder in [manifest.join("src"), manifest.join("crates/core/src")] {
            let root = std::fs::read_to_string(folder.join("lib.rs")).unwrap();
            let reexported = reexports(&code_of(&root, true));
            let sources = files(&folder, "rs");
            assert!(sources.len() > 1, "no sources under {}", folder.display());
            for path in sources {
                let mut module = parts(&path, &folder);
                // lib.rs is the map of all modules; a file named tests.rs is compiled by tests only.
                if module == ["lib"] || module.last() == Some(&"tests") {
                    continue;
                }
                if module.last() == Some(&"mod") {
                    module.pop();
                }
                all.extend(rust_faults(&module, &std::fs::read_to_string(&path).unwrap(), &reexported));
            }
        }
        assert!(all.is_empty(), "{}", all.join("\n"));
    }

    #[test]
    fn the_package_keeps_its_entries() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("pkg-template/src");
        let mut all = Vec::new();
        for path in files(&folder, "ts") {
            let name = path.strip_prefix(&folder).unwrap().to_str().unwrap().to_owned();
            all.extend(package_faults(&name, &std::fs::read_to_string(&path).unwrap()));
        }
        assert!(all.is_empty(), "{}", all.join("\n"));
    }

    #[test]
    fn what_is_below_may_be_named() {
        assert_eq!(
            faults(&["store"], "use crate::log::Op; use crate::{error::Error, index::{a, b}};"),
            [""; 0]
        );
        assert_eq!(faults(&["record"], "use crate::scope::Scope;"), [""; 0]);
        assert_eq!(
            faults(&["index", "vector"], "use super::lexical; use crate::index::fuse; use crate::Error;"),
            [""; 0]
        );
        assert_eq!(
            faults(&["web", "engine"], "use wasm_bindgen::prelude::*; fn a(x: crate::engine::Engine) {}"),
            [""; 0]
        );
    }

    #[test]
    fn what_is_above_or_beside_may_not() {
        for (path, text) in [
            (vec!["log"], "use crate::index::Flat;"),
            (vec!["index", "vector"], "use crate::{error::Error, log::{Op, Frame}};"),
            (vec!["index", "vector"], "use super::super::log::Op;"),
            (vec!["index"], "use super::store::Store;"),
            (vec!["log"], "fn a() -> crate :: store :: Store { }"),
            (vec!["log"], "use crate::Store;"),
            (vec!["error"], "pub(in crate::memory) fn a() {}"),
            (vec!["log"], "#[cfg(test)] mod tests { use crate::engine::A; } use crate::engine::Engine;"),
            (vec!["log"], "const A: &str = \"\\\"\"; use crate::engine::Engine; // \""),
            (vec!["log"], "fn a<'a>(b: &'a str) { let c = '\"'; crate::engine::d(\"\") }"),
            (vec!["memory", "facts"], "use web_sys::Window;"),
            (vec!["gadget"], ""),
        ] {
            assert_eq!(faults(&path, text).len(), 1, "{path:?}: {text}");
        }
    }

    #[test]
    fn comments_strings_and_test_code_do_not_count() {
        for text in [
            "//! [`crate::engine`]\n/// js_sys\nfn a() {}",
            "/* use crate::engine::A; */",
            "const A: &str = \"use crate::engine::A;\"; const B: &str = r#\"\"crate::engine::B\"#;",
            "#[cfg(test)]\nmod tests { use crate::engine::A; fn b() { if true { } } }",
            "#[cfg(test)]\nmod tests;",
            "fn a() { my_js_sys() }",
        ] {
            assert_eq!(faults(&["log"], text), [""; 0], "{text}");
        }
    }

    #[test]
    fn only_the_entries_name_a_platform() {
        let node = "import { readFile } from \"node:fs/promises\";";
        assert_eq!(package_faults("entry/node.ts", node), [""; 0]);
        assert_eq!(package_faults("node/sqlite.ts", node), [""; 0]);
        assert_eq!(package_faults("import/node/sqlite.ts", node).len(), 1);
        assert_eq!(package_faults("memory.ts", node).len(), 1);
        assert_eq!(package_faults("entry/browser.ts", "await import('node:fs')").len(), 1);
        assert_eq!(package_faults("entry/node.ts", "import { env } from \"cloudflare:workers\";").len(), 1);
        assert_eq!(
            package_faults("memory.ts", "// from \"node:fs\"\nconst a = \"https://node: b\";"),
            [""; 0]
        );
    }
}
