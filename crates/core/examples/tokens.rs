//! Writes the tokens of each line of the input, spare ones with `~` before them, for `scripts/meaning`.

use mnemic_core::index::lexical::{Role, tokenize};
use std::io::{BufRead, Write, stdin, stdout};

fn main() -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(stdout());
    for line in stdin().lock().lines() {
        let mut tokens: Vec<String> = Vec::new();
        tokenize(&line?, |token, role| {
            tokens.push(if role == Role::Spare { format!("~{token}") } else { token.to_owned() });
        });
        writeln!(out, "{}", tokens.join(" "))?;
    }
    out.flush()
}
