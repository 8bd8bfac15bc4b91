use std::fmt::Write;

use proptest::prelude::*;
use serde::Deserialize;

use super::*;
use crate::lowercase::lowercase;

#[derive(Deserialize)]
struct Line {
    text: String,
    expect: Vec<Expected>,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Expected {
    slot: String,
    value: String,
    #[serde(default)]
    retracts: bool,
}

fn lines(corpus: &str) -> Vec<Line> {
    corpus.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn said(statement: &Statement) -> Expected {
    let slot = statement.slot.as_str().to_owned();
    Expected { slot, value: statement.value.clone(), retracts: statement.retracts }
}

/// Every line of a corpus yields exactly what it expects, and the corpus is as large as promised.
fn check(corpus: &str, positive: usize, negative: usize) {
    let lines = lines(corpus);
    let states = lines.iter().filter(|line| !line.expect.is_empty()).count();
    assert!(
        states >= positive && lines.len() - states >= negative,
        "{states} of {} state something",
        lines.len()
    );
    let mut wrong = String::new();
    for line in &lines {
        let found: Vec<Expected> = extract(&line.text).iter().map(said).collect();
        if found != line.expect {
            writeln!(wrong, "{:?}\n  expected {:?}\n  found    {found:?}", line.text, line.expect).unwrap();
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn english_corpus() {
    check(include_str!("../../../../tests/fixtures/rules/english.jsonl"), 120, 120);
}

#[test]
fn korean_corpus() {
    check(include_str!("../../../../tests/fixtures/rules/korean.jsonl"), 60, 60);
}

#[test]
fn japanese_corpus() {
    check(include_str!("../../../../tests/fixtures/rules/japanese.jsonl"), 60, 60);
}

#[test]
fn chinese_corpus() {
    check(include_str!("../../../../tests/fixtures/rules/chinese.jsonl"), 100, 120);
}

fn only(message: &str) -> Statement {
    let mut found = extract(message);
    assert_eq!(found.len(), 1, "{message}: {found:?}");
    found.remove(0)
}

#[test]
fn sentences_are_told_in_the_users_language() {
    let text = |message| only(message).text;
    assert_eq!(text("my name is minsu"), "The user's name is Minsu.");
    assert_eq!(text("I'm an engineer"), "The user is an engineer.");
    assert_eq!(
        text("I love spending weekends with my family"),
        "The user likes spending weekends with their family."
    );
    assert_eq!(text("My favorite color is blue"), "The user's favorite color is blue.");
    assert_eq!(text("제 이름은 민수예요"), "사용자의 이름은 민수이다.");
    assert_eq!(text("라면을 좋아해요"), "사용자는 라면을 좋아한다.");
    assert_eq!(text("커피 좋아해요"), "사용자는 커피를 좋아한다.");
    assert_eq!(text("私の名前は田中です"), "ユーザーの名前は田中です。");
    assert_eq!(text("我叫王小明"), "用户的名字是王小明。");
    assert_eq!(text("我妹妹叫小红"), "用户的妹妹叫小红。");
    assert_eq!(text("我喜歡貓"), "用戶喜歡貓。");
    // A letter that both have does not make a text traditional.
    assert_eq!(text("那部著名的电影很好看。我叫王小明。"), "用户的名字是王小明。");
}

#[test]
fn a_new_value_replaces_the_old_one_only_where_one_is_held() {
    assert!(only("I moved to Berlin").supersedes(&only("I live in Lisbon")));
    assert!(!only("I live in Lisbon").supersedes(&only("i live in lisbon")));
    assert!(!only("I like tea").supersedes(&only("I like coffee")));
    assert!(!only("I live in Lisbon").supersedes(&only("I'm from Brazil")));
    assert!(only("my favorite color is red").supersedes(&only("my favourite color is blue")));
    assert!(!only("my favorite color is red").supersedes(&only("my favorite food is ramen")));
}

#[test]
fn liking_and_disliking_the_same_thing_exclude_each_other() {
    let likes = only("I like Coffee");
    let dislikes = only("I don't like coffee any more");
    assert!(dislikes.supersedes(&likes) && likes.supersedes(&dislikes));
    assert!(!only("I hate tea").supersedes(&likes));
    assert!(only("이제 커피 안 좋아해요").supersedes(&only("커피를 좋아해요")));
    assert!(only("コーヒーはもう好きじゃない").supersedes(&only("コーヒーが好きです")));
    assert!(only("我已经不喜欢咖啡了").supersedes(&only("我喜欢咖啡")));
}

#[test]
fn a_retraction_takes_back_the_same_value_only() {
    let lives = only("I live in Paris");
    assert!(only("I don't live in paris anymore").supersedes(&lives));
    assert!(!only("I don't live in Rome anymore").supersedes(&lives));
    assert!(!only("I'm not from Paris").supersedes(&lives));
    assert!(only("我对花生不过敏").supersedes(&only("我对花生过敏")));
    assert!(only("我搬到了上海").supersedes(&only("我住在北京")));
    assert!(!only("我不住在上海了").supersedes(&only("我住在北京")));
}

#[test]
fn secrets_are_never_kept() {
    for message in [
        "my name is 4111-1111-1111-1111",
        "I like sk-proj-a8f7d6e5c4b3a2",
        "remember that the admin password is hunter2, and I live in Rome",
        "제 비밀번호는 민수예요",
        "私の暗証番号は1234です",
        "我的密码是小明，我叫小明",
        "my favorite food is bob@example.com",
    ] {
        assert_eq!(extract(message), [], "{message}");
    }
}

#[test]
fn what_was_said_of_somebody_else_carries_over() {
    assert_eq!(extract("우리 언니는 간호사예요. 서울에 살아요."), []);
    assert_eq!(extract("姉は看護師です。大阪に住んでいます。"), []);
    assert_eq!(extract("우리 언니는 간호사예요. 저는 서울에 살아요.").len(), 1);
    assert_eq!(extract("姉は看護師です。私は大阪に住んでいます。").len(), 1);
    assert_eq!(extract("我姐姐是护士。住在上海。"), []);
    assert_eq!(extract("我姐姐是护士。我住在上海。").len(), 1);
}

/// What the user's message before was about was taken for the user: "우리 누나 얘긴데", then "부산 살아".
#[test]
fn who_a_message_is_about_carries_over_to_the_next() {
    let told = |said: &[&str]| {
        let (last, before) = said.split_last().unwrap();
        let before: Vec<String> = before.iter().rev().map(|said| (*said).to_owned()).collect();
        let values = of_user(last, extract(last), &before).into_iter().map(|it| it.value);
        values.collect::<Vec<String>>()
    };
    for said in [
        &["나 서울 살아", "우리 누나 얘긴데", "부산 살아"][..],
        &["나 삼성 다녀", "남편 얘긴데", "퇴사했어"],
        &["누나가 있어", "부산 살아"],
        &["누나 얘긴데", "부산 살아", "커피 좋아해"],
        &["고양이 입양했어!", "이름은 나비야"],
        &["우리 딸 5살이야", "땅콩 알레르기 있어"],
        &["남친 생일 선물 추천해줘", "커피 좋아해"],
        &["누나 남친 얘긴데", "헤어졌어"],
        &["トヨタで働いてる", "夫の話", "仕事を辞めた"],
        &["弟がいる", "大学生です"],
        &["猫を飼っています", "名前はミケです"],
        &["娘が3歳なんだけど", "卵アレルギーがあります"],
        &["彼女にプレゼントしたい", "趣味は登山です"],
        &["推しの話していい?", "誕生日は3月5日です"],
        &["兄の彼女の話", "別れた"],
        &["걔 부산 살아", "커피 좋아해"],
        &["지민이 얘긴데", "부산 살아"],
        &["엄마랑 통화했어", "부산 살아"],
        &["지민이가 전화했어", "부산 살아"],
        &["강아지가 아파", "당뇨 있어"],
        &["母と電話した", "大阪に住んでいます"],
        &["彼の話", "大学生です"],
        &["今日は娘の運動会だった", "看護師です"],
    ] {
        assert_eq!(told(said), Vec::<String>::new(), "{said:?}");
    }
    for (said, value) in [
        (&["고양이 키워", "서울 살아"][..], "서울"),
        (&["나 남편이랑 영화 봤어", "커피 좋아해"], "커피"),
        (&["나 남자야", "서울 살아"], "서울"),
        (&["누나 얘긴데", "나 부산 살아"], "부산"),
        (&["누나 얘긴데", "나 부산 살아", "커피 좋아해"], "커피"),
        (&["누나 생일이야", "고마워", "서울 살아"], "서울"),
        (&["고양이 입양했어!", "내 이름은 민수야"], "민수"),
        (&["고양이가 아파", "고양이가 죽었어"], "고양이"),
        (&["나 여친 있어", "여친이랑 헤어졌어"], "싱글"),
        (&["猫を飼っています", "東京に住んでいます"], "東京"),
        (&["大丈夫です", "大学生です"], "大学生"),
        (&["회사 얘긴데", "퇴사했어"], "퇴사했다"),
        (&["우리 엄마 간호사야", "나도 간호사야"], "간호사"),
        (&["강아지 이름은 초코야", "서울 살아"], "서울"),
        (&["엄마랑 영화 봤어", "서울 살아"], "서울"),
        (&["犬の名前はポチです", "東京に住んでいます"], "東京"),
        (&["高校の先生です", "東京に住んでます"], "東京"),
        (&["仕事の話だけど", "トヨタで働いてる"], "トヨタ"),
        (&["友達と映画を見た", "東京に住んでいます"], "東京"),
        (&["夫の話", "私は看護師です"], "看護師"),
        (&["彼女の名前はさくらです", "さくらと別れた"], "独身"),
    ] {
        assert_eq!(told(said), [value], "{said:?}");
    }
}

/// Chinese characters alone are Chinese, unless Kana stand elsewhere in the message.
#[test]
fn kanji_beside_kana_are_japanese() {
    assert_eq!(only("東京在住。よろしくお願いします").text, "ユーザーは東京に住んでいます。");
    assert_eq!(extract("我喜欢猫。これは中国語です。"), []);
}

#[test]
fn repeated_statements_are_given_once() {
    assert_eq!(extract("I like tea. I like tea! i like Tea").len(), 1);
}

#[test]
fn reading_stops_at_the_byte_limit() {
    let long = format!("{}. I live in Rome.", "word ".repeat(MAX_BYTES / 5));
    assert_eq!(extract(&long), []);
    let short = format!("{}. I live in Rome.", "word ".repeat(100));
    assert_eq!(extract(&short).len(), 1);
}

#[test]
fn field_names_put_the_topic_first() {
    assert_eq!(only("my favorite color is red").field_names().first().unwrap(), "favorite_color");
    for slot in Slot::ALL {
        assert!(!slot.field_names().is_empty() && (1..=10).contains(&slot.significance()));
    }
}

/// Message-like text: pieces of real statements in any order, with marks between them.
fn chatter() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "I",
            "'m",
            "I'm",
            "im",
            "my",
            "name",
            "is",
            "live in",
            "Rome",
            "and",
            ",",
            "?",
            ".",
            "!",
            "\n",
            "like",
            "don't",
            "a nurse",
            "work",
            "at",
            "as",
            "the",
            "\"",
            "'",
            "`",
            "```",
            "25",
            "years old",
            "favorite",
            "color",
            "저는",
            "제",
            "이름은",
            "민수",
            "예요",
            "라고 해요",
            "커피를",
            "좋아해요",
            "에 살아요",
            "서울",
            "는",
            "고",
            "이에요",
            "私は",
            "名前は",
            "田中",
            "です",
            "が好き",
            "に住んでいます",
            "大阪",
            "の",
            "、",
            "。",
            "こと",
            "我叫",
            "我",
            "妹妹",
            "小明",
            "喜歡",
            "喜欢",
            "住在",
            "臺北",
            "对",
            "过敏",
            "不",
            "，",
            "了",
            "是",
            "医生",
            "养了一只",
            "的",
            " ",
            "İ",
            "ß",
            "\u{0}",
            "always",
            "answer in",
            "Korean",
            ":",
            ">",
            "’s",
            "’",
            "🍜",
        ])
        .prop_map(str::to_owned),
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.join(" ")).boxed()
}

fn sound(message: &str) -> std::result::Result<(), TestCaseError> {
    let found = extract(message);
    prop_assert!(found.len() <= MAX_STATEMENTS);
    for statement in found {
        let quote = message.get(statement.quote.clone());
        prop_assert!(quote.is_some(), "{:?} cuts a letter of {message:?}", statement.quote);
        let quote = lowercase(quote.unwrap());
        let source: String = lowercase(&statement.value).chars().take(1).collect();
        prop_assert!(!source.is_empty() && quote.contains(&source), "{statement:?}");
        prop_assert!(statement.value.chars().count() <= MAX_VALUE_CHARS);
        prop_assert!(statement.text.contains(' ') || !statement.text.is_ascii());
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_text_is_read_soundly(message in any::<String>()) {
        sound(&message)?;
    }

    #[test]
    fn any_chatter_is_read_soundly(message in chatter()) {
        sound(&message)?;
    }

    #[test]
    fn glued_chatter_is_read_soundly(message in chatter()) {
        sound(&message.replace(' ', ""))?;
    }
}
