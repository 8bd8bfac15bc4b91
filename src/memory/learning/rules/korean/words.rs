//! Korean word tables; `_` joins the words of one entry.

/// The speaker as subject or topic.
pub(super) const FIRST_PERSON: &str = "저는 전 나는 난 제가 내가 저도 나도 전요 저는요 나 저로서는";

/// What 저 points at; of anything else it is the speaker.
pub(super) const POINTED_AT: &str = "사람 분 아이 애 여자 남자 학생 친구 집 가게 가수 배우 선수 건물 카페 회사 노래 영화 책 차 개 고양이 강아지 놈 쪽 팀 동네 선생 아저씨 아줌마 아가씨 꼬마 교수 기자 감독 식당 산 나무";

/// "We", of whom the speaker is one.
pub(super) const WE: &str = "우리 우리는 우린 우리가 저희 저희는 저희가";

/// "My".
pub(super) const MY: &str = "제 내 나의 저의";

/// Words that may open a statement.
pub(super) const OPENERS: &str = "안녕하세요 안녕 안녕하십니까 반가워요 반갑습니다 네 예 응 아니요 아니 음 아 어 그리고 그런데 근데 사실 \
    사실은 참고로 참 아참 일단 우선 먼저 혹시 하하 처음 처음_뵙겠습니다 뵙겠습니다 그래서 하지만 그냥 저기 앗 오 와 또 지금은 \
    현재 현재는 요즘은 이제 이제는 원래 저희는";

/// Adverbs that change nothing about a statement.
pub(super) const ADVERBS: &str = "너무너무 존나 졸라 은근 은근히 약간 그냥 엄청나게 예전부터 옛날부터 어릴때부터 딱히 그렇게 거의 더 더이상 이제 이젠 솔직히 개인적으로 아직 아직도 그닥 \
    나름 보통 맨날 매일 요새 사실 확실히 정말 진짜 아주 너무 무척 특히 제일 가장 요즘 완전 원래 평소에 되게 엄청 많이 참 굉장히 매우 꽤 좀 조금 \
    항상 늘 현재 지금 주로 혼자 가족과 같이 함께 계속 역시 또 다 전혀 별로 절대 잘 아예 도저히 무지 진심으로 올해 작년에 최근에 \
    얼마_전에 결국 언젠가 나중에 꼭";

/// What is so only for now, or hardly, and makes no diet.
pub(super) const PASSING: &str = "오늘부터 내일부터 지금 지금은 오늘 오늘은 이번주 이번주는 이번엔 당분간 당분간은 한동안 요즘 요즘은 요새 요새는 아직 잘 많이 별로 거의 자주 그닥 그다지 \
    그렇게 딱히 아침에 아침엔 저녁에 저녁엔 밤에 밤엔 주말엔 평일엔 가끔 잠깐";

/// What softens a statement too much to be one: "나 거의 의사야".
pub(super) const HEDGES: &str = "거의 약간 은근 은근히 나름";

/// Ends of a clause that takes back what was said before it, and of one that denies it.
pub(super) const JOKES: &str = "훼이크 페이크 장난이야 장난임 장난이에요 농담임 드립임 구라 구라야 구라임 구라지 구라지롱 구라였어 뻥 뻥이야 뻥임 뻥이지 뻥이지롱 뻥이에요 뻥입니다 거짓말 거짓말이야 거짓말임 거짓말이에요 거짓말입니다";
pub(super) const DENIALS: &str = "아니야 아님 아니에요 아닙니다 아닌데 아니지 아니지롱";

/// Parts of a sentence that make all of it a report, a wish, a joke or a guess.
pub(super) const BLOCKERS: &[&str] = &[
    "라고 했",
    "라고 말",
    "다고 했",
    "다고 말",
    "라고 하더",
    "다고 하더",
    "라고 들",
    "다고 들",
    "라던데",
    "다던데",
    "라고 생각",
    "다고 생각",
    "라고 하면",
    "라면 ",
    "다면",
    "만약",
    "만일",
    "으면 좋",
    "농담",
    "거짓말",
    "뻥이",
    "것 같",
    "것같",
    "거 같",
    "거같",
    "는 줄",
    "인 줄",
    "는 척",
    "인 척",
    "았더라면",
    "었더라면",
    "누구",
    "뭐",
    "무엇",
    "어디",
    "무슨",
    "어느",
    "어떤",
    "몇",
    "왜",
    "시절",
    "때는",
    "때 ",
    "예전에",
    "옛날에",
    "꿈에서",
    "게임에서",
    "소설",
    "아니에요",
    "아닙니다",
    "아니야",
    "주인공",
];

