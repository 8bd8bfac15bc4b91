//! Attributes of people, each by the words that ask for it or tell it: "what does she do for a living" and "works as a nurse"
//! share no word, but both are about work.

use crate::index::lexical::{Role, Vocabulary, Words, tokenize};
use std::sync::OnceLock;

/// The words of each attribute, English ones first. One of several words, or of another script, is looked for as it stands.
const ATTRIBUTES: &[&str] = &[
    "live,lives,living,reside,residence,home,house,flat,apartment,address,based,relocate,move,moved,neighbourhood,neighborhood,住,家住,居住,地址,搬,家在,我家,暮ら,引っ越,住ま,살아,살고,살았,살지,사나,사는,산다,거주,이사,주소",
    "grew up,raised,native,hometown,originally,birthplace,was born,comes from,is from,come from,am from,are from,where from,老家,家乡,出身,地元,実家,고향,출신",
    "work,works,job,profession,occupation,career,employer,employed,employment,company,office,colleague,for a living,trade,position,boss,workplace,工作,职业,是做什么,上班,公司,职位,同事,仕事,職業,勤め,会社,職場,働,직업,직장,회사,근무,출근,일하,일한,일해,무슨 일 해,무슨 일 하",
    "birthday,born,birth,age,turned,how old,years old,生日,出生,几岁,岁,誕生日,生まれ,何歳,歳,생일,태어,몇 살,나이",
    "allergy,allergic,intolerant,intolerance,sensitive,过敏,アレルギー,알레르기,알러지",
    "ill,illness,sick,disease,condition,health,diagnosis,diagnosed,suffer,suffers,ailment,symptom,asthma,ache,pain,hurt,injury,injured,surgery,operation,hospital,生病,病,住院,手术,病気,入院,手術,怪我,아프,병원,수술,다쳤,건강",
    "medicine,medication,medicament,pill,tablet,prescription,drug,vitamin,supplement,药,薬,サプリ,약을,약은,복용",
    "doctor,dentist,physician,therapist,physiotherapist,surgeon,clinic,医生,医院,牙医,医者,歯医者,病院,의사,치과",
    "car,drive,drives,vehicle,automobile,van,motorbike,motorcycle,开车,汽车,車,運転,자동차,운전",
    "commute,commutes,cycle,cycles,bike,bicycle,go to work,travel to,通勤,骑车,自行车,地铁,自転車,출퇴근,자전거,지하철",
    "pet,pets,dog,puppy,cat,kitten,rabbit,hamster,parrot,animal,宠物,小猫,小狗,猫,狗,ペット,犬,반려,강아지,고양이",
    "married,marry,marriage,wife,husband,spouse,partner,wed,wedding,divorced,widowed,结婚,领证,妻子,丈夫,老婆,老公,结了婚,結婚,妻,夫,결혼,아내,남편",
    "partner,couple,single,engaged,fiancé,fiancée,dating,boyfriend,girlfriend,relationship,romantic,in love,对象,恋爱,女朋友,男朋友,彼女,彼氏,恋人,여자친구,남자친구,연애,애인",
    "child,children,kid,kids,son,sons,daughter,daughters,baby,twins,offspring,孩子,儿子,女儿,子供,子ども,息子,娘,아이,아들,딸",
    "brother,sister,sibling,siblings,哥哥,弟弟,姐姐,妹妹,兄弟,姉妹,兄,弟,姉,妹,형제,자매,남동생,여동생,누나,언니,오빠",
    "mother,father,mum,mom,dad,parent,parents,妈妈,爸爸,父母,母亲,父亲,両親,お母,お父,母,父,엄마,아빠,어머니,아버지,부모",
    "eat,eats,allergy,allergic,intolerant,food,foods,diet,dish,meal,cuisine,cook,cooks,vegetarian,vegan,meat,breakfast,lunch,dinner,dessert,snack,bake,bakes,吃,菜,做饭,食物,过敏,食べ,料理,ご飯,アレルギー,먹,음식,요리,메뉴,알레르기",
    "drink,drinks,coffee,tea,beverage,sip,喝,咖啡,茶,飲,コーヒー,お茶,마시,마셔,커피",
    "drink,drinks,beer,wine,alcohol,spirit,spirits,liquor,whisky,vodka,gin,rum,酒,お酒,ビール,술,맥주",
    "like,likes,love,loves,favourite,favorite,prefer,prefers,preferred,enjoy,enjoys,adore,fond,fan,crazy about,keen,喜欢,最爱,爱吃,好き,お気に入り,大好,좋아,즐겨,최애",
    "dislike,dislikes,hate,hates,cannot stand,cannot bear,can't stand,detest,avoid,loathe,not like,讨厌,不喜欢,嫌い,苦手,싫어,질색",
    "fear,fears,afraid,scared,phobia,terrified,frightened,frightens,dread,scares,怕,害怕,恐惧,怖,恐,무서,겁",
    "instrument,guitar,piano,violin,trumpet,drums,flute,cello,band,music,musical,乐器,吉他,钢琴,楽器,ギター,ピアノ,악기,기타,피아노",
    "sing,sings,choir,voice,soprano,alto,tenor,唱歌,合唱,歌,노래,합창",
    "sport,sports,exercise,workout,run,runs,running,swim,swims,climb,climbing,gym,marathon,race,train,training,fitness,yoga,运动,跑步,健身,游泳,スポーツ,運動,走,泳,ジム,운동,달리기,수영,헬스,등산",
    "hobby,hobbies,spare time,free time,leisure,pastime,unwind,relax,collect,collects,爱好,业余,趣味,休みの日,취미,여가",
    "read,reads,reading,book,novel,author,literature,看书,小说,读,読,本,小説,책,소설,읽",
    "film,films,movie,movies,cinema,series,watch,watches,television,tv,电影,电视,映画,ドラマ,テレビ,영화,드라마,텔레비전",
    "language,languages,speak,speaks,fluent,tongue,english,spanish,german,french,语言,英语,日语,言語,英語,話せ,언어,영어,말할",
    "study,studies,studied,school,university,college,degree,student,graduated,major,course,lesson,lessons,class,learn,learns,learning,educated,education,学习,大学,专业,毕业,学校,课,勉強,専攻,卒業,習,공부,대학,전공,졸업,학교,배우",
    "phone,mobile,smartphone,handset,cell,手机,电话,携帯,スマホ,電話,휴대폰,핸드폰,전화",
    "reach,contact,contacted,e-mail,email,message,whatsapp,call,telephone,get in touch,联系,連絡,연락",
    "rent,pay,pays,paid,cost,costs,price,fee,money,pound,pounds,euro,dollar,spend,多少钱,价格,租金,房租,元,块,円,値段,家賃,料金,월세,가격,얼마,원을,비용",
    "owe,owes,debt,lend,lent,borrow,borrowed,loan,欠,借,貸,빌려,빚",
    "salary,earn,earns,wage,income,工资,收入,年収,給料,연봉,월급",
    "plan,plans,planned,want,wants,hope,hopes,intend,intends,wish,wishes,dream,dreams,aim,goal,would like,would love,going to,ambition,future,打算,想要,计划,梦想,希望,つもり,予定,夢,したい,たい,계획,싶,꿈,예정",
    "trip,travel,travels,travelled,visit,visits,visited,holiday,vacation,journey,abroad,flight,flying,tour,旅行,出差,旅,出張,여행,출장",
    "stop,stopped,quit,gave up,given up,no longer,ceased,longer,anymore,cancelled,戒,不再,取消,やめ,그만,끊",
    "smoke,smokes,smoking,smoker,cigarette,cigarettes,tobacco,抽烟,吸烟,烟,タバコ,煙草,담배",
    "colour,color,颜色,色,색깔,색을",
    "wear,wears,clothes,clothing,dress,outfit,穿,衣服,服,옷",
    "size,shoe,shoes,foot,feet,boots,鞋,靴,신발",
    "wear,wears,glasses,lenses,lens,eyewear,spectacles,eyesight,眼镜,眼鏡,안경",
    "hair,haircut,hairstyle,tall,height,weight,look like,头发,身高,体重,髪,身長,머리,키가",
    "sleep,sleeps,insomnia,nap,bedtime,睡,失眠,眠,寝,잠,수면,불면",
    "name,named,called,nickname,known as,叫什么,名字,叫,名前,という,이름,라는,부르",
    "deadline,due,submit,hand in,finish by,截止,期限,締め切り,締切,마감,기한",
    "team,club,supports,football,球队,球迷,チーム,ファン,축구,응원,팀",
    "die,died,dead,death,passed away,widow,widowed,widower,去世,过世,亡くな,死,돌아가,죽",
    "prize,award,won,win,honour,trophy,奖,得奖,賞,受賞,상을",
    "computer,laptop,tablet,device,电脑,平板,パソコン,タブレット,컴퓨터,노트북",
    "friend,friends,pal,mate,朋友,好友,友達,友人,親友,친구",
    "religion,religious,church,faith,believe,temple,pray,信仰,宗教,教会,종교,교회",
    "time,morning,evening,weekday,what day,which day,几点,星期,周几,何時,何曜日,몇 시,요일",
    "dog,dogs,puppy,犬,狗,강아지",
    "cat,cats,kitten,猫,고양이",
    "rabbit,rabbits,兔,토끼",
    "parrot,hamster",
    "guitar,吉他,ギター,기타",
    "piano,钢琴,ピアノ,피아노",
    "violin,cello,flute",
    "trumpet,drums",
];

