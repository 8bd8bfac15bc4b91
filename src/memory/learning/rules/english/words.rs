//! English word tables: lower case, one entry per word, `_` joins the words of one entry.

/// Adverbs that may stand for `*` in a pattern.
pub(super) const ADVERBS: &str = "really absolutely also just totally do still always particularly especially \
    personally generally usually truly actually honestly quite simply so kinda mostly definitely genuinely \
    currently now originally recently presently very super completely both already finally \
    mainly primarily severely highly deeply extremely often sometimes too even ever please proudly happily \
    officially technically native legally";

/// Words that may come right before a statement.
pub(super) const OPENERS: &str = "hey hi hello well so ok okay yes yeah yep yup no nope nah actually btw also and \
    but oh fyi plus anyway hiya yo sup haha lol right sure turns out thanks because cause since as ah hmm um uh honestly \
    basically wow sorry greetings morning afternoon evening there listen look then though however remember note \
    everyone all guys folks please now nowadays currently these days omg ugh welp tbh ngl yay aw aww bruh dude lmao anyways soo sooo tbf \
    hahaha damn dang omfg yooo";

/// Two words that may come right before a statement.
pub(super) const OPENING_PAIRS: &str = "good_news bad_news sad_news big_news great_news fun_fact";

/// What is said behind a statement, and says no more.
pub(super) const TAILS: &str = "lol lmao lmfao rofl haha hahaha hahahaha tho though too already finally again fr omg yay xx xxx smh ffs tbh ngl ugh \
    wtf btw fyi";

/// Words behind a home or workplace by which it is one only for a part of the time.
pub(super) const AT_TIMES: &str = "too part-time weekend weekends weekday weekdays summer winter spring autumn fall holidays holiday christmas \
    whenever when while during temporarily volunteer volunteering hours days shifts evenings mornings nights until till";

/// Before a colon, what leads the user's own statement.
pub(super) const HEADINGS: &str = "correction edit fyi update";

/// Openers that join a statement to whatever comes before them.
pub(super) const CONNECTORS: &str = "and but so because cause since as plus then though however also";

/// Words after which nothing in a sentence is the user's own plain statement.
pub(super) const BLOCKERS: &str = "if unless whether suppose supposing imagine pretend pretending wish wished say \
    says said saying tell tells told telling ask asked asks think thinks thought guess heard hear hope dreamed \
    dreamt maybe perhaps probably once until till while when whenever before after where claim claims claimed \
    believe believes wrote writes shouted everytime lest assuming provided unlike sing sang sings lyrics would \
    could should might may used joke joked quote translate example hypothetically means meant mean sentence \
    phrase title titled whoever read reads what why how who which whose character whom";

/// Words that make a whole sentence unserious or fictional.
pub(super) const VETOES: &str = "jk kidding joking hypothetically roleplay lyrics fictional pretend imagine \
    sarcasm sarcastic someday soon halloween cosplay";

/// Word pairs that put a sentence into another time or into an argument.
pub(super) const VETO_PAIRS: &str = "yeah_right oh_sure as_if back_then one_day sake_of 's_sake or_so or_i";

/// What a sentence begins with that takes back the one before it: "Not me, my flatmate"; and what one is that does nothing else.
pub(super) const TAKEN_BACK: &str = "not_me april_fools april_fool just_joking";
pub(super) const WISHED: &str = "i_wish as_if";
/// What a correction begins with: "Well, my flatmate does".
pub(super) const CORRECTING: &str = "actually no oh sorry wait well";

/// Sentences that tell nothing but joy, as far as their marks.
pub(super) const JOYS: &str = "finally yay hooray woohoo phew done we_are_in we_did_it i_did_it it_is_done big_news great_news good_news \
    got_a_job got_a_new_job i_got_a_job new_job got_the_job i_got_the_job we_made_it";

/// Words by which a message tells of a game, or of somebody made up.
pub(super) const GAMES: &str = "dnd backstory roleplaying fanfic my_character my_wizard my_warlock my_paladin my_sorcerer my_sim my_sims";

/// Who may be meant by what is said without a subject, when they are named behind it: "Moved to Leeds, my flatmate did".
pub(super) const OTHERS: &str = "flatmate roommate housemate friend friends mate colleague coworker boss neighbour neighbor \
    ex landlord landlady parents kids bestie teammate";

/// Behind "pretty much" and its like something is not so: "I'm basically a doctor by now".
pub(super) const HARDLY: &str = "basically practically virtually essentially almost nearly half much";