/// Parts of a sentence after which the user no longer speaks for themselves.
pub(super) const TASKS: &[&str] = &[
    "번역",
    "교정",
    "맞춤법",
    "요약해",
    "고쳐",
    "문장",
    "예문",
    "역할",
    "연기해",
    "상상",
    "가정하",
    "대본",
    "가사",
    "써줘",
    "써 줘",
    "써주세요",
    "써 주세요",
    "작성해",
    "영어로 바꿔",
    "아래 글",
    "다음 글",
    "다음 내용",
    "주인공을",
    "캐릭터를 만",
    "보낸 ",
    "에게서 ",
    "한테서 ",
    "답장",
    "게임하자",
];

/// Ends of a message that ask for agreement: the statement before is a question.
pub(super) const TAGS: &str = "맞죠 맞지 그렇죠 그치 그쵸 맞나요 아닌가요 맞아요";

/// Beginnings of the next word that turn a statement into something else.
pub(super) const CONTINUATIONS: &str =
    "싶 있 라고 하고 하더 했 그랬 말 보 주 줄 던 생각 면 같 척 니 는데도 말고 않 안 못 지";

/// Starts of things pointed at rather than named, and people.
pub(super) const NOT_THINGS: &str = "배불러 배고파 아파 바빠 힘들어 귀찮아 매워 그런거 이런거 저런거 그런걸 그런건 요런거 그딴거 아무거나 아무것 아무거 비밀 미정 이거 그거 저거 이것 그것 저것 이게 그게 것 거 걸 게 나 저 너 네 당신 우리 그 이 저 그녀 누구 자기 서로 \
    모두 전부 여기 거기 저기 이런 그런 저런 이 다른 모든 내 제 니 네가 너의 그의 오늘 어제 내일 지금 이번 다음 저번 방금 아까 뭔가 \
    기분 날씨 컨디션 느낌 분위기 성격 머리 몸 건강 눈 운 사이 성적 기억력 시력 체력 피부 상태 생각 말 얘기 이야기 점 부분 사람 애 분 \
    아이디어 제안 방법 계획 답변 대답 밥 아침 점심 저녁 약 그분 얘 걔 쟤 일 데 중 쪽 번 첫 두 때문 하나 둘 속 결과 사진 오빠 누나 형 언니";

/// Relatives and other persons.
pub(super) const PERSONS: &str = "엄마 아빠 어머니 아버지 언니 누나 오빠 형 동생 여동생 남동생 할머니 할아버지 아내 남편 와이프 딸 아들 친구 \
    여자친구 남자친구 여친 남친 삼촌 이모 고모 사촌 조카 선생님 사장님 팀장님 부장님 동료 애들 아이 아이들 부모님 룸메이트 선배 후배 \
    상사 이웃 애인 남자 여자 사람들 다들";

/// Others whom talk may be about.
pub(super) const OTHERS: &str = "걔 쟤 얘 그분 그녀 그사람 아기 애기 애 손녀 손자 시어머니 시아버지 장모님 장인어른 전남친 전여친 썸남 썸녀 절친 룸메 보스 대표님 과장님 사수 최애 아이돌 캐릭터 주인공 쌍둥이";

/// Relatives whom people say they have.
pub(super) const RELATIVES: &str = "여친 남친 여자친구 남자친구 애인 약혼자 아내 남편 와이프 딸 아들 형 누나 오빠 언니 동생 여동생 남동생 쌍둥이";

/// Predicates of having somebody.
pub(super) const HAVE: &str =
    "있어요 있습니다 있어 있음 있는데 있고 있거든요 생겼어 생겼어요 생겼습니다 생김";

/// How many of somebody or of an animal there are.
pub(super) const COUNTS: &str = "한 두 세 네 다섯 여섯 하나 둘 셋 넷";

/// Whether somebody has a partner, told as what they are.
pub(super) const STATES: &str = "솔로 싱글 독신 미혼 돌싱 모솔 모태솔로 유부남 유부녀 기혼";