/// The lines of pets, and of instruments, at the end: who asks for the cat is not told of the dog.
const KINDS: [Attributes; 2] = [0b1111 << 54, 0b1111 << 58];

const _: () = assert!(ATTRIBUTES.len() <= 64);

/// What a text speaks of: a bit for each attribute.
pub(super) type Attributes = u64;

/// The attribute of work.
pub(super) const WORK: Attributes = 1 << 2;

/// Those of allergies, and of food. Who asks what somebody eats is told of allergies; who asks for these is not told of meals.
const ALLERGY: Attributes = 1 << 4;
const FOOD: Attributes = 1 << 16;

/// What is asked for, with all other kinds where one is.
pub(super) fn with_kinds(asked: Attributes) -> Attributes {
    KINDS.iter().filter(|kinds| asked & **kinds != 0).fold(asked, |all, kinds| all | kinds)
}

/// Whether what is told is of another kind than what is asked for.
pub(super) fn is_of_another_kind(asked: Attributes, told: Attributes) -> bool {
    KINDS.iter().any(|kinds| asked & kinds != 0 && told & kinds != 0 && asked & told & kinds == 0)
}

/// How words of professions end, and others that end so.
const PROFESSIONS: &[&str] =
    &["er", "or", "ist", "ian", "man", "woman", "nurse", "wife", "chef", "cook", "clerk", "pilot", "judge"];
