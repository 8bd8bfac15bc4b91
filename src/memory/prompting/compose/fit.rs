//! Fitting: the written whole is counted, and shortened while it is over.

/// Writes a prompt, and again with less in it while it has more than `max` tokens: those of a whole need not be the sum of those
/// of its parts. `write` answers what it wrote and its tokens; `less` takes something out that is worth taking out for so many
/// tokens, and answers how many it was, or `None` when there is nothing. The error is how many tokens are left then.
pub(crate) fn fit<P, W>(
    parts: &mut P,
    max: usize,
    write: impl Fn(&P) -> (W, usize),
    less: impl Fn(&mut P, usize) -> Option<usize>,
) -> Result<(W, usize), usize> {
    loop {
        let (written, tokens) = write(parts);
        let mut over = tokens.saturating_sub(max);
        if over == 0 {
            return Ok((written, tokens));
        }
        let mut is_less = false;
        while over > 0 {
            let gone = less(parts, over);
            if gone.is_none() && !is_less {
                return Err(tokens);
            }
            is_less = true;
            over = gone.map_or(0, |gone| over.saturating_sub(gone.max(1)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fit;

    /// A whole that has two tokens more than its parts is written twice, not once for each part that leaves.
    #[test]
    fn the_whole_is_counted_once_and_shortened_when_it_is_over() {
        let written = std::cell::Cell::new(0);
        let write = |parts: &Vec<usize>| {
            written.set(written.get() + 1);
            (parts.len(), parts.iter().sum::<usize>() + 2)
        };
        let less = |parts: &mut Vec<usize>, _| parts.pop();
        assert_eq!(fit(&mut vec![3; 4], 14, write, less), Ok((4, 14)));
        assert_eq!(written.take(), 1);
        assert_eq!(fit(&mut vec![1; 20], 10, write, less), Ok((8, 10)));
        assert_eq!(written.take(), 2);
        assert_eq!(fit(&mut vec![1; 3], 1, write, less), Err(2));
    }
}