/// How words of others reach the user: what follows a colon then is theirs.
pub(super) const MESSAGES: &str = "wrote writes texted emailed messaged sent replied text email letter";

/// What says before a dash that others' words follow, or wishes.
pub(super) const WORDS_OF_OTHERS: &str = "bio email letter quote lyrics script character persona goal goals dream vision \
    wish wishes resolution resolutions fantasy manifestation";

/// Texts that are shown or asked for: what follows them is theirs.
pub(super) const MATERIAL: &str = "text email mail letter message essay paragraph story poem script character transcript \
    dialogue article draft monologue review speech";

/// Made-up worlds: what happens "in my novel" is no statement about the user.
pub(super) const FICTION: &str = "novel story game book movie film dream dreams play script fiction scenario example head \
 map simulation civilization minecraft skyrim roblox manga comic show universe";

/// Verbs that, right after a comma or after who speaks there, make what stands before them somebody's words.
pub(super) const REPORTS: &str = "said says shouted shouts wrote replied yelled whispered joked claimed";

/// What one may own and sell.
pub(super) const BELONGINGS: &str = "car house apartment flat condo home bike bicycle motorcycle motorbike scooter van \
    truck boat business company shop store restaurant farm piano guitar laptop horse";

/// Habits that people give up.
pub(super) const HABITS: &str = "smoking drinking vaping gambling alcohol cigarettes nicotine weed caffeine coffee sugar \
    soda meat dairy gluten";

/// Times of a stay that makes nobody live in a place.
pub(super) const STAYS: &str = "day days night nights week weeks weekend month months summer winter semester while \
    holiday holidays vacation trip stay visit honeymoon";

/// Ends of streets.
pub(super) const STREETS: &str = "street st avenue ave road rd lane drive boulevard blvd";

/// Parts of this day.
pub(super) const HOURS: &str = "morning afternoon evening";

/// Times after which it was left or joined for the day.
pub(super) const TODAY: &str = "yesterday today tonight and this at over";

/// What "last" and "this" make times of.
pub(super) const PERIODS: &str = "week weekend month year spring summer fall autumn winter";

/// Verbs that tell what somebody did who leaves out "I": "Just moved to Berlin!"
pub(super) const DEEDS: &str = "moved relocated started joined adopted got broke split sold resigned lost left retired \
    changed switched stopped quit turned gave handed put had dropped graduated promoted tied proposed based living born \
    been starting not";

/// Units of time, and numbers before them.
pub(super) const UNITS: &str = "day days week weeks month months year years";
pub(super) const NUMBERS: &str = "a an one two three four five six seven eight nine ten";

/// Words that narrow what was said before them so far that the rest alone would be false.
pub(super) const QUALIFIERS: &str =
    "if unless until till when whenever after before except instead only where";

/// Matters of the task at hand rather than of the user's life.
pub(super) const TECHNICAL: &str = "code function button file files bug bugs error errors page app script frontend backend \
    component query regex api test tests server database table column loop array string class method variable \
    endpoint branch commit repo repository build deploy docker css html json sql parser compiler algorithm pipeline \
    model library framework dataset spreadsheet document paragraph essay assignment homework react vue svelte \
    postgres redis login config plugin module package version output input sheet formula slide slides format image";

/// What only a joke is allergic to.
pub(super) const NOT_ALLERGENS: &str = "nonsense mornings work bullshit drama stupidity exercise effort math maths \
    homework commitment responsibility mondays meetings javascript java fun failure stupid people idiots him her you";

/// First words of a task whose material follows: everything after it is not the user speaking.
pub(super) const TASKS: &str = "translate rewrite rephrase paraphrase proofread summarize summarise fix correct edit \
    improve pretend imagine suppose roleplay act classify analyze analyse parse polish shorten reword revise \
    check continue complete convert transcribe grade evaluate dear review role-play tokenize decode encode";

/// First words of a request to compose: its own sentence is not the user speaking.
pub(super) const COMPOSE: &str = "write draft compose generate create say repeat sing tell quote give make";

/// First words that make a sentence a question even without its mark.
pub(super) const ASKERS: &str = "what who whom whose where when why how which do does did is are am was were can could \
    would should will shall may might has have had isnt arent";

/// Words that end a value.
pub(super) const ENDS: &str = "and but or so because since though although while which who whose where when that if \
    unless until till as too also especially including more most best better than over like then nor yet \
    cause btw lol haha hahaha lmao though however anyway now currently today tonight tomorrow yesterday lately \
    these except not anymore again whenever instead ever before after even just always very only tho fr omg yay xx xxx smh ffs tbh \
    ngl ugh wtf finally already lmfao bc cos cuz";

