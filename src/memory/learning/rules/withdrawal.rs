//! Withdrawals: sentences that take back what was said just before them, and put nothing in its place: "Just kidding!", "Had."

use super::chinese;
use super::table::among;

/// What may stand before the words that take something back.
const FILLERS: &str =
    "oh ah er um uh hmm well but ok okay and haha hahaha lol no nah yeah sorry correction honestly";
/// Sentences that take back what was said, in the same message or the one before; those that begin with the last ones may go on.
const WITHDRAWN: &str = "only joking|just messing|just messing with you|i made that up|i take that back|i take it back|ignore my last message|\
    ignore my previous message|disregard my last message|disregard my previous message|please ignore my last message|\
    please ignore my previous message|please disregard my last message|please disregard my previous message|never mind what i said about|kidding|just kidding|only kidding|i am kidding|i'm kidding|i was kidding|joking|just joking|i'm joking|i was joking|jk|jk i wish|just kidding i wish|i lied|\
    i was lying|that was a lie|that's a lie|that was a joke|that's a joke|it was a joke|april fools|april fool|scratch that|strike that|\
    forget that|ignore that|forget i said that|forget what i said|ignore what i said|ignore what i said about|forget what i said about";
/// The same only behind what it takes back, in one breath.
const IN_ONE_BREATH: &str = "not|not really|not true|not anymore|not any more|i wish|as if|you wish|in my dreams|psych|that's not true|that is not true|\
    that isn't true|that was not true|had|had one|was|were|i was|i did|used to|i used to|lived|worked|nope|nah|no|said no one|until last|\
    that's what i told|that's what i tell|that's what i said|that's what i say|that's what i wrote";
/// Those of them that go on.
const GOING_ON: &str = "kidding|never mind what i said about|ignore what i said about|forget what i said about|said no one|until last|that's what i told|that's what i tell|\
    that's what i said|that's what i say|that's what i wrote";
/// How one says that an animal is no longer.
const DEPARTED: &str = "died |passed away |passed |ran away |is dead |is gone |is not mine |isn't mine ";
/// What stands behind that.
const WHEN: &str = "in on at of last yesterday this two three a years now recently and so";
/// What stands for a comma, a dash and their like.
const STOP: char = ',';
/// The most words of such a sentence.
const MOST: usize = 12;

/// Whether a sentence takes back what was said before it.
pub(crate) fn withdraws(sentence: &str) -> bool {
    is_one_of(sentence, WITHDRAWN) || chinese::withdraws(sentence)
}

/// Whether a message begins with taking back what was said in one before it, all of it or what it names.
pub(crate) fn withdraws_before(message: &str) -> bool {
    let end = message.find(['.', '!', '?', '\n', '。', '！', '？']).unwrap_or(message.len());
    let (first, behind) = message.split_at(end);
    let is_plain = !behind.starts_with(['?', '？']) && !first.contains(['"', '\u{201c}', '>', '[']);
    // "That was a joke, what the waiter did": only who is kidding goes on, also on the first of April.
    let says_more = |(said, more): (&str, &str)| {
        let is_kidding = said.split(' ').any(|word| among("kidding joking jk fools fool", word));
        !is_kidding && !chinese::withdraws(first) && !is_one_of(more, WITHDRAWN) && !adds_nothing(more)
    };
    is_plain && withdraws(first) && !words_of(first).split_once(" , ").is_some_and(says_more)
}

/// What is named of what it takes back, in lower case: "Ignore what I said about Valencia".
pub(crate) fn named_taken(sentence: &str) -> Option<String> {
    let words = words_of(sentence);
    let (_, named) = words.split_once(" about ")?;
    let named = named.split(STOP).next().unwrap_or(named).trim();
    Some(named.trim_start_matches("the ").trim_start_matches("my ").trim_start_matches("being ").to_owned())
}

/// Where a sentence goes on that takes back what was said before it: "Kidding, I work at a bank".
pub(crate) fn behind_withdrawal(sentence: &str) -> Option<usize> {
    let at = sentence.find(',')?;
    sentence.get(..at).is_some_and(withdraws).then_some(at + 1)
}

/// Whether it takes back the sentence before it in the same message.
pub(super) fn withdraws_at_once(sentence: &str) -> bool {
    withdraws(sentence) || is_one_of(sentence, IN_ONE_BREATH)
}

