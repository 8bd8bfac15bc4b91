//! Simplified characters: what tables are compared in.

/// Traditional characters, each with its simplified one behind it; ascending. Those that the tables need, as in the
/// dictionary `TSCharacters` of OpenCC (Apache 2.0), without those that simplified texts have too ("著名").
const PAIRS: &str = "亞亚來来倉仓個个們们倫伦偉伟偽伪傑杰備备傢家傳传儀仪優优兒儿內内兩两凱凯別别剋克剛刚創创劃划劇剧劉刘劍剑劑剂動动務务勝胜勞劳匯汇區区厭厌吳吴呂吕員员唸念\
    問问啟启喫吃喬乔單单喲哟嗎吗嗶哔嘍喽噹当嚮向嚴严囉啰囌苏國国圍围園园圓圆圖图團团堅坚報报場场塗涂壓压壞坏夢梦奧奥妝妆妳你婁娄婦妇媽妈嫻娴嬌娇孫孙學学宮宫\
    實实寧宁審审寫写寬宽寵宠寶宝將将專专對对導导岡冈島岛嵐岚巖岩師师帶带幫帮幹干幾几廈厦廚厨廠厂廣广廳厅張张強强彆别彈弹彙汇彥彦彿佛後后從从復复恆恒悅悦惡恶\
    愛爱慣惯慮虑慶庆憶忆應应懷怀戲戏戶户採采揚扬換换撾挝擊击擔担據据擾扰攝摄數数於于昇升時时晉晋暉晖曉晓書书會会朮术東东條条棟栋楊杨楓枫業业極极榦干榮荣構构\
    樂乐樑梁標标樣样樹树機机橫横檢检檯台檸柠歐欧歡欢歲岁歷历決决沒没沖冲減减測测湯汤準准溫温溼湿漁渔漢汉潔洁潛潜潤润澤泽澱淀濕湿濛蒙濟济濤涛濰潍濱滨瀋沈瀟潇\
    灣湾為为烏乌無无煙烟煥焕熱热營营爺爷爾尔獸兽現现瑤瑶瑩莹環环璿璇產产甦苏畢毕畫画異异當当療疗癥症癲癫發发監监盤盘盧卢睏困矇蒙硃朱碩硕確确碼码磯矶祕秘禪禅\
    禮礼稱称穀谷積积穎颖箇个箏筝節节範范築筑簡简粵粤糰团糾纠紀纪約约紅红納纳紐纽純纯級级紹绍終终結结給给絲丝經经綜综綠绿維维網网綵彩綽绰編编緬缅練练縣县縫缝\
    總总繆缪繩绳繫系繼继續续纔才羅罗義义習习聖圣聯联聲声聶聂職职聽听肅肃脩修脫脱臘腊臟脏臺台與与興兴舊旧艷艳莊庄華华菸烟萊莱萬万葉叶葦苇蓮莲蔣蒋蕭萧薑姜薩萨\
    藍蓝藝艺藥药蘆芦蘇苏蘋苹蘭兰處处號号虧亏蠻蛮術术衝冲裏里裝装裡里複复見见視视親亲覺觉訂订計计訊讯討讨記记訪访設设許许訴诉診诊証证詞词詠咏詢询試试詩诗話话該该\
    誌志認认語语誠诚說说誰谁調调請请諮咨諸诸諾诺謂谓謊谎謙谦講讲謝谢證证譚谭譯译議议護护譽誉讀读變变讓让豐丰豔艳豬猪貓猫貝贝貞贞貧贫貨货貫贯貴贵買买貿贸賀贺\
    資资賈贾賓宾賢贤賣卖趙赵車车軍军軒轩軟软較较輕轻輝辉輯辑轉转辭辞農农迴回這这連连週周進进遊游運运過过達达遜逊遞递遠远遲迟選选遼辽邁迈還还邊边鄉乡鄒邹鄧邓\
    鄭郑鄰邻醣糖醫医釐厘鈞钧銀银銅铜銘铭銷销鋒锋鋼钢錢钱錦锦錫锡錯错錶表鍾钟鎮镇鐘钟鑼锣長长門门開开間间閤合閩闽闆板關关陝陕陞升陰阴陳陈陸陆陽阳隊队際际險险\
    隻只雖虽雙双離离雲云電电靈灵靜静鞦秋韆千韋韦韓韩韻韵項项順顺頓顿領领頭头題题顏颜願愿顧顾風风颱台飛飞飯饭飲饮養养餘余館馆饒饶馬马馮冯馳驰駕驾駱骆騙骗騰腾\
    驚惊髒脏體体髮发鬆松鬍胡鬱郁魚鱼魯鲁鮑鲍鳥鸟鳳凤鴨鸭鴻鸿鵡鹉鵬鹏鸚鹦麗丽麥麦麴曲麵面麼么黃黄點点鼕冬齊齐齡龄齣出龍龙龐庞龔龚龜龟";

/// A text with simplified characters for traditional ones, byte for byte as long.
pub(in super::super) fn simplified(text: &str) -> String {
    text.chars().map(letter).collect()
}

fn letter(letter: char) -> char {
    let mut bytes = [0; 4];
    let written = letter.encode_utf8(&mut bytes).as_bytes();
    let (pairs, _) = PAIRS.as_bytes().as_chunks::<6>();
    let place = pairs.partition_point(|pair| pair.as_slice() < written);
    let pair = pairs.get(place).and_then(|pair| std::str::from_utf8(pair).ok());
    let simple = pair.and_then(|pair| pair.strip_prefix(letter)).and_then(|rest| rest.chars().next());
    simple.unwrap_or(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_in_order_and_as_long_as_each_other() {
        let (pairs, rest) = PAIRS.as_bytes().as_chunks::<6>();
        assert!(rest.is_empty() && pairs.is_sorted_by(|a, b| a < b));
        for pair in pairs {
            assert_eq!(std::str::from_utf8(pair).unwrap().chars().count(), 2);
        }
    }

    #[test]
    fn traditional_characters_become_simplified() {
        assert_eq!(simplified("我喜歡臺灣的貓"), "我喜欢台湾的猫");
        assert_eq!(simplified("我喜欢 cats，ß"), "我喜欢 cats，ß");
    }
}
