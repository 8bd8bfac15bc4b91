//! Attributes of people, each by the words that ask for it or tell it: "what does she do for a living" and "works as a nurse"
//! share no word, but both are about work.

use super::tells::JOINED;
use super::traditional::{in_simplified, simplified};
use crate::index::lexical::{Role, Vocabulary, tokenize};
use crate::phrase::starts;
use std::sync::OnceLock;

/// The words of each attribute, English ones first. One of several words, or of another script, is looked for as it stands.
const ATTRIBUTES: &[&str] = &[
    "live,lives,living,reside,residence,home,house,flat,apartment,address,based,relocate,move,moved,neighbourhood,neighborhood,town,city,village,street,settled,tenant,landlord,emigrate,flatmate,lodger,lodging,lodges,renting,rents,stays with,moving to,studio,suburb,district,lodgings,동네,住,家住,居住,地址,搬,城市,都市,の街,どの街,街に,家在,我家,暮ら,引っ越,住ま,살아,살고,살았,살지,사나, 사는,사는 곳,사는 데,산다,거주,이사,주소,도시",
    "grew up,grow up,raised,native,hometown,originally,birthplace,was born,comes from,is from,come from,am from,are from,where from,childhood,roots,upbringing,nationality,adopted from,born in,老家,家乡,哪里人,什么地方人,出身,地元,実家,고향,출신",
    "work,works,job,profession,occupation,career,employer,employed,employment,company,office,for a living,trade,position,workplace,livelihood,retired,freelance,self-employed,earn a living,business,firm,shift,shifts,hired,promoted,line of work,earn money,professional,professionally,工作,职业,是做什么,做什么的,做什么工作,做什麼工作,干什么的,干嘛的,上班,公司,职位,同事,仕事,職業,勤め,会社,職場,働,직업,직장,회사,근무,출근,일하,일한,일해,무슨 일 해,무슨 일 하,무슨 일 하셔,무슨 일 하세요,무슨 일 하시는,뭐 하셔,뭐하셔,뭐 하시는,뭐하시는,部署,異動,부서;surgeon,vet,lawyer,solicitor,accountant,nurse,chef,pilot,midwife,architect,electrician,mechanic,journalist,secretary,apprentice,teach,teaches,taught,conduct,translate,repairs,manages,designs,delivers,edits,farm,farms,barista,waiter,cashier,captain,crew,soldier,babysits,babysit,paramedic,analyst,consultant,attendant,clerk,merchant,sergeant,lieutenant,waitress,actress,stewardess,coach,therapist,apprenticeship,workshop,司机,老师,医生,护士,工程师,设计师,会计,律师,厨师,店员,程序员,销售,警察,教授,开店,开花店,机师,船长,理发师,农民,看護師,教師,先生,医者,エンジニア,デザイナー,会計士,弁護士,料理人,警察官,公務員,美容師,保健師,銀行員,大工,農家,漁師,運転手,パン屋,花屋,経営,店長,기사,교사,선생님,의사,간호사,엔지니어,디자이너,회계사,변호사,요리사,공무원,경찰,소방관,은행원,어부,농부,용접,미용사,개발자,가게를,가게 하,사장,牙医,教师,出租车,记者,公务员,歯科医,漁師,会社員,美容室,営んで,회사원,약사,운영",
    "birthday,bday,born,birth,age,turned,how old,years old,next birthday,生日,出生,几岁,多大,岁数,年纪,生年月日,생년월일,岁,誕生日,生まれ,何歳,歳,생일,태어,몇 살,나이;teenager,toddler",
    "allergy,allergic,intolerant,intolerance,sensitive,react,reacts,reaction,过敏,アレルギー,알레르기,알러지;peanut,peanuts,nut,nuts,pollen,gluten,lactose,dairy,shellfish,latex,wasp,bee,sting,stings,insect,rash,hives,sneeze,sneezes,hay",
    "ill,illness,sick,wrong with,disease,condition,health,diagnosis,diagnosed,suffer,suffers,ailment,symptom,asthma,ache,pain,hurt,injury,injured,surgery,operation,hospital,ailing,disorder,unwell,medical,treatment,healthy,difficulty,difficulties,disability,disabled,joint,joints,生病,病,住院,手术,病気,入院,手術,怪我,아프,병원,수술,다쳤,건강,身体怎么样,身体好吗,体調,持病,什么病,지병;diabetes,migraine,migraines,headache,headaches,fever,cough,flu,arthritis,anaemia,cholesterol,stroke,heart,depression,anxiety,epilepsy,eczema,blood,leg,legs,knee,knees,hip,ankle,wrist,arm,shoulder,elbow,bone,broke,broken,fracture,sprained,deaf,hearing,limp,stomach,vertigo,diabetic,coeliac,celiac,seasick,stammer,stutter,pacemaker,allergies,shingles,ulcer,sclerosis,dementia,alzheimer,parkinson,covid,pneumonia,bronchitis,tonsillitis,appendicitis,hernia,measles,chickenpox,psoriasis,gout,thyroid,adhd,autism,autistic,dyslexia,dyslexic,tinnitus,glaucoma,cataract,concussion,sciatica,cancer,tumour,tumor,scoliosis,reflux,sinusitis,palsy,amputated,wheelchair,crutches,neck,lung,lungs,kidney,kidneys,liver,collarbone,rib,ribs,spine,spinal,糖尿,高血压,近视,花粉症,腰痛,喘息,당뇨,고혈압,천식,디스크",
    "medicine,medication,med,meds,medicament,pill,tablet,prescription,drug,vitamin,supplement,dose,injection,jab,药,薬,サプリ,약을,약은,약이,약 먹,먹는 약,복용;antibiotic,antibiotics,penicillin,aspirin,ibuprofen,insulin,swallow,inhaler,painkiller,painkillers,metformin,lisinopril,amlodipine,losartan,statin,statins,atorvastatin,levothyroxine,warfarin,sertraline,fluoxetine,omeprazole,methotrexate,iron,magnesium,antihistamine,antihistamines,cortisone,vaccinated,vaccine,vaccination,booster,antidepressants,steroids,chemotherapy",
    "doctor,dentist,physician,therapist,physiotherapist,surgeon,clinic,gp,specialist,surgery,family practice,medical practice,医生,医院,牙医,医者,歯医者,病院,의사,치과;pediatrician,paediatrician,dermatologist,psychiatrist,gynaecologist,gynecologist,neurologist,oncologist,optician,cardiologist,psychologist,chiropractor",
    "car,drive,drives,vehicle,automobile,van,motorbike,motorcycle,motor,licence,license,tyre,driver,开车,汽车,的车,什么车,辆车,買車,车牌,開車,車,トヨタ,ホンダ,運転,자동차,운전,차종,내 차 ,내 차는,내 차가,내 차를,제 차 ,제 차는,차 몰,차를 몰,몬다;丰田,本田,宝马,奔驰,奥迪,特斯拉,比亚迪,소나타,그랜저,아반떼,테슬라,벤츠,truck,lorry,scooter,camper,petrol,garage,toyota,volkswagen,ford,audi,bmw,fiat,renault,volvo,honda,tesla,peugeot,skoda,alfa,mercedes,vespa,hyundai,kia,nissan,mazda,subaru,jeep",
    "commute,commutes,cycle,cycles,cyclist,bike,bicycle,go to work,travel to,get to work,get to the office,travels to work,ride,rides,public transport,通勤,骑车,自行车,地铁,自転車,출퇴근,자전거,지하철;train,tram,bus,subway,underground,metro,ferry,walk,walks,vespa,moped",
    "pet,pets,dog,puppy,cat,kitten,rabbit,hamster,parrot,animal,vet,breed,宠物,寵物,小猫,小狗,猫,貓,狗,ペット,飼,犬,반려,반려동물,애완동물,강아지,고양이;labrador,terrier,terriers,poodle,spaniel,retriever,greyhound,dachshund,beagle,collie,whippet,husky,corgi,pug,bulldog,chihuahua,gerbil,tabby,budgerigar,budgie,canary,goldfish,tortoise,turtle,pony,horse,hen,hens,bees,lizard,snake,guinea,ferret,duck,ducks,goat,goats,sheep,tarantula,gecko,iguana,chinchilla,gerbil,mouse,rat,rats,hedgehog,alpaca,llama,donkey,pigeon,pigeons,chickens,cockatoo,stallion,mare,foal",
    "married,marry,marriage,wife,husband,spouse,partner,wed,wedding,divorced,single,widowed,engaged,engagement,getting married,结婚,领证,妻子,丈夫,老婆,老公,结了婚,結婚,妻,夫,결혼,아내,남편",
    "partner,wife,husband,couple,single,engaged,lives with a man,lives with a woman,moved in with,live together,lives together,fiancé,fiancée,dating,boyfriend,girlfriend,relationship,romantic,in love,seeing anyone,seeing somebody,seeing someone,with somebody,with someone,going out with,broken up,broke up,split up,separated,fiance,fiancee,对象,恋爱,分手,別れた,別れました,헤어졌,女朋友,男朋友,彼女,彼氏,恋人,여자친구,남자친구,연애,애인;ex",
    "child,children,kid,kids,son,sons,daughter,daughters,baby,twins,offspring,pregnant,expecting,be a father,be a mother,be a parent,be a dad,be a mum,孩子,儿子,女儿,子供,子ども,息子,娘,아이,아들,딸;girl,girls,boy,boys,toddler,newborn",
    "brother,sister,sibling,siblings,youngest of,eldest of,oldest of,middle child,only child,one of two,one of three,one of four,half-brother,half-sister,stepbrother,stepsister,哥哥,弟弟,姐姐,妹妹,兄弟,姉妹,兄,弟,姉,妹,형제,자매,남동생,여동생,누나,언니,오빠",
    "mother,father,mum,mom,dad,parent,parents,妈妈,爸爸,父母,母亲,父亲,両親,お母,お父,母,父,엄마,아빠,어머니,아버지,부모",
    "eat,eats,allergy,allergic,intolerant,food,foods,diet,dish,meal,cuisine,cook,cooks,vegetarian,vegan,pescatarian,meat,breakfast,lunch,dinner,dessert,snack,bake,bakes,hungry,edible,recipe,taste,sweet tooth,not serve,should i serve,can i serve,吃,菜,做饭,食物,过敏,食べ,料理,ご飯,アレルギー,먹,음식,요리,메뉴,알레르기;kitchen,restaurant,bread,cheese,cream,egg,eggs,omelette,fish,seafood,shellfish,beef,pork,chicken,ham,bacon,sausage,rice,pasta,pizza,soup,salad,curry,vegetable,vegetables,fruit,herb,herbs,spice,spices,sugar,sweet,sweets,chocolate,cake,cakes,biscuit,biscuits,butter,milk,yoghurt,nut,nuts,peanut,peanuts,gluten,lactose,dairy,tomato,tomatoes,potato,potatoes,onion,onions,garlic,mushroom,mushrooms,olive,olives,peas,beans,apple,strawberries,banana,honey,coriander,pepper,chilli,chillies,noodles,lamb,turkey,salmon,tuna,oats,porridge,cereal,liquorice,ice,jam,avocado,broccoli,cabbage,spinach,lentils,tofu,pastry,pastries,doughnut,doughnuts,croissant,croissants,waffles,pancakes,churros,diabetic,diabetes,coeliac,celiac,kosher,halal,香菜,火锅,饺子,海鲜,牛肉,猪肉,辣,パクチー,寿司,刺身,うどん,ラーメン,カレー,内臓,고수,김치,고기,해산물,오이,회를",
    "drink,drinks,beverage,sip,sips,thirsty,mug,喝,咖啡,茶,飲,コーヒー,お茶,마시,마셔,커피;coffee,tea,juice,milk,water,lemonade,espresso,cappuccino,grey",
    "drink,drinks,alcohol,alcoholic,spirit,spirits,liquor,sober,teetotal,bottle,bar,drunk,酒,お酒,ビール,술,맥주;beer,wine,whisky,vodka,gin,rum,cider,mezcal,tequila,brandy,champagne,cocktail,cocktails,pint,pub,lager,ale",
    "like,likes,love,loves,favourite,favorite,fave,fav,is into,prefer,prefers,preferred,enjoy,enjoys,adore,fond,fan,crazy about,keen,passion,passionate,mad about,obsessed,weakness,resist,喜欢,最爱,爱吃,好き,お気に入り,大好,좋아,즐겨,최애",
    "dislike,dislikes,hate,hates,cannot stand,cannot bear,can't stand,detest,avoid,loathe,not like,refuse,refuses,will not,won't,leave off,leave out,left out,disgust,disgusted,annoy,annoys,can not stand,put off,讨厌,不喜欢,嫌い,苦手,싫어,질색",
    "fear,fears,afraid,scared,phobia,terrified,frightened,frightens,dread,scares,scream,panic,nightmare,nightmares,怕,害怕,恐惧,怖,恐,무서,겁;spider,spiders,snake,snakes,needles,claustrophobia,thunder,heights,dark,lifts",
    "instrument,guitar,piano,violin,trumpet,drums,flute,cello,band,music,musical,orchestra,tune,乐器,吉他,钢琴,楽器,ギター,ピアノ,악기,기타,피아노;ukulele,recorder,harp,harmonica,saxophone,clarinet,accordion,organ,banjo,drum,drummer,viola,trombone,fiddle,bass,keyboard",
    "sing,sings,choir,voice,soprano,alto,tenor,唱歌,合唱,歌,노래,합창",
    "sport,sports,exercise,workout,run,runs,running,swim,swims,climb,climbing,gym,marathon,race,train,training,fitness,yoga,athlete,athletic,work out,martial art,martial arts,运动,跑步,健身,游泳,スポーツ,運動,走,泳,ジム,운동,달리기,수영,헬스,등산;tennis,basketball,volleyball,rugby,cricket,hockey,golf,badminton,karate,judo,boxing,squash,triathlon,ski,skis,skiing,skate,skates,skating,surf,surfing,sail,sails,sailing,row,rows,rowing,hike,hikes,hiking,jog,jogs,dive,dives,diving,pool,lap,laps,pilates,bouldering,football,soccer,ballet,gymnastics,athletics,aikido,taekwondo,fencing,archery,rides,cyclist,snowboard,snowboarding,paddle,belt,lengths",
    "hobby,hobbies,interest,interests,is into,into,obsessed with,passionate about,spare time,free time,leisure,pastime,unwind,relax,collect,collects,爱好,业余,趣味,休みの日,취미,여가;hike,hikes,hiking,garden,gardening,grow,grows,knit,knits,sew,sews,crochet,paint,paints,draw,draws,sketch,photography,photographs,chess,game,games,puzzle,puzzles,craft,pottery,dance,dances,volunteer,volunteers,fishing,birdwatching,woodwork,build,builds,model,models,stamp,stamps,bridge,cards,bees,bake,bakes,carve,carves,restore,restores,allotment,telescope,lego,origami,calligraphy,embroider,embroiders,quilt,quilts,beekeeping,crossword,crosswords",
    "read,reads,reading,book,novel,author,literature,magazine,poem,poems,poetry,看书,小说,读,読,本,小説,책,소설,읽;textbook,memoir,biography,comic,comics,essay,essays,chapter,manga,fiction,fantasy,thriller,detective,poet,library",
    "film,films,movie,movies,cinema,series,watch,watches,television,tv,comedy,documentary,thriller,horror,cartoon,actor,actress,电影,电视,映画,ドラマ,テレビ,stream,streams,streaming,영화,드라마,텔레비전;netflix,disney,hbo,iplayer,youtube,anime",
    "language,languages,speak,speaks,fluent,tongue,accent,bilingual,native,语言,英语,日语,言語,英語,話せ,언어,영어,말할,語学,语种,외국어,외국말;english,spanish,german,french,italian,portuguese,japanese,chinese,korean,russian,arabic,dutch,swedish,polish,welsh,greek,turkish,latin,norwegian,danish,finnish,czech,hungarian,croatian,romanian,ukrainian,hebrew,hindi,esperanto,語を,語が,语,한국어,일본어,중국어,스페인어,프랑스어,독일어",
    "study,studies,studied,school,university,college,degree,student,graduated,major,course,lesson,lessons,class,learn,learns,learning,educated,education,pupil,exam,exams,diploma,thesis,phd,master's,tutor,qualification,teach,teaches,certificate,certified,grade,semester,homework,kindergarten,nursery,daycare,preschool,uni,bachelor,subject,学习,大学,专业,毕业,学校,课,勉強,専攻,卒業,習,공부,대학,전공,졸업,학교,배우;chemistry,physics,maths,mathematics,biology,geography,economics,engineering,law",
    "phone,mobile,smartphone,handset,cell,手机,电话,携帯,スマホ,電話,휴대폰,핸드폰,전화;iphone,android,samsung,galaxy,pixel,nokia,motorola,huawei,xiaomi,oneplus,fairphone",
    "reach,contact,contacted,e-mail,email,message,whatsapp,call,telephone,get in touch,reply,replies,ring,text,texts,text message,write to,answer,answers,get hold of,be reached,联系,連絡,연락;signal,telegram,slack,messenger,viber,wechat",
    "rent,pay,pays,paid,cost,costs,price,fee,money,pound,pounds,euro,dollar,spend,afford,expensive,cheap,bill,bills,saving,savings,saves,put aside,putting money,bank,banks,mortgage,budget,tenant,lodger,landlord,lease,fees,payment,payments,cash,多少钱,价格,租金,房租,百元,千元,万元,0元,块,円,値段,家賃,料金,월세,가격,얼마,원을,비용",
    "owe,owes,debt,lend,lent,borrow,borrowed,loan,overdraft,instalments,pay off,paying off,paid off,pay back,pay me back,pay you back,paid back,欠,借,貸,빌려,빚",
    "salary,earn,earns,wage,income,pay rise,pay raise,a raise,much do i make,much did i make,much does he make,much does she make,工资,收入,年収,給料,연봉,월급",
    "plan,plans,planned,want,wants,hope,hopes,intend,intends,wish,wishes,dream,dreams,aim,goal,would like,would love,going to,ambition,future,aspire,aspires,hoping,intention,thinking of,打算,想要,计划,梦想,希望,つもり,予定,夢,したい,たい,계획,싶,꿈,예정",
    "trip,travel,travels,travelled,visit,visits,visited,holiday,vacation,journey,abroad,flight,flying,tour,tourist,cruise,visa,passport,plane,airline,pilgrimage,旅行,出差,旅,出張,여행,출장;seat,aisle,luggage,suitcase,camino,backpacking,camping",
    "stop,stopped,quit,gave up,given up,no longer,ceased,longer,anymore,cancelled,cut out,cut down,cut back,戒,不再,取消,やめ,그만,끊",
    "smoke,smokes,smoking,smoker,cigarette,cigarettes,tobacco,抽烟,吸烟,烟,タバコ,煙草,담배",
    "colour,color,颜色,色,색깔,색을;red,blue,green,yellow,orange,purple,pink,brown,black,white,grey,gray,beige,silver,gold,golden,turquoise,violet,navy",
    "wear,wears,clothes,clothing,dress,outfit,穿,衣服,服,옷",
    "size,shoe,shoes,foot,feet,boots,鞋,靴,신발",
    "wear,wears,glasses,lenses,lens,eyewear,spectacles,eyesight,cataract,cataracts,glaucoma,vision,blind,sighted,see well,eyes,eye,colour-blind,眼镜,眼鏡,안경,视力,近视,視力,近視,시력,근시",
    "hair,haircut,hairstyle,look like,tattoo,tattoos,piercing,beard,moustache,freckles,scar,appearance,body art,bald,头发,髪,머리;blonde,blond,ginger,redhead,brunette,slim,wrinkles,dimple,curly,curls,shaves,shave,shaved,wig,braids,ponytail,dreadlocks",
    "sleep,sleeps,insomnia,nap,bedtime,awake,asleep,bed,wake,wakes,wake up,get up,gets up,alarm,night owl,early bird,morning person,early riser,睡,失眠,眠,寝,잠,수면,불면;snores,snore,nightmares,dream",
    "name,named,called,nickname,known as,goes by,go by,call me,calls me,should i call,be called,叫什么,名字,叫,名前,という,이름,라는,부르",
    "deadline,due,submit,hand in,finish by,overdue,hand over,delivery,截止,期限,締め切り,締切,마감,기한",
    "team,club,supports,root for,rooting for,football,fan,fans,球队,球迷,チーム,ファン,축구,응원,팀",
    "die,died,dead,death,passed away,widow,widowed,widower,funeral,grave,alive,lost his father,lost his mother,lost his wife,lost her father,lost her mother,lost her husband,orphan,去世,过世,亡くな,死,돌아가,죽",
    "prize,award,won,win,honour,trophy,shortlisted,medal,competition,champion,winner,奖,得奖,賞,受賞,상을",
    "computer,laptop,tablet,device,电脑,平板,パソコン,タブレット,컴퓨터,노트북;macbook,imac,thinkpad,chromebook,ipad,dell,lenovo",
    "friend,friends,pal,mate,buddy,acquaintance,closest,companion,朋友,好友,友達,友人,親友,친구",
    "religion,religious,church,faith,believe,temple,pray,信仰,宗教,教会,종교,교회;muslim,christian,catholic,protestant,jewish,hindu,buddhist,sikh,mosque,synagogue,ramadan,sabbath,kosher,halal,mass,atheist,prayer,bible,priest,imam,monk,jehovah,mormon,quaker,lutheran,orthodox,baptist,methodist,evangelical,anglican,presbyterian,pagan,zen",
    "time,morning,evening,weekday,what day,which day,schedule,几点,星期,周几,何時,何曜日,몇 시,요일",
    "dog,dogs,puppy,犬,狗,강아지;labrador,terrier,terriers,poodle,spaniel,retriever,greyhound,dachshund,beagle,collie,corgi,whippet,husky",
    "cat,cats,kitten,猫,고양이;tabby,siamese",
    "rabbit,rabbits,兔,토끼",
    "parrot,hamster",
    "guitar,吉他,ギター,기타",
    "piano,钢琴,ピアノ,피아노",
    "violin,cello,flute",
    "trumpet,drums",
    "neighbour,neighbours,neighbor,neighbors,next door,across the street,across the road,upstairs,downstairs,邻居,隣,近所,이웃",
    "vote,votes,voted,election,political,politics,politician,which party,political party,政治,投票,选举,選挙,정치,투표;green,greens,labour,conservative,conservatives,liberal,liberals,socialist,democrat,democrats,republican",
    "volunteer,volunteers,volunteering,charity,charities,donate,donates,voluntary,help out,志愿,义工,ボランティア,봉사;refugees,shelter,homeless",
    "video call,video calls,zoom,skype,online meeting,online meetings,video conference,webcam",
    "speech,stammer,stutter,lisp,pronounce,trouble speaking",
    "plant,plants,flower,flowers,houseplant,houseplants,lawn,cultivate,cultivates,harvest,windowsill,greenhouse,花,植物,식물;orchid,orchids,roses,cactus,herbs,garden,grow,grows",
    "boat,boats,ship,sea,yacht,船,배를;ferry,sail,sails,sailing,seasick,deck,captain,harbour,canoe,kayak",
    "accident,crash,happened,burgled,burglary,robbed,stolen,disaster,事故,사고;fire,burn,burned,burnt,flood,flooded",
    "game,games,board game,board games,card game,card games,ゲーム,游戏,게임;chess,bridge,poker,cards,crossword,sudoku,backgammon,scrabble,checkers,puzzle,puzzles",
    "passport,visa,document,documents,expire,expires,renew,renewal,identity card,护照,パスポート,여권",
    "bank,banks,savings,credit card,bank account,银行,銀行,은행",
    "habit,habits,vice,习惯,癖,버릇;smokes,snores,bites,nails,gamble,gambles,swears,cracks",
    "army,navy,soldier,military,veteran,served in,conscript,drafted,enlisted,fought,war,objector,regiment,军,軍,군대",
    "podcast,podcasts,radio,newspaper,news,listen,listens,to listen to,新闻,ニュース,뉴스",
    "music,song,songs,band,singer,album,concert,音乐,音楽,음악;jazz,rock,opera,classical,techno,folk,punk,rap,pop",
    "temper,shy,outgoing,introvert,introverted,extrovert,stubborn,punctual,patient,impatient,quiet,kind of person,what is she like,what is he like,性格,성격",
    "left-handed,right-handed,write with,which hand,左撇子,左利き,왼손",
    "grandmother,grandfather,grandma,grandpa,grandparent,grandparents,granny,祖母,祖父,奶奶,爷爷,おばあ,おじい,할머니,할아버지",
    "shop,shops,shopping,store,supermarket,groceries,买,買い物,마트",
    "gift,gifts,birthday present,christmas present,礼物,プレゼント,선물",
    "lawsuit,sued,jury,custody,法院,裁判,재판",
    "code,codes,coding,programming,program,programs,software,website,app,编程,プログラミング,코딩;python,javascript,rust,java",
    "museum,museums,gallery,exhibition,theatre,theater,ballet,play at,博物馆,美術館,미술관",
    "stress,stressed,worried,worry,worries,anxious,lonely,nervous,upset,exhausted,exhausting,tired,tiring,feel about,feels about,压力,ストレス,스트레스",
    "blood type,blood group,血型,血液型,혈액형",
    "star sign,zodiac,horoscope,星座,별자리",
    "internet,online,wifi,wi-fi,broadband,router,password,passwords,インターネット,网络,密码,인터넷,비밀번호",
    "tax,taxes,bookkeeper,tax return,税,세금",
    "paternity leave,maternity leave,sick leave,on leave,sabbatical,day off,days off,off work,back at work,away on,休假,産休,育休,휴가",
    "dance,dances,dancing,dancer,跳舞,ダンス,踊,춤;tango,salsa,waltz,ballet,ballroom,samba,flamenco",
    "headache,headaches,migraine,migraines,头痛,頭痛,두통",
    "property,house,land,inherit,inherited,inheritance,estate,房产,不動産,부동산;farmhouse,cottage,villa,apartment,flat",
    "scholarship,funded,funding,tuition,奖学金,奨学金,장학금",
    "roommate,roommates,flatmate,flatmates,housemate,housemates,shares a flat,shares a house,shares an apartment,share a flat,lives with,live with,室友,ルームメイト,룸메이트",
    "allowed,allow,allows,permit,permits,permitted,permission,forbid,forbids,forbidden,banned",
    "injury,injured,injuries,broke,broken,fracture,fractured,sprained,tore,受伤,怪我,부상",
    "married,marry,wed,wedding,engaged,engagement,proposed,proposal,honeymoon,anniversary,ceremony,getting married,结婚,婚礼,结了婚,結婚,結婚式,결혼,결혼식",
    "tall,height,weight,weigh,weighs,look like,appearance,metres tall,feet tall,身高,体重,多高,多重,身長,키가,몸무게",
    "appliance,appliances,washing machine,dishwasher,fridge,freezer,oven,microwave,boiler,heating,radiator,dryer,家电,家電,洗衣机,冰箱,洗濯機,冷蔵庫,가전,세탁기,냉장고;kettle,toaster,cooker,vacuum,hoover",
    "tradesman,tradesmen,plumber,electrician,joiner,handyman,fix,fixes,fixed,mend,mends,repair,repairs,faulty,leak,leaks,cracked,out of order,stopped working,is broken,are broken,维修,修理,修好,壊れ,고장,수리",
    "key,keys,lock,locks,locked out,locksmith,钥匙,鍵,열쇠",
    "citizen,citizenship,nationality,national,passport,passports,国籍,국적;polish,british,american,german,french,italian,spanish,irish,dutch",
    "decorate,decorating,decor,wallpaper,renovate,renovation,conversion,extension,building work,builder,builders,装修,リフォーム,인테리어;loft,attic,bathroom,tiles,paint,painted,repainted",
    "insurance,insured,insures,insurer,policy,premium,保险,保険,보험",
    "rubbish,recycling,bin,bins,trash,garbage,collected,垃圾,ごみ,쓰레기",
    "clean,cleaner,cleans,cleaning,housework,chores,tidy,打扫,掃除,청소",
    "exam,exams,test,tests,revise,revising,revision,studying for,考试,試験,시험",
    "boss,manager,supervisor,report to,reports to,works under,work under,老板,上司,상사,部長",
    "colleague,colleagues,coworker,coworkers,workmate,workmates,works with,work with,同事,同僚,동료",
    "family,families,relative,relatives,next of kin,家人,家族,家里人,家裡人,亲戚,親戚,亲人,가족,식구,친척;wife,husband,spouse,son,sons,daughter,daughters,child,children,kid,kids,baby,twins,brother,sister,brothers,sisters,siblings,mother,father,mum,mom,dad,parent,parents,uncle,aunt,cousin,nephew,niece,grandmother,grandfather,grandma,grandpa,grandparents,grandchildren,stepson,stepdaughter,妻子,丈夫,老婆,老公,儿子,女儿,哥哥,姐姐,弟弟,妹妹,爸爸,妈妈,妻,息子,兄,姉,弟,妹,両親,아내,남편,아들,누나,오빠,언니,동생,엄마,아빠,어머니,아버지",
    "subscription,subscriptions,subscribe,subscribes,subscribed,订阅,サブスク,구독;netflix,spotify,disney,audible",
];