/// What one is, behind "and": "allergic to nuts and sleepy".
pub(super) const STATES_OF_MIND: &str = "sleepy hungry thirsty broke miserable depressed pregnant sick tired exhausted sad happy bored lonely single \
    married divorced vegan vegetarian scared afraid lactose gluten intolerant drunk sober stressed anxious";

/// Words that cannot be inside a value: with them it is a clause or points at something said before.
pub(super) const FORBIDDEN: &str = "i u ur you he she it we they me him us them this that these those there here your neither nor \
    yours his her hers its our ours their theirs mine is are was were be am been being has had will would can \
    could should may might must do does did how what why who when where whatever everything something anything \
    nothing someone anyone everyone one ones myself yourself himself herself itself themselves each such same \
    other another both any some every all another today tonight tomorrow yesterday first second third next last \
    option choice version idea suggestion part point answer response question plan thing things way stuff bit \
    lot kind sort feeling look sound vibe vibes not never 's please thanks thank dude man bro ok okay yes no \
    guys folks sorry have gonna gotta let lets yeah hey oh well really";

/// First words that make no thing: adjectives and adverbs of judgement, determiners, generalities.
pub(super) const NOT_THINGS: &str = "the a an my to-be better best more most less so very too just about at in on of \
    with for from by up down out off away back around over under between being seeing hearing having getting \
    knowing making feeling saying telling asking looking trying using keeping giving finding bringing helping \
    letting adding showing sharing thinking receiving people folks life love work and or but because early late \
    sure unsure good great nice bad cool awesome amazing crazy weird hard easy fine few many much several \
    lots plenty enough else big small new old hot cold simple self doing going-on seconds minutes";

/// Verbs that, right after "and", start a clause of their own.
pub(super) const VERBS: &str = "work live am have play hate love like want went go enjoy prefer need think know feel \
    hope wish try got get make would can will could should did do was were don't never always usually often \
    sometimes hardly rarely dislike study speak come came moved started use spend believe guess find see look \
    keep miss remember thanks thank please help hi hello tell give show grew run read watch cook eat drink drive";

/// Words with "the" that name something general: "I love the ocean".
pub(super) const GENERIC_THE: &str = "beach ocean sea outdoors mountains mountain rain snow sun sunshine countryside \
    forest woods theater theatre cinema opera ballet violin piano guitar cold heat summer winter gym arts desert \
    beatles simpsons internet dark";

/// Modifiers that make an occupation a judgement, a wish or a past.
pub(super) const NOT_MODIFIERS: &str = "good great bad terrible horrible big huge better best worse worst lousy decent \
    slow fast quick natural born former ex aspiring wannabe would-be hopeful future mediocre amazing awful poor \
    careful bit little lot kind sort hard heavy light deep early late real true total complete fellow fake \
    proud happy sad tired lucky mere mean such very pretty amateur wonderful fantastic excellent strong weak \
    huge avid keen armchair sore soft smooth ideal perfect pathetic useless lazy secret failed wanted single \
    home backseat bedtime lifelong lifetime constant eternal terrible night bigger picky grown born-again \
    possible potential visual quick-learning risk not no more-of never non public control rule ball \
    's responsible confident nervous skilled talented passionate decent crummy so-called prospective";

/// Words after which an occupation phrase has ended.
pub(super) const JOB_ENDS: &str = "at for in from by with who on of to and but or so because here there too now \
    currently by-trade working living based specializing specialising full-time part-time these which that \
    where while since as btw lol haha myself actually though trying looking who's turned during after before";