/// How somebody wants to be answered, what may stand before it, and what behind.
pub(super) const MANNERS: &str = "짧게 간단하게 간단히 간결하게 자세하게 자세히 길게 친절하게 쉽게 반말로 존댓말로 한국어로 영어로 일본어로";
pub(super) const ALWAYS: &str = "앞으로 앞으로는 이제부터 이제부터는 항상 늘 언제나 제발 좀";
pub(super) const ANSWER: &str = "대답해줘 대답해_줘 대답해줘요 대답해주세요 대답해_주세요 답해줘 답해_줘 답해주세요 답해_주세요 답변해줘 답변해_줘 답변해주세요 답변해_주세요";

/// Topics of a clause that are no third person.
pub(super) const TIMES: &str = "오늘 어제 내일 지금 요즘 현재 이제 평소 사실 원래 올해 작년 최근 주말 아침 저녁 이번 다음 그 보통 기본 이름 취미 \
    직업 고향 나이 목표 꿈 전공 생일 국적";

/// Predicates of living somewhere.
pub(super) const LIVE: &str = "거주중 거주_중 거주함 살음 살고_있어요 살고_있습니다 살고_있어 살고_있고 살고_있는데 살고_있고요 살고있어요 살고있습니다 살고있어 살고있는데 \
    거주하고_있어요 거주하고_있습니다 거주해요 거주합니다 거주_중입니다 거주_중이에요 살아요 삽니다 산다 살아 살고 사는데 살아서 살거든요 살고요 살구요 살며 살지";

/// Predicates of coming from somewhere.
pub(super) const COME: &str = "왔어요 왔습니다 왔어 왔고 왔는데 왔고요 태어났어요 태어났습니다 태어났어 태어나고_자랐어요 자랐어요 자랐습니다";

/// Predicates of moving somewhere.
pub(super) const MOVE: &str = "이사했 이사_왔 이사왔 이사_갔 이사갔 이주했 이민_갔 돌아왔 돌아갔";

/// Predicates of a move that is planned.
pub(super) const MOVING: &str = "이사해요 이사합니다 이사해 이사_가요 이사_갑니다 이사_가 이사_갈_거예요 이사_갈_거야 이사_갈_예정이에요 이사_갈_예정입니다 이사할_거예요 이사할_거야 이사할_예정이에요 이사할_예정입니다 이사하기로_했어요 이사하기로_했어";

/// Predicates of living somewhere no longer.
pub(super) const NOT_LIVE: &str = "안_살아요 안_살아 안_삽니다 안_살고 살지_않아요 살지_않아 살지_않습니다";

/// Predicates of a move of which the place is not told, and of the end of studies.
pub(super) const RELOCATE: &str = "이사했 이사_왔 이사왔 이사_갔 이사갔";
pub(super) const GRADUATE: &str = "졸업했";

/// Predicates of work that ended, and of some that began, without their endings.
pub(super) const QUIT: &str = "회사_때려쳤 회사를_때려쳤 회사_때려치웠 회사_관뒀 회사를_관뒀 일_관뒀 퇴사했 퇴직했 사직했 실직했 은퇴했 정년퇴직했 해고당했 해고됐 잘렸 권고사직당했 회사를_그만뒀 회사_그만뒀 직장을_그만뒀 직장_그만뒀 \
    일을_그만뒀 일_그만뒀 회사를_그만두었 직장을_그만두었 일을_그만두었 회사에서_잘렸 회사에서_해고당했 직장을_잃었";
pub(super) const SWITCH: &str = "이직했";
pub(super) const SWITCHED: &str =
    "이직해서 이직하고 회사를_옮겨서 회사_옮겨서 회사를_옮기고 직장을_옮겨서 직장_옮겨서 직장을_옮기고";
pub(super) const JOIN: &str = "입사했 취직했 취업했 이직했";
pub(super) const LEAVE: &str = "퇴사했 그만뒀 그만두었";

/// Predicates of parting, of dying and of giving up, without their endings.
pub(super) const PART: &str = "헤어졌";
pub(super) const DIE: &str =
    "죽었 무지개다리를_건넜 무지개다리_건넜 무지개_다리를_건넜 하늘나라로_갔 하늘나라에_갔 세상을_떠났";
pub(super) const GIVE_UP: &str = "끊었";
pub(super) const RENAME: &str = "바꿨 바꾸었 개명했";

/// What people give up.
pub(super) const HABITS: &str = "담배 술 커피 고기 설탕 밀가루 탄산음료 카페인 전자담배 도박";