/// The lines of pets, and of instruments: who asks for the cat is not told of the dog.
const KINDS: [Attributes; 2] = [0b1111 << 54, 0b1111 << 58];

const _: () = assert!(ATTRIBUTES.len() <= Attributes::BITS as usize);

/// What a text speaks of: a bit for each attribute.
pub(super) type Attributes = u128;

/// The attribute of a home.
pub(super) const HOME: Attributes = 1;

/// The attribute of work.
pub(super) const WORK: Attributes = 1 << 2;

/// The attribute of age.
pub(super) const AGE: Attributes = 1 << 3;

/// The attribute of pets, with those of dogs, cats and others.
pub(super) const PETS: Attributes = 1 << 10 | 0b1111 << 54;

/// The attribute of languages.
pub(super) const LANGUAGE: Attributes = 1 << 28;

/// The attribute of names.
pub(super) const NAME: Attributes = 1 << 45;

/// The attribute of colours.
pub(super) const COLOUR: Attributes = 1 << 39;

/// The attributes of where somebody is from.
pub(super) fn origin() -> Attributes {
    1 << 1 | nationality()
}

/// The attribute of what is taken against an illness.
pub(super) const MEDICINE: Attributes = 1 << 6;

/// The attribute of nationalities.
pub(super) fn nationality() -> Attributes {
    of_token("citizenship")
}