/// The last words of occupations.
pub(super) const OCCUPATIONS: &str = "accountant actor actress actuary administrator advisor adviser analyst anesthesiologist \
    animator anthropologist archaeologist architect archivist artist assistant associate astronaut astronomer athlete attorney \
    auditor author baker banker barber barista bartender biologist blacksmith bookkeeper bookseller botanist bricklayer \
    broker builder butcher buyer cabinetmaker captain cardiologist caregiver carer caretaker carpenter cartographer \
    cartoonist cashier ceramicist chauffeur chef chemist chiropractor choreographer cinematographer civil-servant cleaner \
    clerk clinician coach coder columnist comedian composer conductor consultant contractor controller cook coordinator \
    copywriter counselor counsellor courier curator custodian dancer dentist dermatologist designer detective \
    developer devops dietitian dietician diplomat director dispatcher doctor driver economist editor educator \
    electrician engineer entrepreneur epidemiologist estimator executive farmer filmmaker firefighter fisherman florist \
    freelancer gardener geographer geologist geophysicist graduate guard gynecologist hairdresser hairstylist handyman \
    historian homemaker housewife househusband hygienist illustrator inspector instructor interpreter intern investigator investor \
    janitor jeweler jeweller journalist judge lab-technician landscaper lawyer lecturer librarian lifeguard linguist \
    locksmith machinist magician manager marketer mason mathematician mechanic mediator merchant meteorologist \
    microbiologist midwife miner minister model musician nanny neurologist neuroscientist notary novelist nurse \
    nutritionist officer operator optician optometrist orthodontist painter paralegal paramedic pastor pathologist \
    pediatrician paediatrician pharmacist philosopher photographer physician physicist physiotherapist pianist pilot \
    planner plumber podcaster poet policeman policewoman politician porter postdoc potter preacher priest principal \
    producer professor programmer psychiatrist psychologist psychotherapist publisher radiographer radiologist \
    ranger realtor receptionist recruiter referee reporter representative researcher roofer sailor salesman salesperson \
    saleswoman scholar scientist screenwriter sculptor secretary sergeant server shopkeeper singer social-worker sociologist \
    soldier solicitor songwriter specialist statistician stockbroker streamer student stylist superintendent supervisor \
    surgeon surveyor tailor teacher technician technologist teller therapist trader trainer translator treasurer tutor undergrad \
    undergraduate underwriter urologist veterinarian vet videographer violinist volunteer waiter waitress warden watchmaker \
    webmaster welder worker writer youtuber zoologist electrician freshman sophomore practitioner sommelier \
    barrister blogger bookkeeper bouncer butler chaplain cobbler dev dj drummer farmhand flautist foreman goldsmith \
    guitarist hacker hotelier imam joiner landlord legislator lumberjack mailman masseuse medic monk nun \
    nurseryman obstetrician oncologist organist plasterer postman rabbi rancher refuse-collector \
    sde swe seamstress senator sheriff sonographer stagehand stewardess strategist tiler trucker typist usher valet \
    vicar vintner vocalist weaver winemaker retiree attendant agent lead";

/// Titles that stand with "of" or "at" and no article.
pub(super) const TITLES: &str = "ceo cto cfo coo cmo cio founder co-founder cofounder owner co-owner president \
    vice-president director head chairman chairwoman chair principal editor-in-chief";

/// Kinds of workplace.
pub(super) const WORKPLACES: &str = "hospital bank startup start-up school university restaurant cafe firm library \
    bakery museum clinic pharmacy hotel factory warehouse agency consultancy nonprofit non-profit bookstore \
    bookshop supermarket store shop airport studio college lab laboratory brewery salon gym zoo kindergarten \
    nursery company corporation newspaper publisher post_office law_office car_wash call_centre call_center \
    care_home nursing_home city_council county_council town_council gas_station petrol_station police_station \
    coffee_house food_bank daycare pub bar";

/// Companies people name in lower case.
pub(super) const COMPANIES: &str = "google amazon microsoft apple meta facebook netflix nvidia intel ibm oracle samsung naver \
    kakao coupang sony toyota honda hyundai lg tesla spacex uber lyft airbnb stripe spotify adobe salesforce twitter \
    linkedin tiktok bytedance walmart target starbucks mcdonalds costco ikea boeing airbus siemens bosch sap \
    accenture deloitte pwc kpmg ey mckinsey nasa fedex ups dhl shopify github gitlab openai anthropic mozilla \
    nintendo rakuten line mercari nike adidas pfizer bbc cnn cern";

