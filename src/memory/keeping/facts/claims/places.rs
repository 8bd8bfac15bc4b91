//! Places: which of them cannot be the home of one person at once.

use crate::index::lexical::Vocabulary;
use crate::lowercase::lowercase;
use std::sync::OnceLock;

/// Countries in English; of two of them only one is where somebody lives.
const COUNTRIES: &str = "afghanistan,albania,algeria,andorra,angola,argentina,armenia,australia,austria,azerbaijan,bahrain,bangladesh,belarus,belgium,belize,benin,bhutan,bolivia,botswana,brazil,brunei,bulgaria,burundi,cambodia,cameroon,canada,chad,chile,china,colombia,costa rica,croatia,cuba,cyprus,czechia,denmark,ecuador,egypt,eritrea,estonia,ethiopia,fiji,finland,france,gabon,germany,ghana,greece,guatemala,guinea,haiti,honduras,hungary,iceland,india,indonesia,iran,iraq,ireland,israel,italy,jamaica,japan,jordan,kazakhstan,kenya,kosovo,kuwait,kyrgyzstan,laos,latvia,lebanon,liberia,libya,liechtenstein,lithuania,madagascar,malawi,malaysia,maldives,mali,malta,mauritius,mexico,moldova,mongolia,montenegro,morocco,mozambique,myanmar,namibia,nepal,netherlands,new zealand,nicaragua,niger,nigeria,north korea,north macedonia,norway,oman,pakistan,panama,paraguay,peru,philippines,poland,portugal,qatar,romania,russia,rwanda,saudi arabia,senegal,serbia,sierra leone,slovakia,slovenia,somalia,south africa,south korea,spain,sri lanka,sudan,sweden,switzerland,syria,taiwan,tajikistan,tanzania,thailand,togo,tunisia,turkey,turkmenistan,uganda,ukraine,united arab emirates,united kingdom,united states,uruguay,uzbekistan,venezuela,vietnam,yemen,zambia,zimbabwe";

