//! What a source file names: the modules of this crate, and other words.

use std::collections::{BTreeMap, BTreeSet};

/// Blanks comments (Rust's and TypeScript's), and with `blank_strings` also what stands between quotes.
pub(crate) fn code_of(source: &str, blank_strings: bool) -> String {
    let text: Vec<char> = source.chars().collect();
    let at = |index: usize| text.get(index).copied().unwrap_or('\0');
    let mut code = String::with_capacity(source.len());
    let mut index = 0;
    while index < text.len() {
        let start = index;
        let mut blank = true;
        match (at(index), at(index + 1)) {
            ('/', '/') => {
                while index < text.len() && at(index) != '\n' {
                    index += 1;
                }
            }
            ('/', '*') => {
                index += 2;
                while index < text.len() && (at(index), at(index + 1)) != ('*', '/') {
                    index += 1;
                }
                index += 2;
            }
            ('r', '#' | '"')
                if !is_word(at(index.wrapping_sub(1))) && raw_string_hashes(&text, index).is_some() =>
            {
                let hashes = raw_string_hashes(&text, index).unwrap_or(0);
                let closing: Vec<char> =
                    std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
                index += hashes + 2;
                while index < text.len() && !text.get(index..).is_some_and(|rest| rest.starts_with(&closing))
                {
                    index += 1;
                }
                index += closing.len();
                blank = blank_strings;
            }
            // A lifetime has no closing quote; a character has it after one character, or begins with a backslash.
            ('\'', next) if blank_strings && next != '\\' && at(index + 2) != '\'' => {
                index += 1;
                blank = false;
            }
            (quote @ ('"' | '\''), _) => {
                index += 1;
                while index < text.len() && at(index) != quote {
                    index += if at(index) == '\\' { 2 } else { 1 };
                }
                index += 1;
                blank = blank_strings;
            }
            _ => {
                index += 1;
                blank = false;
            }
        }
        let piece = text.get(start..index.min(text.len())).unwrap_or_default();
        code.extend(piece.iter().map(|&letter| if blank && letter != '\n' { ' ' } else { letter }));
    }
    code
}

fn raw_string_hashes(text: &[char], start: usize) -> Option<usize> {
    let hashes = text.iter().skip(start + 1).take_while(|&&letter| letter == '#').count();
    (text.get(start + 1 + hashes) == Some(&'"')).then_some(hashes)
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Cuts the items that only tests compile: `#[cfg(test)]` up to the end of the item's block or statement.
pub(crate) fn without_test_items(code: &str) -> String {
    let mark = "#[cfg(test)]";
    let mut kept = String::new();
    let mut rest = code;
    while let Some((before, item)) = rest.split_once(mark) {
        kept.push_str(before);
        let mut depth = 0_usize;
        let end = item.char_indices().find_map(|(index, letter)| {
            match letter {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            (depth == 0 && matches!(letter, '}' | ';')).then_some(index + 1)
        });
        rest = end.and_then(|end| item.get(end..)).unwrap_or("");
    }
    kept + rest
}

/// Whether `code` has `word` as a whole word.
pub(crate) fn names_word(code: &str, word: &str) -> bool {
    code.split(|letter| !is_word(letter)).any(|part| part == word)
}

/// The paths that `code` names from the crate's root, each as its parts: those after `crate::`, and those after a chain of
/// `super::` as `module` resolves it, the path of the file's module such as `["index", "vector"]`. A use tree gives one path for
/// each of its leaves.
pub(crate) fn paths(code: &str, module: &[&str]) -> BTreeSet<Vec<String>> {
    let dense: String =
        code.split_whitespace().collect::<Vec<_>>().join(" ").replace(" ::", "::").replace(":: ", "::");
    let mut found = BTreeSet::new();
    for start in ["crate::", "super::"].iter().flat_map(|prefix| dense.match_indices(prefix)) {
        let before = dense.get(..start.0).unwrap_or("");
        if before.ends_with(is_word) || before.ends_with("::") {
            continue;
        }
        let mut tree = dense.get(start.0..).unwrap_or("");
        let mut base = if let Some(rest) = tree.strip_prefix("crate::") {
            tree = rest;
            Vec::new()
        } else {
            module.iter().map(|part| (*part).to_owned()).collect()
        };
        while let Some(rest) = tree.strip_prefix("super::") {
            tree = rest;
            base.pop();
        }
        expand(tree, &base, &mut found);
    }
    found
}

/// Adds the leaves of a use tree under `base`: `a::{b, c::d}` has `a::b` and `a::c::d`.
fn expand(tree: &str, base: &[String], found: &mut BTreeSet<Vec<String>>) {
    let mut path = base.to_vec();
    let mut rest = tree.trim_start();
    loop {
        if let Some(list) = rest.strip_prefix('{') {
            for item in items_of(list) {
                expand(&item, &path, found);
            }
            return;
        }
        let name: String = rest.chars().take_while(|&letter| is_word(letter)).collect();
        rest = rest.get(name.len()..).unwrap_or("");
        if !name.is_empty() && name != "self" {
            path.push(name);
        }
        match rest.strip_prefix("::") {
            Some(further) => rest = further,
            None => break,
        }
    }
    if path.len() > base.len() || !path.is_empty() {
        found.insert(path);
    }
}

/// The items of a list in braces, without its opening brace.
fn items_of(list: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let mut items = vec![String::new()];
    for letter in list.chars() {
        match letter {
            '}' if depth == 0 => break,
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => items.push(String::new()),
            _ => {}
        }
        if let Some(item) = items.last_mut().filter(|_| letter != ',' || depth > 0) {
            item.push(letter);
        }
    }
    items.retain(|item| !item.trim().is_empty());
    items
}

/// Which module each name comes from that a module passes on by `pub use module::...`, to all or to the crate.
pub(crate) fn reexports(text: &str) -> BTreeMap<String, String> {
    let mut origins = BTreeMap::new();
    for statement in text.split(';') {
        let tree =
            ["pub use ", "pub(crate) use "].iter().find_map(|mark| Some(statement.split_once(mark)?.1));
        let Some(tree) = tree else { continue };
        let path = tree.trim().trim_start_matches("crate::").trim_start_matches("mnemic_core::");
        let module: String = path.chars().take_while(|&c| is_word(c)).collect();
        if module.is_empty() {
            continue;
        }
        for name in tree.split(|letter| !is_word(letter)).filter(|name| !name.is_empty() && *name != module) {
            origins.insert(name.to_owned(), module.clone());
        }
    }
    origins
}