/// People's given names, for names announced by a bare "I am".
pub(super) const GIVEN_NAMES: &str = "aaron abby abdul abigail adam adrian ahmed aiden akira alan albert alejandro alex \
    alexander alexandra alexis ali alice alicia alina allison alyssa amanda amelia amina amir amit amy ana andre \
    andrea andreas andrew andy angela anita anjali ann anna anne annie anthony antonio anya ariana arjun arthur \
    ashley audrey austin ava barbara beatrice ben benjamin beth betty bianca bob bobby boris brandon brenda brian \
    bruno caleb camila carl carla carlos carmen carol caroline catherine cathy cecilia charles charlie charlotte \
    chen chloe chris christian christina christine christopher cindy claire clara claudia colin connor craig \
    cynthia daisuke dan daniel daniela danny dave david deborah deepak denise dennis derek diana diego dmitri \
    dominic donald donna doug dylan ed eddie edward elena eli elias elijah elizabeth ella ellen emily emma \
    enrique eric erik erika erin ethan eva evan eve evelyn fatima felix fernando fiona francesca francesco \
    francisco fred freya gabriel gabriela gary george georgia gina giulia gloria grace greg gustavo hana hannah \
    haruka haruki harry hassan heather hector helen helena henry hiro hiroshi hugo ian ibrahim ines ingrid irene \
    isaac isabel isabella isla ivan ivy jack jackie jacob jake james jamie jan jane janet jasmine jason javier jay \
    jean jeff jennifer jenny jeremy jerry jess jesse jessica jim jin jisoo jiwoo joan joanna joao joe joel johanna \
    john jon jonathan jordan jorge jose joseph josh joshua juan julia julian julie junho justin kai karen karl \
    kate katherine kathy katie kayla keiko keith kelly ken kenji kenta kenneth kevin kim kyle lars laura lauren \
    leah lee leila leo leon liam lily lina linda lisa logan louis louise lucas lucia lucy luis luke luna maddie \
    madison marco marcus margaret maria marie marina mario martha martin mary mateo matt matthew maya megan mei \
    melanie melissa mia michael michelle miguel mike mila min mina minho minji minjun minsu miriam mohamed mohammed \
    molly monica muhammad nadia naomi natalia natalie nate nathan nicholas nick nicole nikita nina noah noor nora \
    oliver olivia omar oscar owen pablo patricia patrick paul paula pedro peter phil philip pierre priya rachel \
    rafael raj rebecca rekha renee ricardo richard rita rob robert roberto rohan rosa roy ryan sakura sally sam \
    samantha samir samuel sandra sanjay sara sarah sasha scott sean sebastian sergei seth shan sharon sofia sonia \
    sophia sophie stefan stella stephanie stephen steve steven sujin susan suzuki svetlana takeshi tanya tara taro \
    tatiana ted teresa theo theresa thomas tim timothy tina tom tomas tommy tony tracy trevor tyler valentina \
    vanessa vera veronica victor victoria vikram vincent viktor vivian walter wei wendy william xavier yara yasmin \
    yoko lucía josé maría andré jürgen zoë chloé renée sofía yoon youssef yui yuki yuna yusuf zach zachary zara zoe";

/// Capitalised or short words that are no name after "I am" or "my name is".
pub(super) const NOT_NAMES: &str = "not a an the on in at hard difficult easy pronounced spelled spelt misspelled wrong \
    too so very still also always often really what unknown secret changed now like mud common weird unusual \
    important irrelevant private long short boring funny old new different known listed missing already usually \
    never just actually korean catholic christian muslim buddhist jewish hindu sikh atheist gemini virgo leo-sign \
    aries taurus libra scorpio sagittarius capricorn aquarius pisces god batman superman santa vegan vegetarian \
    sorry tired happy sad here back sick fine good great okay ok ready done new lost confused excited bored \
    hungry busy home late sure glad from trying looking going working writing learning thinking wondering using \
    getting having doing having maybe later tomorrow crazy old-fashioned when if after asap anytime tonight today \
    soon again out my your his her it its something anything whatever that this monday tuesday wednesday thursday \
    friday saturday sunday \
    interested curious planning afraid stuck able unable single married human someone everyone none nobody \
    yes no also and but or to of with for stupid dumb lucky cute ugly nice beautiful pretty perfect unique \
    special similar taken none-of shared being never-mind ishmael maybe-later an-idiot available based called \
    registered required blank root null admin undefined empty unclear there everywhere famous rare popular boss sir madam master mom dad \
    satan hitler lucifer gollum voldemort sauron old-school selfish paranoid biased lazy picky sentimental cynical naive skeptical weirdly by";

/// Nouns that "live in" or "moved to" takes without naming a place, and capitals that are none.
pub(super) const NOT_PLACES: &str = "a an my this that fear hope peace pain denial hell mom constant same different \
    monday tuesday wednesday thursday friday saturday sunday i it here there where which what god jesus christ bed word minecraft westeros narnia \
    gotham roblox skyrim sweatpants pajamas jeans";

/// What else than workplaces one works for or at.
pub(super) const NOT_EMPLOYERS: &str = "free fun tips night peanuts cash money home heart speed scale";

/// Whose names are only quoted.
pub(super) const HEROES: &str = "inigo_montoya slim_shady james_bond bruce_wayne tony_stark darth_vader";