/// Cities, of two of which the same is true; none of them is a part of another one.
const CITIES: &str = "aarhus,aberdeen,abidjan,abu dhabi,abuja,accra,adelaide,addis ababa,ahmedabad,algiers,almaty,amman,amsterdam,ankara,antalya,antwerp,asuncion,athens,atlanta,auckland,austin,baghdad,baku,baltimore,bangalore,bangkok,barcelona,bari,basel,beijing,beirut,belfast,belgrade,bergen,berlin,bern,bilbao,birmingham,bochum,bogota,bologna,bonn,bordeaux,boston,braga,bratislava,bremen,brescia,brighton,brisbane,bristol,bruges,brussels,bucharest,budapest,buenos aires,buffalo,busan,cairo,calgary,canberra,cape town,caracas,cardiff,casablanca,charlotte,chengdu,chennai,chicago,christchurch,cincinnati,cleveland,cluj,coimbra,cologne,colombo,columbus,copenhagen,cork,curitiba,daegu,daejeon,dakar,dallas,damascus,dar es salaam,delhi,denver,detroit,dhaka,doha,dortmund,dresden,dubai,dublin,durban,dusseldorf,edinburgh,edmonton,eindhoven,espoo,essen,faro,florence,frankfurt,freiburg,fukuoka,galway,gdansk,geneva,genoa,ghent,glasgow,gothenburg,granada,graz,groningen,guadalajara,guangzhou,gwangju,haarlem,halifax,hamburg,hangzhou,hanoi,hanover,havana,heidelberg,helsinki,hiroshima,ho chi minh city,hobart,hong kong,honolulu,houston,hyderabad,incheon,indianapolis,innsbruck,istanbul,izmir,jakarta,jeddah,jerusalem,johannesburg,kampala,kansas city,karachi,karlsruhe,kathmandu,kiel,kigali,kinshasa,kobe,kolkata,krakow,kuala lumpur,kyiv,kyoto,lagos,lahore,las vegas,lausanne,leeds,leicester,leiden,leipzig,liege,lille,lima,limerick,linz,lisbon,liverpool,ljubljana,lodz,london,los angeles,louisville,luanda,lublin,lucerne,lund,lusaka,lviv,lyon,maastricht,madrid,mainz,malaga,malmo,manchester,manila,mannheim,marrakesh,marseille,medellin,melbourne,memphis,mexico city,miami,milan,milwaukee,minneapolis,minsk,mombasa,monterrey,montevideo,montpellier,montreal,moscow,mumbai,munich,munster,nagoya,nairobi,nanjing,nantes,naples,nashville,new orleans,new york,newcastle,nice,nicosia,nottingham,nuremberg,oakland,odense,odessa,orlando,osaka,oslo,ostrava,ottawa,oulu,palermo,palma,panama city,paris,perth,philadelphia,phoenix,pisa,pittsburgh,plymouth,podgorica,portland,porto alegre,porto,poznan,prague,pretoria,pune,quebec city,quito,rabat,raleigh,recife,reykjavik,riga,rio de janeiro,riyadh,rome,rostock,rotterdam,sacramento,saint petersburg,salt lake city,salvador,salzburg,san antonio,san diego,san francisco,san jose,santiago,sao paulo,sapporo,sarajevo,seattle,sendai,seoul,seville,shanghai,sheffield,shenzhen,singapore,skopje,sofia,southampton,split,stavanger,stockholm,strasbourg,stuttgart,suwon,sydney,taipei,tallinn,tampa,tampere,tangier,tartu,tashkent,tbilisi,tehran,tel aviv,the hague,thessaloniki,tianjin,tokyo,toronto,toulouse,trieste,trondheim,tunis,turin,turku,ulsan,uppsala,utrecht,valencia,vancouver,venice,verona,vienna,vilnius,warsaw,wellington,winnipeg,wroclaw,wuhan,xian,yangon,yerevan,yokohama,york,zagreb,zaragoza,zurich,서울,부산,대구,인천,광주,대전,울산,수원,제주,창원,전주,청주,춘천,강릉,포항,東京,大阪,京都,名古屋,札幌,福岡,神戸,横浜,仙台,広島,金沢,那覇,新潟,熊本,北京,上海,广州,深圳,成都,杭州,武汉,南京,西安,重庆,天津,苏州,青岛,厦门,大连,长沙";

/// Names of the same place; the second is the one that the lists have.
const ALSO: &[(&str, &str)] = &[
    ("america", "united states"),
    ("bombay", "mumbai"),
    ("britain", "united kingdom"),
    ("calcutta", "kolkata"),
    ("czech republic", "czechia"),
    ("florenz", "florence"),
    ("great britain", "united kingdom"),
    ("holland", "netherlands"),
    ("kiev", "kyiv"),
    ("koln", "cologne"),
    ("la", "los angeles"),
    ("lisboa", "lisbon"),
    ("milano", "milan"),
    ("munchen", "munich"),
    ("new york city", "new york"),
    ("nyc", "new york"),
    ("oporto", "porto"),
    ("peking", "beijing"),
    ("praha", "prague"),
    ("pusan", "busan"),
    ("roma", "rome"),
    ("saigon", "ho chi minh city"),
    ("sf", "san francisco"),
    ("uae", "united arab emirates"),
    ("uk", "united kingdom"),
    ("us", "united states"),
    ("usa", "united states"),
    ("wien", "vienna"),
];

/// What is known of the name of a place: nothing, that of a country, that of a city, or more, that it is another name of a place.
const COUNTRY: u64 = 1;
const CITY: u64 = 2;
const OTHER_NAMES: u64 = 3;

/// A place as it was named: "Porto, Portugal".
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    parts: Vec<String>,
    /// What is known of the first of them.
    size: u64,
}