/// Those of allergies, and of food. Who asks what somebody eats is told of allergies; who asks for these is not told of meals.
pub(super) const ALLERGY: Attributes = 1 << 4;
const FOOD: Attributes = 1 << 16;

/// What is asked for, with all other kinds where one is.
pub(super) fn with_kinds(asked: Attributes) -> Attributes {
    KINDS.iter().filter(|kinds| asked & **kinds != 0).fold(asked, |all, kinds| all | kinds)
}

/// Whether what is told is of another kind than what is asked for.
pub(super) fn is_of_another_kind(asked: Attributes, told: Attributes) -> bool {
    KINDS.iter().any(|kinds| asked & kinds != 0 && told & kinds != 0 && asked & told & kinds == 0)
}

/// The words of the attributes: by their tokens, and those that are looked for as they stand.
struct Known {
    /// The place in `spoken`, of which the first is that of all other tokens.
    tokens: Vocabulary,
    /// What a token speaks of, and of what it names only a kind.
    spoken: Vec<[Attributes; 2]>,
    /// All tokens in order, with the same.
    all: Vec<(String, [Attributes; 2])>,
    phrases: Vec<(&'static str, Attributes)>,
    /// Those of kinds, in scripts without spaces.
    phrases_of_kinds: Vec<(&'static str, Attributes)>,
}

fn known() -> &'static Known {
    static KNOWN: OnceLock<Known> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let (mut tokens, mut spoken): (_, Vec<[Attributes; 2]>) = (Vocabulary::default(), vec![[0; 2]]);
        let (mut all, mut phrases, mut phrases_of_kinds) = (Vec::new(), Vec::new(), Vec::new());
        for (number, attribute) in ATTRIBUTES.iter().enumerate() {
            let bit: Attributes = 1 << number;
            let (words, kinds) = halves(attribute);
            for word in words.split(',').filter(|word| !is_plain(word)) {
                phrases.push((word, bit));
            }
            phrases_of_kinds.extend(kinds.split(',').filter(|word| !word.is_ascii()).map(|word| (word, bit)));
            for (words, half) in [(words, 0), (kinds, 1)] {
                for word in words.split(',').filter(|word| is_plain(word)) {
                    tokenize(word, |token, _| {
                        if tokens.get(token) == 0 {
                            tokens.set(token, spoken.len() as u64);
                            spoken.push([0; 2]);
                            all.push(token.to_owned());
                        }
                        let of = spoken.get_mut(tokens.get(token) as usize);
                        if let Some(of) = of.and_then(|of| of.get_mut(half)) {
                            *of |= bit;
                        }
                    });
                }
            }
        }
        all.sort_unstable();
        let spoken_by = |token: &String| spoken.get(tokens.get(token) as usize).copied().unwrap_or_default();
        let all = all.into_iter().map(|token| {
            let of = spoken_by(&token);
            (token, of)
        });
        let all = all.collect();
        Known { tokens, spoken, all, phrases, phrases_of_kinds }
    })
}