/// Departments, parts and grades of something that one moves to or is from, and the ends of firms' names.
pub(super) const NOT_TOWNS: &str = "sales support product operations legal hr it research development consulting procurement \
    recruiting security payroll compliance team group department division section unit level phase chapter floor room \
    building block gate row tier plan option step stage round class version part grade year generation gen premium pro \
    enterprise basic gold platinum inc ltd llc gmbh corp co ag plc labs bank university college hospital school airways \
    airlines software systems technologies holdings partners mars earth hogwarts congress parliament cloud";

/// Languages.
pub(super) const LANGUAGES: &str = "english spanish french german italian portuguese russian ukrainian polish czech \
    dutch swedish norwegian danish finnish icelandic greek turkish arabic hebrew persian farsi hindi urdu bengali \
    punjabi tamil telugu marathi gujarati thai vietnamese indonesian malay tagalog filipino chinese mandarin \
    cantonese japanese korean mongolian swahili amharic zulu afrikaans romanian hungarian bulgarian serbian \
    croatian slovak slovenian lithuanian latvian estonian catalan basque galician welsh irish gaelic latin esperanto \
    kannada malayalam nepali sinhala khmer lao burmese georgian armenian kazakh uzbek";

/// Instruments and skills that people learn.
pub(super) const SKILLS: &str = "guitar piano violin cello drums ukulele saxophone flute trumpet clarinet bass harp \
    banjo python rust javascript typescript java kotlin swift golang sql haskell";

/// The last words of fields of study.
pub(super) const SUBJECTS: &str = "accounting anthropology archaeology architecture art arts astronomy astrophysics \
    biochemistry biology biotechnology botany business chemistry classics computing criminology dentistry design drama \
    ecology economics education electronics engineering fashion film finance forestry genetics geography geology history \
    humanities informatics journalism law linguistics literature logistics management marketing mathematics maths math \
    mechanics media medicine midwifery music neuroscience nursing nutrition pedagogy pharmacology pharmacy philosophy \
    photography physics physiology physiotherapy politics psychology relations science sciences sociology statistics \
    studies theatre theology tourism zoology";

/// Nationalities.
pub(super) const DEMONYMS: &str = "american canadian mexican brazilian argentinian chilean colombian peruvian venezuelan \
    british english scottish welsh irish french german italian spanish portuguese dutch belgian swiss austrian \
    swedish norwegian danish finnish icelandic polish czech slovak hungarian romanian bulgarian greek turkish \
    russian ukrainian lithuanian latvian estonian serbian croatian slovenian albanian egyptian moroccan tunisian \
    algerian nigerian kenyan ethiopian ghanaian south_african israeli lebanese syrian iraqi iranian saudi indian \
    pakistani bangladeshi nepalese nepali thai vietnamese indonesian malaysian filipino singaporean chinese \
    taiwanese japanese korean south_korean mongolian australian new_zealander cuban jamaican kazakh uzbek";

/// Who belongs to a faith, a party or the like: behind "my wife is" no name.
pub(super) const FOLLOWERS: &str = "amish anglican aryan baha'i baptist calvinist deaf democrat evangelical greek hispanic latina latino \
    lutheran methodist mormon orthodox pagan presbyterian protestant quaker republican scouse shia sunni tory whig zoroastrian";

/// Industries and departments that one works in; fields of study may be the same.
pub(super) const INDUSTRIES: &str = "academia admin administration advertising aerospace agriculture automotive aviation banking biotech \
    childcare construction consulting customer_service customer_support cybersecurity data_science design e-commerce ecommerce energy \
    entertainment events farming fintech gaming government healthcare health_care hospitality hr human_resources insurance it journalism \
    law_enforcement logistics machine_learning manufacturing marketing media mining oil_and_gas operations pharma pharmaceuticals pr \
    procurement product project_management property public_health public_relations publishing quality_assurance real_estate recruiting \
    recruitment research retail sales security shipping social_care social_work software software_development software_engineering \
    supply_chain tech tech_support technology telecoms textiles tourism transport transportation";

/// Relatives.
pub(super) const KIN: &str = "wife husband son daughter brother sister mother father mom mum dad girlfriend boyfriend \
    fiance fiancee partner grandmother grandfather grandma grandpa aunt uncle cousin niece nephew twin stepson \
    stepdaughter stepmother stepfather baby kid child grandson granddaughter";

/// Relatives in the plural, for "I have two kids".
pub(super) const KIN_COUNTED: &str = "kids children sons daughters brothers sisters siblings grandchildren son daughter \
    brother sister twins";