/// Endings of what is past.
pub(super) const PAST: &str = "어요 습니다 어 다 고 는데 거든요 고요 구요 음 네요 지만 답니다";

/// Times before what happened.
pub(super) const WHEN: &str = "지난달 지난달에 지난주 지난주에 어제 그제 엊그제 오늘 작년 작년에 재작년에 올해 최근 최근에 얼마_전에 지난_달에 지난_주에 방금 막 드디어 결국 더_이상 더이상 이제 이제는";
pub(super) const SOON: &str = "다음달에 다음_달에 다음주에 다음_주에 내년에 내일 곧";

/// Predicates of liking.
pub(super) const LIKE: &str = "좋아함 사랑함 좋아해요 좋아합니다 좋아해 좋아하고 좋아하는데 좋아해서 좋아하거든요 좋아하고요 좋아하구요 좋아한다 좋아하지만 좋아하며 \
    사랑해요 사랑합니다 즐겨요 즐깁니다 즐겨_먹어요 즐겨_마셔요 즐겨_들어요 즐겨_봐요";

/// Predicates of liking that need the speaker as topic: "저는 커피가 좋아요".
pub(super) const PLEASE: &str = "좋아요 좋습니다 좋아 좋고 좋더라고요";

/// Predicates of disliking.
pub(super) const DISLIKE: &str = "싫어함 안_좋아함 싫어해요 싫어합니다 싫어해 싫어하고 싫어하는데 싫어해서 싫어하거든요 싫어한다 싫어하지만 좋아하지_않아요 \
    좋아하지_않습니다 좋아하지_않아 안_좋아해요 안_좋아해 안_좋아합니다 더_이상_좋아하지_않아요 이제_안_좋아해요 이젠_안_좋아해요 이제_안_좋아해";

/// Predicates of not eating or drinking.
pub(super) const NOT_EAT: &str = "안_마시는데 못_마시는데 안_마시고 못_마시고 안_먹음 안먹음 못_먹음 못먹음 안_마심 못_마심 안마셔 안마셔요 안마심 못_먹어요 못_먹습니다 못_먹어 못먹어요 못먹어 안_먹어요 안_먹습니다 안_먹어 안먹어요 먹지_않아요 먹지_못해요 먹지_않습니다 \
    못_마셔요 못_마셔 안_마셔요 안_마셔 마시지_않아요 못마셔요 못_먹고 못_먹는데 안_먹고 안_먹는데 못_먹거든요";

/// Predicates of working.
pub(super) const WORK: &str = "일함 근무함 근무중 근무_중 일하고_있어요 일하고_있습니다 일하고_있어 일하고있어요 일하고있습니다 일하고있어 일하고_있고 일하고_있는데 일해요 일합니다 일해 \
    일하고 일하는데 일하며 근무하고_있어요 근무하고_있습니다 근무해요 근무합니다 근무_중이에요 근무_중입니다 재직_중입니다 재직_중이에요 활동하고_있어요 활동하고_있습니다";

/// Predicates of going to a workplace or school regularly.
pub(super) const ATTEND: &str = "다님 다니는_중 다녀요 다닙니다 다니고_있어요 다니고_있습니다 다니고_있어 다니고있어요 다녀 다니는데 다니고 다니고있습니다";

/// Predicates of introducing a name that ends in "라고".
pub(super) const CALLED: &str = "해요 합니다 해 하고 하는데 불려요 하고요 해용";

/// Predicates of asking for a name that ends in "라고".
pub(super) const CALL_ME: &str =
    "불러주세요 불러_주세요 불러줘 불러_줘 불러줘요 불러_줘요 불러도_돼요 불러주시면_돼요 불러";

/// Predicates of an allergy.
pub(super) const ALLERGY: &str = "알레르기_있음 알러지_있음 알레르기_있어서 알러지_있어서 알레르기_있는데 알러지_있는데 알레르기_있거든요 알러지_있거든요 알레르기_있고 알러지_있고 알레르기_있습니다 알러지_있습니다 알레르기가_있어요 알레르기가_있습니다 알레르기가_있어 알레르기_있어요 알레르기_있어 알러지가_있어요 알러지가_있어 \
    알러지_있어요 알러지_있어 알레르기가_있는데 알레르기가_있어서 알러지가_있어서 알레르기예요 알레르기가_심해요 알러지가_심해요";