/// The words of an attribute, and those of its kinds.
fn halves(attribute: &'static str) -> (&'static str, &'static str) {
    attribute.split_once(';').unwrap_or((attribute, ""))
}

/// Whether it is one English word.
fn is_plain(word: &str) -> bool {
    !word.is_empty() && word.is_ascii() && !word.contains([' ', '\'', '-'])
}

/// What a token speaks of, and of what it names only a kind: "labrador" of pets.
fn spoken(token: &str) -> [Attributes; 2] {
    let known = known();
    known.spoken.get(known.tokens.get(token) as usize).copied().unwrap_or_default()
}

/// What a token speaks of.
pub(super) fn of_token(token: &str) -> Attributes {
    let [wide, _] = spoken(token);
    wide
}

/// Of what a token names only a kind.
pub(super) fn kind_of_token(token: &str) -> Attributes {
    let [_, narrow] = spoken(token);
    narrow
}

/// What a token of a question asks for: in scripts without spaces by the words in it.
pub(super) fn asked_by(token: &str) -> Attributes {
    without_meals(if token.is_ascii() { of_token(token) } else { of_phrases(token, Attributes::MAX) })
}

/// The tokens that speak of some attributes, with what they speak of.
pub(super) fn tokens_that_speak(of: Attributes) -> impl Iterator<Item = (&'static str, [Attributes; 2])> {
    let all = known().all.iter().map(|(token, of)| (token.as_str(), *of));
    all.filter(move |(_, [wide, narrow])| (wide | narrow) & of != 0)
}