impl Place {
    pub(super) fn of(text: &str) -> Option<Self> {
        let part = |part: &str| {
            let folded: String = lowercase(part.trim()).chars().map(plain).collect();
            let bare = ["市", "都", "府", "시"].iter().find_map(|end| folded.strip_suffix(end));
            let name = bare.filter(|bare| known(bare) == CITY).unwrap_or(&folded);
            let name = name.strip_prefix("the ").filter(|_| known(name) != CITY).unwrap_or(name);
            let also = (known(name) as usize).checked_sub(OTHER_NAMES as usize);
            also.and_then(|also| ALSO.get(also)).map_or(name, |(_, known)| known).to_owned()
        };
        let parts: Vec<String> = text.split(',').map(part).collect();
        parts.iter().all(|part| !part.is_empty()).then(|| Self::named(parts))
    }

    fn named(parts: Vec<String>) -> Self {
        // "Paris, Texas" is another one than the Paris of the list.
        let is_sure = parts.iter().skip(1).all(|part| known(part) > 0);
        Self { size: parts.first().filter(|_| is_sure).map_or(0, |first| known(first)), parts }
    }

    /// Whether nobody lives in both, or was born in both: two cities, or two countries. Of a place that is in no list nothing is
    /// said, because it may be a part of the other.
    pub(super) fn excludes(&self, other: &Self) -> bool {
        let (Some(own), Some(others)) = (self.parts.first(), other.parts.first()) else { return false };
        self.size == other.size && self.size > 0 && !self.parts.contains(others) && !other.parts.contains(own)
    }

    /// The one city that a text in Korean, Japanese or Chinese names.
    pub(super) fn named_in(text: &str) -> Option<Self> {
        let mut named = CITIES.split(',').filter(|city| !city.is_ascii() && text.contains(city));
        let first = named.next()?;
        named.next().is_none().then(|| Self::named(vec![first.to_owned()]))
    }
}

/// What is known of a name.
fn known(name: &str) -> u64 {
    static KNOWN: OnceLock<Vocabulary> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        let mut known = Vocabulary::default();
        COUNTRIES.split(',').for_each(|name| known.set(name, COUNTRY));
        // A city of the name of its country is taken for the city.
        CITIES.split(',').for_each(|name| known.set(name, CITY));
        ALSO.iter().zip(OTHER_NAMES..).for_each(|((name, _), number)| known.set(name, number));
        known
    });
    known.get(name)
}

/// A letter without its accent, as far as the names of cities have some.
fn plain(letter: char) -> char {
    match letter {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' => 'a',
        'è' | 'é' | 'ê' | 'ë' => 'e',
        'ì' | 'í' | 'î' | 'ï' => 'i',
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' => 'o',
        'ù' | 'ú' | 'û' | 'ü' => 'u',
        'ç' | 'ć' => 'c',
        'ł' => 'l',
        'ń' | 'ñ' => 'n',
        'ź' | 'ż' => 'z',
        _ => letter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_name_of_a_place_is_in_no_list() {
        let lists = || CITIES.split(',').chain(COUNTRIES.split(','));
        for (other, known) in ALSO {
            assert!(!lists().any(|name| name == *other) && lists().any(|name| name == *known), "{other}");
        }
    }

    #[test]
    fn two_cities_or_two_countries_exclude_each_other() {
        let excludes = |one: &str, other: &str| Place::of(one).unwrap().excludes(&Place::of(other).unwrap());
        for (one, other) in [("Lisbon", "Porto"), ("Köln", "Munich"), ("Porto, Portugal", "Lisbon, Portugal")]
        {
            assert!(excludes(one, other) && excludes(other, one), "{one}, {other}");
        }
        assert!(excludes("Portugal", "the UK") && excludes("서울시", "부산") && excludes("東京都", "大阪"));
        for (one, other) in [
            ("Lisbon", "Portugal"),
            ("Lisbon", "Alfama"),
            ("Portugal", "the Algarve"),
            ("Porto", "Porto, Portugal"),
            ("New York", "Buffalo, New York"),
            ("NYC", "New York"),
            ("Paris, Texas", "Dallas"),
            ("München", "Munich"),
            ("Kyiv", "Kiev"),
            ("Alfama", "Mouraria"),
        ] {
            assert!(!excludes(one, other) && !excludes(other, one), "{one}, {other}");
        }
    }
}