/// Predicates of wanting to become.
pub(super) const BECOME: &str = "되고_싶어요 되고_싶습니다 되고_싶어 되고싶어요 되고싶어 되는_게_꿈이에요 되는_것이_꿈이에요 되는_게_꿈이야 되는_게_목표예요";

/// Predicates of having a goal.
pub(super) const AIM: &str = "목표예요 목표에요 목표입니다 목표야 꿈이에요 꿈입니다 꿈이야 목표고 꿈이고";

/// Predicates of learning.
pub(super) const LEARN: &str = "배우는_중이야 배우는_중이에요 배우는_중입니다 배우는_중 배우는중이야 배우는중이에요 배우는중 공부하는_중이야 공부하는_중이에요 공부하는_중 배워 배움 공부함 배우고_있어요 배우고_있습니다 배우고_있어 배우고있어요 배우고있어 공부하고_있어요 공부하고_있습니다 공부하고_있어 공부하고있어요 배워요";

/// Predicates of studying a subject.
pub(super) const MAJOR: &str =
    "전공하고_있어요 전공하고_있습니다 전공하고_있어 전공해요 전공합니다 전공했어요 전공했습니다";

/// Predicates of speaking a language.
pub(super) const SPEAK: &str =
    "할_줄_알아요 할_줄_압니다 할_줄_알아 할_수_있어요 할_수_있습니다 구사해요 구사합니다";

/// Predicates of keeping an animal.
pub(super) const RAISE: &str = "키움 키우는_중이야 키우는_중 키우고_있음 키워요 키웁니다 키워 키우고_있어요 키우고_있습니다 키우고_있어 키우고있어요 키우고있어 키우는데 키우고_있는데";

/// Predicates of a state or event that need nothing else.
pub(super) const MARRIED: &str = "결혼했음 이혼했음 결혼함 이혼함 미혼임 기혼임 결혼했어요 결혼했습니다 결혼했어 기혼이에요 기혼입니다 미혼이에요 미혼입니다 이혼했어요 이혼했습니다 이혼했어";

/// Endings of the copula after a final consonant, the longest first.
pub(super) const COPULA_CLOSED: &str =
    "임 이거든요 이라서 이구요 이고요 이에요 이예요 이에용 이예용 입니다 인데요 인데 이야 이고 이며 이다";

/// Endings of the copula after a vowel, the longest first.
pub(super) const COPULA_OPEN: &str =
    "임 거든요 구요 고요 라서 예요 에요 예용 에용 입니다 인데요 인데 이다 이고 야 고 며 다";

/// Occupations; a word that ends in one names one.
pub(super) const OCCUPATIONS: &str = "간호사 의사 개발자 프로그래머 엔지니어 디자이너 교사 선생님 교수 강사 학생 대학생 대학원생 고등학생 중학생 초등학생 유학생 취준생 \
    취업준비생 회사원 직장인 공무원 변호사 판사 검사 회계사 세무사 변리사 법무사 약사 한의사 수의사 치과의사 물리치료사 작업치료사 임상병리사 방사선사 \
    치위생사 영양사 조리사 요리사 셰프 제빵사 파티시에 바리스타 바텐더 미용사 헤어디자이너 네일아티스트 메이크업아티스트 경찰관 경찰 소방관 군인 직업군인 장교 부사관 \
    기자 아나운서 작가 소설가 시인 번역가 통역사 통역가 편집자 에디터 출판인 화가 일러스트레이터 만화가 웹툰작가 조각가 사진작가 사진가 포토그래퍼 영상편집자 영화감독 \
    감독 배우 가수 연주자 피아니스트 바이올리니스트 작곡가 작사가 음악가 뮤지션 무용수 댄서 안무가 모델 유튜버 크리에이터 스트리머 인플루언서 블로거 프로게이머 \
    운동선수 축구선수 야구선수 농구선수 선수 코치 트레이너 강사님 사회복지사 상담사 심리상담사 심리학자 과학자 연구원 물리학자 화학자 생물학자 수학자 경제학자 통계학자 역사학자 \
    데이터분석가 분석가 애널리스트 컨설턴트 마케터 기획자 매니저 비서 사무직 경리 은행원 승무원 조종사 파일럿 기관사 운전기사 버스기사 택시기사 기사 배달원 \
    택배기사 집배원 정비사 용접공 목수 전기기사 배관공 건축가 건축사 설계사 농부 어부 축산업자 자영업자 사업가 창업가 대표이사 상인 판매원 점원 영업사원 \
    부동산중개인 공인중개사 보험설계사 프리랜서 주부 전업주부 가정주부 보육교사 유치원교사 초등교사 사서 학예사 큐레이터 플로리스트 정원사 조련사 훈련사 미화원 경비원 \
    목사 신부님 스님 수녀 외교관 정치인 국회의원 통계사 언어치료사 응급구조사 구급대원 항해사 선원 도선사 관제사 속기사 감정평가사 노무사 관세사 펀드매니저 트레이더 \
    심판 해설가 성우 방송인 피디 연출가 큐레이터 타투이스트 인테리어디자이너 백수 은퇴자 인턴 수험생 재수생 고3 조교 박사과정생 석사과정생";