/// What a token of a question asks for as a part of a longer word in a script without spaces, whose tokens are two characters long:
/// "ペッ" of "ペット"; `lower` is the question.
pub(super) fn asked_as_part(token: &str, lower: &str) -> Attributes {
    let mut characters = token.chars();
    if token.is_ascii() || characters.nth(1).is_none() {
        return 0;
    }
    let (token, lower) = (&*in_simplified(token), &*in_simplified(lower));
    let whole = known().phrases.iter().filter(|(word, _)| word.len() > token.len() && word.contains(token));
    let asked = whole.filter(|(word, _)| holds_phrase(lower, word)).fold(0, |all, (_, bit)| all | bit);
    without_meals(asked)
}

/// Who asks for allergies is not told of meals.
fn without_meals(asked: Attributes) -> Attributes {
    if asked & ALLERGY == 0 { asked } else { asked & !FOOD }
}

/// What a text speaks of by its phrases, and in scripts without spaces; `lower` is in lower case.
pub(super) fn of_phrases(lower: &str, among: Attributes) -> Attributes {
    held(&known().phrases, lower, among)
}

/// Of what a text in a script without spaces names only a kind.
pub(super) fn kinds_of_phrases(lower: &str, among: Attributes) -> Attributes {
    held(&known().phrases_of_kinds, lower, among)
}