const NO_PROFESSIONS: &[&str] = &[
    "brother",
    "sister",
    "mother",
    "father",
    "daughter",
    "partner",
    "neighbour",
    "neighbor",
    "member",
    "owner",
    "vegetarian",
    "smoker",
    "lover",
    "supporter",
    "wife",
    "housewife",
    "woman",
    "man",
    "believer",
    "beginner",
    "cancer",
    "winter",
    "summer",
    "number",
    "letter",
    "order",
    "colour",
    "color",
];

/// Whether a text says what somebody is by profession: "is a retired carpenter at ...".
pub(super) fn tells_work(words: &Words) -> bool {
    let is = |place: usize, among: &[&str]| among.contains(&words.lower(place));
    (0..words.len()).any(|place| {
        is(place, &["is", "was", "am", "as", "became", "i'm"]) && is(place + 1, &["a", "an", "the"]) && {
            let behind = words.iter().skip(place + 2).take(4);
            let ends = [
                "of", "at", "in", "for", "with", "on", "who", "that", "to", "and", "from", "named", "called",
            ];
            let head = behind.take_while(|word| !ends.contains(word)).last();
            head.is_some_and(|head| {
                !NO_PROFESSIONS.contains(&head) && PROFESSIONS.iter().any(|end| head.ends_with(end))
            })
        }
    })
}

/// The words of the attributes: by their tokens, and those that are looked for as they stand.
struct Known {
    tokens: Vocabulary,
    all: Vec<String>,
    phrases: Vec<(&'static str, Attributes)>,
}

fn known() -> &'static Known {
    static KNOWN: OnceLock<Known> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let (mut tokens, mut all, mut phrases) = (Vocabulary::default(), Vec::new(), Vec::new());
        for (number, attribute) in ATTRIBUTES.iter().enumerate() {
            let bit = 1 << number;
            for word in attribute.split(',') {
                if is_plain(word) {
                    tokenize(word, |token, _| {
                        if tokens.get(token) == 0 {
                            all.push(token.to_owned());
                        }
                        tokens.set(token, tokens.get(token) | bit);
                    });
                } else {
                    phrases.push((word, bit));
                }
            }
        }
        Known { tokens, all, phrases }
    })
}