/// Words that end like an occupation and are none.
pub(super) const NOT_OCCUPATIONS: &str = "감사 축의사 조심판 행사 검사 기자 반의사";

/// Diets.
pub(super) const DIETS: &str = "채식주의자 비건 베지테리언 페스코";

/// Nationalities.
pub(super) const NATIONALITIES: &str = "한국인 미국인 일본인 중국인 영국인 독일인 프랑스인 캐나다인 호주인 베트남인 태국인 인도인 이탈리아인 스페인인 러시아인 \
    대만인 필리핀인 인도네시아인 몽골인 재미교포 재일교포";

/// Places.
pub(super) const PLACES: &str = "서울 부산 대구 인천 광주 대전 울산 세종 제주 제주도 경기도 강원도 충청도 충청북도 충청남도 전라도 전라북도 전라남도 경상도 경상북도 \
    경상남도 수원 성남 분당 판교 일산 고양 용인 부천 안산 안양 평촌 남양주 화성 동탄 평택 의정부 시흥 파주 김포 광명 군포 하남 오산 이천 양주 구리 안성 포천 의왕 \
    여주 과천 춘천 원주 강릉 속초 동해 삼척 태백 청주 충주 제천 천안 아산 공주 보령 서산 논산 당진 전주 군산 익산 정읍 남원 목포 여수 순천 나주 광양 포항 경주 김천 \
    안동 구미 영주 영천 상주 문경 경산 창원 마산 진해 진주 통영 사천 김해 밀양 거제 양산 서귀포 강남 강북 강서 강동 홍대 신촌 이태원 잠실 여의도 목동 송파 마포 \
    용산 성수동 해운대 송도 한국 대한민국 미국 일본 중국 대만 영국 독일 프랑스 이탈리아 스페인 포르투갈 네덜란드 벨기에 스위스 오스트리아 체코 폴란드 헝가리 그리스 \
    터키 튀르키예 러시아 우크라이나 스웨덴 노르웨이 덴마크 핀란드 아일랜드 아이슬란드 캐나다 멕시코 브라질 아르헨티나 칠레 페루 호주 뉴질랜드 인도 태국 베트남 필리핀 \
    말레이시아 싱가포르 인도네시아 몽골 홍콩 두바이 이집트 이스라엘 사우디아라비아 뉴욕 로스앤젤레스 엘에이 시애틀 샌프란시스코 시카고 보스턴 워싱턴 텍사스 \
    캘리포니아 하와이 밴쿠버 토론토 몬트리올 런던 파리 베를린 뮌헨 프랑크푸르트 로마 밀라노 마드리드 바르셀로나 리스본 암스테르담 브뤼셀 취리히 빈 프라하 \
    부다페스트 바르샤바 모스크바 이스탄불 도쿄 오사카 교토 후쿠오카 삿포로 나고야 요코하마 오키나와 고베 베이징 상하이 광저우 선전 타이베이 방콕 치앙마이 하노이 호치민 \
    다낭 마닐라 세부 자카르타 발리 쿠알라룸푸르 시드니 멜버른 브리즈번 오클랜드 델리 뭄바이";

/// Endings of administrative names, for places the table does not hold.
pub(super) const DISTRICTS: &str = "시 군 구 동 읍 면 도";

/// Companies.
pub(super) const COMPANIES: &str = "삼성 삼성전자 네이버 카카오 쿠팡 라인 구글 애플 아마존 마이크로소프트 메타 현대 현대차 현대자동차 기아 엘지 LG LG전자 SK SK하이닉스 \
    하이닉스 포스코 롯데 신세계 이마트 배달의민족 우아한형제들 토스 당근 당근마켓 넥슨 엔씨소프트 넷마블 크래프톤 스타벅스 한화 두산 대한항공 아시아나 KT CJ 셀트리온";