/// Whether it says that the animal which the sentence before tells of is no longer: "He died in January."
pub(super) fn tells_of_a_loss(sentence: &str) -> bool {
    let said = words_of(sentence) + " ";
    let behind = ["he ", "she ", "it ", "they "].iter().find_map(|who| said.strip_prefix(who));
    let lost =
        |behind: &str| DEPARTED.split('|').find_map(|lost| behind.strip_prefix(lost).map(str::to_owned));
    // "He died laughing" tells of none.
    behind.and_then(lost).is_some_and(|when| {
        let next = when.split(' ').next().unwrap_or_default();
        next.is_empty() || next.starts_with(STOP) || among(WHEN, next)
    })
}

#[inline(never)]
fn is_one_of(sentence: &str, table: &str) -> bool {
    let words = words_of(sentence);
    let mut said = words.as_str();
    if said.is_empty() || words.matches(' ').count() >= MOST {
        return false;
    }
    loop {
        let is_it = |phrase: &str| said.strip_prefix(phrase).is_some_and(|rest| ends(rest, phrase));
        if table.split('|').any(is_it) {
            return true;
        }
        // What stands in front may be all that is said: "Nah."
        match said.split_once(' ') {
            // "No kidding" is a joke denied.
            Some(("no", rest)) if rest.starts_with("kidding") || rest.starts_with("joking") => return false,
            Some((word, rest)) if among(FILLERS, word) => said = rest.trim_start_matches([STOP, ' ']),
            _ => return false,
        }
    }
}

/// Whether nothing is told behind a phrase: "Was, sorry", "Had, I should say".
fn ends(rest: &str, phrase: &str) -> bool {
    let Some(behind) = rest.strip_prefix(' ') else { return rest.is_empty() };
    GOING_ON.split('|').any(|going_on| going_on == phrase)
        || behind.starts_with(STOP) && !among("no nope nah not", phrase)
        || adds_nothing(behind)
}

/// Whether words only soften what stands before them.
fn adds_nothing(words: &str) -> bool {
    among("lol haha though anyway sorry", words)
}

/// The words of a sentence in lower case, with a sign for what stops between them.
#[inline(never)]
fn words_of(sentence: &str) -> String {
    let mut words = String::new();
    let mut last = ' ';
    for letter in sentence.trim().chars() {
        let next = match letter {
            '\u{2019}' => '\'',
            _ if letter.is_alphanumeric() || letter == '\'' => letter.to_ascii_lowercase(),
            ' ' => ' ',
            _ => STOP,
        };
        if next == STOP && last != ' ' && last != STOP {
            words.push(' ');
        }
        if next == ' ' && (last == ' ' || words.is_empty())
            || next == STOP && (last == STOP || words.ends_with(STOP))
        {
            continue;
        }
        if last == STOP && next != ' ' {
            words.push(' ');
        }
        words.push(next);
        last = next;
    }
    words.trim_matches([' ', STOP]).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_that_take_back_what_was_said() {
        for said in [
            "Just kidding!",
            "jk",
            "haha I lied",
            "That was a joke.",
            "Ignore what I said about Valencia.",
            "Kidding, I had a steak",
            "骗你的",
            "哈哈，騙你的啦",
            "开玩笑的",
            "我开玩笑的哈哈",
            "逗你玩的",
        ] {
            assert!(withdraws(said), "{said}");
        }
        for said in [
            "Had.",
            "Well, had one.",
            "Correction: had",
            "Was, sorry",
            "Not really lol",
            "Haha no",
            "Nah",
            "In my dreams.",
            "I wish",
            "Until last week, that is",
            "That's what I told my date anyway",
            "Said no one ever",
            "Used to, anyway",
            "Lived, I should say",
            "Well, I used to",
        ] {
            assert!(withdraws_at_once(said) && !withdraws(said), "{said}");
        }
        for said in [
            "No pets.",
            "no kidding",
            "Was born in Leeds.",
            "Had a cat once.",
            "I wish it were warmer",
            "Not that it matters",
            "No, really",
            "Used to the cold",
            "Worked late today",
            "I was born there",
            "Until then I rent",
            "Nope, no kids",
            "",
            "他骗你的",
            "我喜欢开玩笑",
            "不是开玩笑的话",
            "骗你的钱",
            "哈哈哈",
        ] {
            assert!(!withdraws_at_once(said), "{said}");
        }
        assert!(
            tells_of_a_loss("He died in January")
                && tells_of_a_loss("She ran away")
                && !tells_of_a_loss("He diets")
                && !tells_of_a_loss("He died laughing")
        );
    }
}