/// Pets in the plural, for "I have two cats".
pub(super) const PETS_COUNTED: &str = "cats dogs rabbits hamsters parrots horses puppies kittens turtles bunnies greyhounds \
    guinea-pigs chickens budgies";

/// Numbers of relatives or pets.
pub(super) const COUNTS: &str = "a an one two three four five six seven 1 2 3 4 5 6 7";

/// Words that may stand between the number and the relatives.
pub(super) const COUNT_MODIFIERS: &str = "younger older little big young teenage adult small grown twin half lil baby golden border french old rescue tabby";

/// Pets.
pub(super) const PETS: &str = "dog cat puppy kitten rabbit hamster parrot bird horse turtle tortoise fish snake \
    ferret pup gecko lizard pony bunny goldfish budgie parakeet cockatiel canary chinchilla hedgehog kitty tomcat \
    greyhound labrador poodle beagle dachshund bulldog terrier retriever spaniel collie husky corgi pug chihuahua whippet \
    schnauzer rottweiler dalmatian mutt";

/// Who leads others at work.
pub(super) const BOSSES: &str = "boss manager supervisor";

/// Topics of which people have a favourite.
pub(super) const TOPICS: &str = "color colour food movie film book song band singer artist author writer game sport team \
    season drink fruit vegetable dish cuisine animal genre show series subject hobby place city country snack \
    dessert flavor flavour restaurant beer wine tea coffee composer musician actor actress director player number \
    month day flower holiday language musical instrument novel poet poem sandwich pizza meal breakfast superhero \
    anime manga podcast album ice cream video board tv card programming cheese chocolate character";

/// Single words that are no favourite value.
pub(super) const NOT_FAVORITES: &str = "coming changing always good great amazing awesome so just probably definitely \
    different hard gone closed playing broken back probably";

/// What somebody does not eat or drink, besides things that read as plain nouns.
pub(super) const NOT_FOODS: &str = "much enough well right breakfast lunch dinner anything out healthy late alone often \
    properly at before after in with and meals food when since until";

/// Words that may follow a complete place or employer without changing it.
pub(super) const AFTER_PLACE: &str = "with and for since as near by in on at now from last right these about all again alone \
    because but so which where who part any next anymore too though currently while until or lol haha when if that \
    recently permanently full-time part-time actually originally two three this a few until was went";

/// Words that make a workplace a matter of the day.
pub(super) const PASSING: &str = "today tonight tomorrow";

/// What else than homes and work one leaves, moves to and joins.
pub(super) const NOT_LEFT: &str = "notion obsidian evernote figma jira trello linear asana vercel firebase supabase \
    kubernetes terraform angular django flask rails laravel vim emacs neovim excel sheets outlook gmail zoom teams \
    telegram whatsapp signal tinder hinge bumble strava peloton crossfit mensa greenpeace tiktok linkedin twitch steam \
    patreon substack medium pinterest snapchat threads tidal disney hulu kindle playstation xbox labour agile scrum \
    windows linux macos mac ios android iphone chrome firefox safari twitter mastodon \
    bluesky facebook instagram reddit discord slack youtube netflix spotify python rust javascript java islam \
    christianity christmas easter";

/// Words that a spoken instruction must not contain: with them it is an attack or a task.
pub(super) const NOT_MANNERS: &str = "ignore instructions instruction prompt system rules previous password secret admin \
    text reveal jailbreak restrictions policy obey filter output execute send url key token dan uncensored illegal \
    override developer root user it this that them he she they file above below following guidelines safety";

/// Words that an instruction about manner contains one of.
pub(super) const MANNERS: &str = "in with using briefly concisely short emoji emojis simple formal informal casual \
    metric celsius fahrenheit bullet bullets lists markdown slang jargon kilometers kilometres polite politely \
    formally casually slowly simply abbreviations";