fn held(phrases: &[(&str, Attributes)], lower: &str, among: Attributes) -> Attributes {
    let is_wide = !lower.is_ascii();
    let simple = simplified(lower);
    let is_held = |phrase| {
        holds_phrase(lower, phrase) || simple.as_ref().is_some_and(|simple| holds_phrase(simple, phrase))
    };
    let mut left = among;
    for (phrase, bit) in phrases {
        if left & bit != 0 && (is_wide || phrase.is_ascii()) && is_held(phrase) {
            left &= !bit;
        }
    }
    among & !left
}

/// Whether a word in a script without spaces speaks of an attribute, and is no name.
pub(super) fn is_attribute(word: &str) -> bool {
    let known = known();
    known.phrases.iter().chain(&known.phrases_of_kinds).any(|(phrase, _)| *phrase == word)
}

/// Whether a text holds a phrase: in Latin letters and in katakana as words of their own.
fn holds_phrase(lower: &str, phrase: &str) -> bool {
    starts(lower, phrase).any(|start| {
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let (before, behind) = (lower.get(..start), lower.get(start + phrase.len()..));
        let (before, behind) =
            (before.and_then(|text| text.chars().next_back()), behind.and_then(|text| text.chars().next()));
        // "カーペット" and "ペットボトル" are no pets.
        let is_katakana = |c: Option<char>| c.is_some_and(|c| ('\u{30a1}'..='\u{30fc}').contains(&c));
        if phrase.chars().all(|c| is_katakana(Some(c))) {
            return !is_katakana(before) && !is_katakana(behind);
        }
        !phrase.is_ascii() || !is_letter(before) && !is_letter(behind)
    })
}