/// Endings of workplaces.
pub(super) const WORKPLACES: &str = "병원 은행 회사 학교 대학교 연구소 카페 식당 스타트업 백화점 시청 구청 도서관 약국 공장 호텔 출판사 \
    방송국 신문사 미술관 박물관 학원 유치원 어린이집 대기업 중소기업 공기업 로펌 법무법인 증권사 보험사 여행사 서점 빵집 미용실 스튜디오 전자 대사관 공항 대학원 고등학교 중학교";

/// Universities by their short names.
pub(super) const SCHOOLS: &str = "서울대 연세대 고려대 성균관대 한양대 서강대 이화여대 중앙대 경희대 시립대 건국대 동국대 홍익대 숙명여대 부산대 경북대 전남대 충남대 카이스트 포스텍";

/// Where people go without working there, and companies whose shops they go to.
pub(super) const VISITED: &str = "도서관 카페 식당 미술관 박물관 서점 빵집 미용실 약국 병원 백화점 호텔 공항 학원 스타벅스 이마트 롯데 신세계";

/// What nobody is allergic to but in jest.
pub(super) const NOT_ALLERGENS: &str =
    "월요일 인간 사람 공부 일 회사 출근 야근 연애 학교 수학 운동 노동 결혼 남자 여자 숙제 아침";

/// What dies and is no pet.
pub(super) const DEVICES: &str =
    "핸드폰 휴대폰 폰 노트북 컴퓨터 컴 배터리 서버 화면 인터넷 와이파이 주인공 캐릭터 게임 시계";

/// Languages.
pub(super) const LANGUAGES: &str = "영어 한국어 일본어 중국어 스페인어 프랑스어 불어 독일어 러시아어 이탈리아어 포르투갈어 아랍어 베트남어 태국어 인도네시아어 \
    터키어 몽골어 힌디어 광둥어 네덜란드어 스웨덴어 폴란드어 라틴어";

/// What people learn, besides languages.
pub(super) const SKILLS: &str = "피아노 기타 바이올린 첼로 드럼 우쿨렐레 플루트 색소폰 수영 요가 필라테스 테니스 골프 복싱 파이썬 코딩 프로그래밍 자바 러스트 수채화 도예";

/// Animals people keep.
pub(super) const PETS: &str =
    "강아지 고양이 개 반려견 반려묘 토끼 햄스터 앵무새 거북이 금붕어 물고기 고슴도치 도마뱀 새 기니피그 페럿";

/// Family names.
pub(super) const SURNAMES: &str = "김 이 박 최 정 강 조 윤 장 임 한 오 서 신 권 황 안 송 류 전 홍 고 문 양 손 배 백 허 유 남 심 노 하 곽 성 차 주 우 구 민 나 진 지 엄 채 원 천 방 공 현 함 변 염 여 추 도 소 석 선 설 마 길 연 위 표 명 기 반 라 왕 금 옥 육 인 맹 제 모 탁 국 어 은 편 용";

/// Syllables of given names.
pub(super) const GIVEN: &str = "민 수 준 지 현 영 서 우 진 은 주 하 윤 예 연 아 호 성 재 혁 철 희 경 미 혜 정 승 태 동 상 도 시 유 채 다 나 소 빈 원 훈 석 기 환 용 규 욱 찬 건 선 숙 순 옥 란 애 림 린 율 온 솔 별 종 병 광 명 창 형 휘 후 안 령 라 슬 보 세 가 해 강 한 범 웅 결 봄 람 늘";

/// Words that are made of such syllables and name nobody.
pub(super) const NOT_NAMES: &str = "강아지 고양이 이민자 비밀 아직 그냥 이상 최고 최선 정상 정말 진짜 주의 없어 있어 한국 공주 공기 주부 유아 유도 지하 도서 수도 소주 한우 \
    정원 하나 우주 나라 기상 기도 전성기 성수기 한가 다들 전부 현재 소개 설명 이름 흔한 특이 예쁜 고민 고민중 한가해 여유 최애 서민 지옥 유명 무명 익명 본명 가명 아무개 \
    안성 성인 주연 조연 여성 남성 임신 연애 연애중 유부남 유부녀 신입 이중 마지막 하루 우리 미정 반대";