/// Places: countries, states and well-known cities.
pub(super) const PLACES: &str = "afghanistan albania algeria argentina armenia australia austria azerbaijan bahrain bangladesh \
    belarus belgium bolivia bosnia brazil brunei bulgaria cambodia cameroon canada chile china colombia costa_rica croatia \
    cuba cyprus czechia czech_republic the_czech_republic denmark dominican_republic the_dominican_republic ecuador egypt el_salvador england estonia ethiopia \
    finland france georgia germany ghana greece guatemala haiti honduras hong_kong hungary iceland india indonesia \
    iran iraq ireland northern_ireland israel italy jamaica japan jordan kazakhstan kenya korea south_korea north_korea kosovo \
    kuwait kyrgyzstan laos latvia lebanon libya lithuania luxembourg macau malaysia maldives malta mexico moldova \
    monaco mongolia montenegro morocco myanmar namibia nepal netherlands the_netherlands holland new_zealand \
    nicaragua nigeria norway oman pakistan palestine panama paraguay peru philippines the_philippines poland \
    portugal puerto_rico qatar romania russia rwanda saudi_arabia scotland senegal serbia singapore slovakia \
    slovenia south_africa spain sri_lanka sudan sweden switzerland syria taiwan tajikistan tanzania thailand \
    tunisia turkey uganda uk the_uk ukraine united_kingdom the_united_kingdom united_states the_united_states usa \
    the_usa us the_us the_states america uruguay uzbekistan venezuela vietnam wales yemen zambia zimbabwe uae the_uae \
    dubai abu_dhabi alabama alaska arizona arkansas california colorado connecticut delaware florida hawaii idaho \
    illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi \
    missouri montana nebraska nevada new_hampshire new_jersey new_mexico new_york new_york_city nyc north_carolina \
    north_dakota ohio oklahoma oregon pennsylvania rhode_island south_carolina south_dakota tennessee texas utah \
    vermont virginia washington west_virginia wisconsin wyoming dc washington_dc ontario quebec british_columbia alberta \
    manitoba queensland new_south_wales amsterdam ankara antwerp athens atlanta auckland austin baku bali \
    baltimore bangalore bengaluru bangkok barcelona basel beijing beirut belfast belgrade bergen berlin bern \
    bilbao birmingham bogota bologna bordeaux boston boulder brisbane bristol brooklyn brussels bucharest budapest \
    buenos_aires busan cairo calgary cambridge canberra cape_town caracas casablanca cebu charlotte chennai \
    chiang_mai chicago chongqing christchurch cincinnati cleveland cologne columbus copenhagen cork daegu daejeon \
    dallas damascus dar_es_salaam delhi new_delhi denver detroit dhaka doha dortmund dresden dublin durban \
    dusseldorf edinburgh edmonton eindhoven florence frankfurt fukuoka galway gdansk geneva genoa glasgow \
    gothenburg granada graz guadalajara guangzhou gwangju haifa hamburg hanoi hanover havana helsinki hiroshima ho_chi_minh_city \
    houston hyderabad incheon indianapolis innsbruck islamabad istanbul jakarta jeddah jeju jerusalem johannesburg \
    kampala kansas_city karachi kathmandu kiev kyiv kobe kolkata krakow kuala_lumpur kyoto lagos lahore las_vegas \
    leeds leipzig lima lisbon liverpool ljubljana london los_angeles la lyon madrid malaga malmo manchester manila \
    marrakech marseille medellin melbourne memphis mexico_city miami milan milwaukee minneapolis minsk montevideo \
    montreal moscow mumbai munich nagoya nairobi naples nashville new_orleans newcastle nice nottingham nuremberg \
    oakland okinawa orlando osaka oslo ottawa oxford palermo paris perth philadelphia phoenix pittsburgh porto portland \
    prague pune queens quito reykjavik riga rio_de_janeiro riyadh rome rotterdam sacramento saigon salt_lake_city \
    salzburg san_antonio san_diego san_francisco sf san_jose santiago sao_paulo sapporo sarajevo seattle sendai \
    seoul seville shanghai sheffield shenzhen sofia st._louis st_louis stockholm strasbourg stuttgart suwon \
    sydney taipei tallinn tampa tashkent tbilisi tehran tel_aviv the_hague tokyo toronto toulouse tucson tunis \
    turin utrecht valencia vancouver venice vienna vilnius warsaw wellington winnipeg wroclaw wuhan yerevan \
    yokohama zagreb zurich aarhus aberdeen adelaide albuquerque anchorage augsburg bath boise bonn braga bremen brno bruges \
    cardiff coimbra coventry delft derby derry dundee dunedin durham essen espoo exeter freiburg ghent grenoble groningen \
    halifax hannover hartford hobart honolulu hull inverness karlsruhe kiel lausanne leicester leiden leuven lille limerick \
    lincoln linz lodz louisville mannheim montpellier norwich odense omaha padua plymouth portsmouth potsdam poznan raleigh \
    rennes richmond rostock southampton stavanger sunderland swansea swindon tampere trieste trondheim tulsa turku uppsala \
    verona york zaragoza";