/// The tokens of the phrases of several words that a text holds; `lower` is in lower case.
pub(super) fn words_in_phrases(lower: &str) -> Vec<String> {
    let phrases = known().phrases.iter().map(|(phrase, _)| phrase);
    let held = phrases.filter(|phrase| phrase.contains(' ') && holds_phrase(lower, phrase));
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

/// The words that speak of some attributes, to search with: with those of their kinds where they are asked for themselves. Those in the
/// script of the question stand first: a search reads only so many words.
pub(super) fn words_of(asked: Attributes, themselves: Attributes, is_wide: bool) -> String {
    let mut all = String::new();
    if asked & WORK != 0 {
        all.push_str(JOINED);
        all.push(' ');
    }
    for in_wide in [is_wide, !is_wide] {
        for (number, attribute) in ATTRIBUTES.iter().enumerate() {
            let (words, kinds) = halves(attribute);
            for (words, of) in [(words, asked), (kinds, themselves)] {
                if of & (1 << number) != 0 {
                    let fits = |word: &&str| if in_wide { !word.is_ascii() } else { is_plain(word) };
                    for word in words.split(',').filter(fits) {
                        all.push_str(word);
                        all.push(' ');
                    }
                }
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
    fn kinds_are_told_from_what_they_are_kinds_of() {
        let token = |word: &str| tokens_of(word).0.concat();
        let (pets, food) = (of_token(&token("pet")), of_token(&token("meal")));
        let kind = |word: &str| kind_of_token(&token(word));
        assert!(kind("Labrador") & pets != 0 && kind("Labrador") & of_token(&token("dog")) != 0);
        assert!(kind("bread") & food != 0 && kind("meal") == 0 && of_token(&token("bread")) == 0);
        // Who asks for food searches for its kinds; who asks for a kind does not search for the others.
        assert!(
            words_of(food, food, false).contains("bread ") && !words_of(food, 0, false).contains("bread ")
        );
        assert!(is_of_another_kind(asked_by("cat"), kind("Labrador")));
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
    fn phrases_are_words_of_their_own() {
        let asks = |text: &str, phrase: &str| of_phrases(text, of_phrases(phrase, Attributes::MAX)) != 0;
        assert!(asks("she is on sick leave", "sick leave") && asks("who lives next door?", "next door"));
        assert!(
            !asks("the most stubborn intern", "born in") && !asks("what does a person leave?", "on leave")
        );
    }
}