/// Whether it is one English word.
fn is_plain(word: &str) -> bool {
    word.is_ascii() && !word.contains([' ', '\'', '-'])
}

/// What a token speaks of.
pub(super) fn of_token(token: &str) -> Attributes {
    known().tokens.get(token)
}

/// What a token of a question asks for: in scripts without spaces by the words in it.
pub(super) fn asked_by(token: &str) -> Attributes {
    let asked = if token.is_ascii() { of_token(token) } else { of_phrases(token, Attributes::MAX) };
    if asked & ALLERGY == 0 { asked } else { asked & !FOOD }
}

/// The tokens that speak of some attributes, with what they speak of.
pub(super) fn tokens_that_speak(of: Attributes) -> impl Iterator<Item = (&'static str, Attributes)> {
    let known = known();
    let all = known.all.iter().map(|token| (token.as_str(), known.tokens.get(token)));
    all.filter(move |(_, attributes)| attributes & of != 0)
}

/// What a text speaks of by its phrases, and in scripts without spaces; `lower` is in lower case.
pub(super) fn of_phrases(lower: &str, among: Attributes) -> Attributes {
    let is_wide = !lower.is_ascii();
    let mut left = among;
    for (phrase, bit) in &known().phrases {
        if left & bit != 0 && (is_wide || phrase.is_ascii()) && lower.contains(phrase) {
            left &= !bit;
        }
    }
    among & !left
}

/// The tokens of the phrases of several words that a text holds; `lower` is in lower case.
pub(super) fn words_in_phrases(lower: &str) -> Vec<String> {
    let phrases = known().phrases.iter().map(|(phrase, _)| phrase);
    let held = phrases.filter(|phrase| phrase.contains(' ') && lower.contains(**phrase));
    held.flat_map(|phrase| tokens_of(phrase).0).collect()
}

/// What every token of a text speaks of, and the tokens themselves.
pub(super) fn tokens_of(text: &str) -> (Vec<String>, Attributes) {
    let (mut tokens, mut attributes) = (Vec::new(), 0);
    tokenize(text, |token, role| {
        attributes |= of_token(token);
        if role == Role::Key {
            tokens.push(token.to_owned());
        }
    });
    (tokens, attributes)
}

/// The words that speak of some attributes, to search with.
pub(super) fn words_of(attributes: Attributes) -> String {
    let mut all = String::new();
    for (number, words) in ATTRIBUTES.iter().enumerate() {
        if attributes & (1 << number) != 0 {
            for word in words.split(',').filter(|word| is_plain(word) || !word.is_ascii()) {
                all.push_str(word);
                all.push(' ');
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dog_is_no_cat() {
        let is_other = |asked: &str, told: &str| is_of_another_kind(asked_by(asked), asked_by(told));
        assert!(is_other("cat", "dog") && is_other("猫", "犬") && is_other("고양이", "강아지"));
        assert!(
            !is_other("cat", "kitten")
                && !is_other("pet", "dog")
                && !is_other("cat", "pet")
                && !is_other("cat", "piano")
        );
        assert_eq!(with_kinds(of_token("cat")) & of_token("dog"), of_token("dog"));
    }

    #[test]
    fn allergies_are_no_meals() {
        let asks = |word: &str| {
            if word.is_ascii() { asked_by(&tokens_of(word).0.concat()) } else { asked_by(word) }
        };
        for (allergic, eats) in
            [("allergic", "bakes"), ("过敏", "吃"), ("アレルギー", "食べ"), ("알레르기", "먹")]
        {
            assert_eq!(asks(allergic), ALLERGY, "{allergic}");
            assert_eq!(asks(eats) & (FOOD | ALLERGY), FOOD, "{eats}");
            assert!(
                (tokens_of(allergic).1 | of_phrases(allergic, FOOD)) & FOOD != 0,
                "{allergic} tells of food"
            );
        }
    }

    #[test]
    fn professions_are_told_by_what_somebody_is() {
        assert!(of_token("job") & WORK != 0);
        let tells = |text: &str| tells_work(&Words::of(text));
        assert!(tells("bo is a retired carpenter at sea") && tells("bo trained as a plumber"));
        assert!(
            !tells("bo is the user's brother") && !tells("bo is a vegetarian") && !tells("bo has a lathe")
        );
    }
}
