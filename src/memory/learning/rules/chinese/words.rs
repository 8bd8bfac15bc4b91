//! Chinese word tables, in simplified characters; what is written in traditional ones is compared as simplified.

/// The speaker.
pub(super) const FIRST_PERSON: &str = "我 本人 俺";

/// Words that may open a statement.
pub(super) const OPENERS: &str = "你好 您好 大家好 嗨 哈喽 哈啰 早上好 下午好 晚上好 初次见面 嗯 哦 好的 是的 其实 对了 另外 还有 而且 不过 但是 但 因为 所以 \
    那么 最近 顺便说一下 顺便提一下 说实话 老实说 说真的 顺带一提 请记住 记住 现在 目前 平时 平常 一般 通常 也 总之 首先 然后 更正一下 纠正一下 实际上 事实上 我说错了 自我介绍一下 介绍一下";

/// Answers that say nothing of what follows.
pub(super) const ANSWERS: &str = "对 不 不是 没有 好 是 不对 没错";

/// Words that greet: who speaks next introduces themselves.
pub(super) const GREETINGS: &str =
    "你好 您好 大家好 嗨 哈喽 哈啰 初次见面 早上好 下午好 晚上好 自我介绍一下 介绍一下";

/// Adverbs between the speaker and a predicate.
pub(super) const ADVERBS: &str = "也 都 还 就 很 非常 特别 真的 真 最 一直 一向 超 超级 十分 蛮 挺 比较 更 平时 平常 现在 目前 已经 早就 从小 从小就 其实 真心 尤其 通常 一般 向来 从来 并 本来就 \
    确实 的确 仍然 依然 终于 正 正在 有点";

/// When something began or happened: right before what is learnt or done, never before what holds. In the last of them one is not as old
/// as today.
pub(super) const TIMES: &str = "今年 上个月 上月 上周 上星期 上个星期 这个月 这周 昨天 前天 今天 刚 刚刚 刚才 最近 前几天 前不久 不久前 毕业后 后来";
pub(super) const LONG_AGO: &str = "去年 前年";

/// When something is to come.
pub(super) const FUTURE: &str =
    "明天 后天 明年 后年 下个月 下月 下周 下星期 下个星期 月底 年底 将来 以后 未来 今后 长大后";

/// What makes a number before it a time.
pub(super) const DATES: &str = "年 年前 月 月份 个月前 周前 个星期前 天前";

/// Endings that say nothing about the statement.
pub(super) const TAILS: &str = "了 啦 哦 噢 喔 啊 呀 哈 嘛 呢 的 哟 呦 咯 哒 而已 哈哈 哈哈哈";

/// Parts of a sentence that make all of it a question, a report, a wish, a guess, a past or a joke.
pub(super) const BLOCKERS: &str = "吗 什么 啥 哪 谁 怎么 怎样 多少 是不是 有没有 会不会 能不能 要不要 喜不喜欢 几岁 为何 为什么 是否 如果 假如 假设 倘若 若是 要是 万一 的话 \
    可能 也许 大概 好像 似乎 或许 应该 觉得 听说 据说 告诉 问我 问过 认为 以为 想象 梦到 梦见 做梦 梦里 玩笑 骗 撒谎 谎话 游戏里 游戏中 小说里 电影里 剧里 书里 差点 希望 但愿 假的 才怪 比如 例如 譬如 所谓 号称 口头禅 朋友圈 说我 说自己 都说 常说 说过 说道 就好了 该多好 快要 即将 几乎 感觉 猜";

/// What is told of the past, until [`NOW`].
pub(super) const PAST: &str =
    "曾经 以前 之前 过去 从前 小时候 当年 那时 当时 年轻时 年轻的时候 原先 早年 上学时 童年";

/// What ends the past.
pub(super) const NOW: &str = "现在 目前 如今";

/// Parts of a sentence after which the user no longer speaks for themselves.
pub(super) const TASKS: &str = "翻译成 翻译一下 翻译下 翻译这 翻译以下 帮我翻译 请翻译 翻成 译成 润色 改写 校对 总结一下 摘要 造句 例句 写一 帮我写 写个 写封 写首 写篇 扮演 假扮 假装 角色 台词 剧本 歌词 作文 \
    以下 下面 这句话 这段 这篇 原文 用英文怎么说 用英语怎么说 英文怎么说 英语怎么说 续写 小说 故事 主人公 主角 仿写 改成 修改 发来 发给我 来信 怎么回复 玩个游戏 对话练习 你是一 你现在是 当作是 面试练习 模拟面试 练习面试 情景对话 情景模拟 练习对话";

/// Those of them by which all that is said is part of a play.
pub(super) const PLAYS: &str = "角色扮演 我扮演 我来扮演 我们扮演 我们来扮演 我演 剧本 面试练习 模拟面试 练习面试 情景对话 情景模拟 练习对话 对话练习 玩个游戏";

/// How one soon is where one is no longer, behind a word of [`FUTURE`] or of these.
pub(super) const SOON: &str = "马上 马上就 就 就要 要 准备 打算";
pub(super) const LEAVING: &str = "搬走 搬家 搬 离职 辞职 走 离开 退租 退学";

/// When one is elsewhere than at other times, before how one is there.
pub(super) const AT_TIMES: &str = "周末 平日 工作日 有时 有时候 偶尔 寒假 暑假 假期 放假";
pub(super) const STAY: &str = "住 都住 就住 会住 回 都回 就回 会回 在";

/// How one does again what one gave up.
pub(super) const RELAPSE: &str = "抽了 喝了 吃了 没忍住 没戒掉 没戒成 破戒 复吸 又抽 又喝 又吃 失败";

/// What takes back what was said before, without what may stand before it and behind it.
pub(super) const WITHDRAWN: &str = "骗你 骗你们 逗你 逗你玩 逗你们 开玩笑 开个玩笑 说着玩";
pub(super) const BEFORE_WITHDRAWN: &str =
    "我是 我在 我 刚才是 刚刚是 刚才 刚刚 上面是 只是 都是 其实是 以上都是 这是 这只是 是";
/// What says that something was wrong, before what is right.
pub(super) const SLIPS: &str =
    "打错 打错字 说错 写错 我打错 我说错 我写错 口误 笔误 手滑 更正 更正一下 纠正一下";
pub(super) const SORRY: &str = "不对 哦不 啊不 不好意思 抱歉 对不起";

/// Ends of a message that ask for agreement: the statement before is a question.
pub(super) const TAGS: &str = "对吗 对吧 是吗 是吧 对不对 是不是 好吗 没错吧 对么 是么 真的吗 真的";

/// Letters that are words of grammar: no value holds one.
pub(super) const GRAMMAR: &str =
    "我你您他她它咱俺们这那哪谁啥么什怎吗呢吧啊呀嘛了着是不没给让很再也又但被跟个对";

/// Parts that no value holds: reasons, comparisons, times, what is pointed at.
pub(super) const NOT_IN_THINGS: &str = "因为 所以 如果 虽然 而且 然后 以后 之后 之前 以前 时候 一样 胜过 多过 多于 比起 今天 昨天 明天 刚才 现在 今晚 今早 明年 去年 今年 上次 下次 自己 大家 别人 \
    方案 版本 答案 主意 想法 建议 回答 代码 标题 选项 结果 部分 说法 一下 一点 东西 事情 样子 感觉 说的 写的 做的 上面 前面 后面 刚刚 第一 第二 第三 最后 早饭 午饭 晚饭 早餐 午餐 晚餐 夜宵 会死 就会 就不 会睡";

/// Values that name nothing.
pub(super) const NOT_THINGS: &str = "看 吃 喝 听 玩 做 用 买 去 来 说 写 走 死 饭 药 极 要命 得很 上 到 人 老师 医生 老板 同事 同学 秘密 无 保密 未知 待定 一般 还行 全部 一切 所有 其他 机器人 助手 药物 这套 苦 亏 醋 惊";

/// Letters that begin no value.
pub(super) const NOT_FIRST: &str = "的得地上到过住在和与或把对从比为以而就才便归";

/// Letters that end no value.
pub(super) const NOT_LAST: &str = "的得地和与或把从比以而过";

/// Predicates, each at the start of what follows the speaker and adverbs; the longest is taken.
pub(super) const LIVE: &str =
    "住在 住 现居 现住 现住在 现居住在 居住在 定居在 定居 生活在 常住 常住在 家住 家住在 定居于 居住于";
pub(super) const MOVE: &str = "搬到了 搬到 搬回了 搬回 搬去了 搬去 搬来了 搬来 搬家到了 搬家到 搬家去了 移居到了 移居到 移居 移民到了 移民到";
pub(super) const COME: &str = "来自 来自于 出生在 出生于 生在 生于 长在 老家在 老家是 祖籍 籍贯是 祖籍是";
pub(super) const LIKE: &str =
    "喜欢 爱 喜欢上了 爱上了 热爱 酷爱 喜爱 爱好 迷上了 着迷于 著迷于 沉迷于 钟爱 偏爱 爱吃 爱喝 爱看 爱听";
pub(super) const DISLIKE: &str = "不喜欢 不爱 讨厌 厌恶 不太喜欢 不大喜欢 不是很喜欢 不是特别喜欢 不怎么喜欢 不再喜欢 再也不喜欢 受不了 反感 恨 没那么喜欢";
/// Words that begin with `上`, which does not belong to what stands before it: "喜欢上海".
pub(super) const ABOVE: &str = "上海 上班 上学 上网 上课 上进 上台 上山 上街 上等 上流 上乘 上古 上夜班 上早班 上晚班 上厕所 上司 上衣 上色 上镜 上分 上香";
/// Words that begin with `爱`, as they go on: nobody is loved in "我爱人".
pub(super) const NOT_LOVED: &str = "国 心 美 情 意 称 护 慕 惜 面子 好广泛";
pub(super) const NOT_LOVED_FIRST: &str = "人 豆 犬 妻 徒 国主义";
pub(super) const LOVED: &str = "人文 人像 豆腐 豆浆 豆奶 豆花 豆瓣 豆沙 豆皮";
/// What is told of one's hobbies, and is none.
pub(super) const NOT_HOBBIES: &str = "广泛 很多 多 不多 少 丰富 特别 特殊 独特 奇特 单一 多样";
/// What allergies are to in jest, and how such words end.
pub(super) const NOT_ALLERGENS: &str = "工作 上班 学习 数学 物理 化学 英语 语文 人 人类 男 女 钱 早起 开会 会议 考试 作业 加班 运动 爱情 感情 婚姻 学校 公司 甲方 家务 社交 周一 \
    星期一 傻子 笨蛋 帅哥 美女 渣男 傻瓜 皮肤 眼睛 鼻子 脸 全身";
pub(super) const NOT_ALLERGENS_LAST: &str = "人 男 女 男生 女生 工作 学 课 班 考试 会议 孩";
pub(super) const NOT_EAT: &str = "不吃 从不吃 不能吃 吃不了 不可以吃 不会吃 吃不惯 不再吃";
pub(super) const NOT_DRINK: &str = "不喝 从不喝 不能喝 喝不了 不可以喝 喝不惯 不会喝 不再喝";
pub(super) const CALLED: &str = "叫 叫做 名叫 名字叫 名字叫做 名字是 的名字是 的名字叫 本名叫 全名叫";
pub(super) const CALL_ME: &str = "叫我 称呼我 称呼我为 叫我做 喊我";
pub(super) const CALL_ME_FIRST: &str =
    "你可以 可以 请 以后 以后请 就 您可以 你们可以 你就 大家可以 直接 请直接 以后就";
pub(super) const CALL_ME_LAST: &str = "就好 就行 就可以 即可 吧 好了 就好了 就行了 就可以了 好啦";
pub(super) const BECOME: &str = "想成为 想当 想做 要成为 要当 立志成为 立志当 打算当 打算成为 希望成为 梦想成为 想成为一名 想做一名 计划成为 想变成";
pub(super) const PLAN: &str = "打算 计划 准备";
pub(super) const LEARN: &str =
    "在学 在学习 学 学习 在练 练 练习 在练习 开始学 开始学习 想学 想学习 在自学 自学 开始练";
pub(super) const SPEAK: &str = "会说 会讲 能说 能讲 说 讲 会 精通 懂";
pub(super) const MAJOR: &str = "主修 专业是 学的是 读的是 攻读 的专业是 念的是";
pub(super) const BE: &str = "是一名 是一个 是一位 是个 是名 是位 是";
pub(super) const ACT: &str = "当 做 担任 任";
pub(super) const KEEP: &str = "养了 养着 养著 养过了 养有 养 有 有养 有养了 有养着 家里养了 家里养着 家里有养 家有 家养了 家里有 收养了 领养了";
pub(super) const SUFFER: &str = "患有 得了 有 受 经常 总是 常常 长期";
pub(super) const STANDING: &str =
    "以后请 从现在起 从现在开始 从今以后 今后请 请始终 请一直 请总是 以后都 以后 今后 始终 请永远 永远";

/// Orders for all answers to come that need not say so.
pub(super) const BRIEFLY: &str = "回答简短点 回答简短一点 回答简短些 回答简洁点 回答简洁一点 回答短一点 回答短点 回复简短点 回复简短一点 回复简洁点 回复简洁一点 简短点回答 简短一点回答 简洁点回答";

/// Words for states of marriage, and what each is told as.
pub(super) const MARRIED: &str = "结婚 已婚 成家 订婚";
pub(super) const SINGLE: &str = "单身 未婚 单身狗";
pub(super) const DIVORCED: &str = "离婚 离异";

/// How work ends, and what ends one's stay with somebody.
pub(super) const QUIT: &str = "辞职 离职 裸辞 失业 下岗 退休 被裁 被裁员 被辞退 被解雇 被开除 被炒 被炒鱿鱼 丢了工作 丢掉工作 辞掉工作 辞了工作 辞掉了工作";
pub(super) const RELOCATE: &str = "搬家 搬了家 搬走 搬新家";
pub(super) const SWITCH: &str = "换工作 换了工作 跳槽";
pub(super) const JOIN: &str = "跳槽到了 跳槽到 跳槽去了 入职了 入职";
pub(super) const RENAME: &str = "改名叫 改名为 改名字叫 把名字改成了 把名字改成 改名成了";
pub(super) const DIE: &str = "死 去世 过世 离世 病死 去了喵星 去喵星 去了汪星 去汪星";

/// What people give up.
pub(super) const GIVEN_UP: &str =
    "烟 酒 糖 咖啡 奶茶 茶 可乐 饮料 赌 肉 辣 甜食 甜品 零食 游戏 碳水 外卖 烟酒";

/// Things that happen once.
pub(super) const GRADUATE: &str = "毕业 大学毕业 研究生毕业 硕士毕业 博士毕业 退学 肄业";
pub(super) const EVENTS: &str = "高中毕业 升职 怀孕 考上大学 考上研究生 当妈妈 当爸爸 当妈 当爸";

/// Endings of plans that reach beyond the day.
pub(super) const PLANS: &str = "留学 考研 结婚 创业 买房 移民 读研 读博 考博 出国 开店 开公司 环游世界 环球旅行 考公 考公务员 转行 跑马拉松 跑完马拉松 减肥 戒烟 戒酒 换工作 辞职 搬家 搬到 学医 开咖啡店 开咖啡馆 写书 出书 考驾照 旅行 旅游 度假";

/// Illnesses that last.
pub(super) const ILLNESSES: &str = "糖尿病 高血压 低血压 低血糖 偏头痛 哮喘 抑郁症 焦虑症 失眠 失眠症 鼻炎 关节炎 心脏病 胃病 胃炎 贫血 癫痫 痛风 湿疹 多动症 乳糖不耐 乳糖不耐症 色盲 色弱 腰椎间盘突出";

/// Occupations; a value that ends in one names one.
pub(super) const OCCUPATIONS: &str = "医生 护士 牙医 兽医 药师 药剂师 中医 教师 老师 教授 副教授 讲师 教练 家教 学生 大学生 研究生 博士生 硕士生 高中生 初中生 小学生 中学生 留学生 实习生 博士 \
    工程师 程序员 开发者 架构师 设计师 产品经理 项目经理 经理 总监 主管 主任 主编 分析师 数据科学家 科学家 研究员 学者 律师 法官 检察官 会计 会计师 审计师 出纳 银行家 顾问 咨询师 心理咨询师 翻译 口译 \
    记者 编辑 作家 诗人 编剧 画家 插画师 漫画家 摄影师 导演 演员 歌手 音乐家 钢琴家 作曲家 舞者 模特 主播 博主 公务员 警察 消防员 军人 士兵 飞行员 空姐 空乘 司机 快递员 外卖员 厨师 面包师 \
    糕点师 服务员 咖啡师 调酒师 理发师 美容师 美甲师 化妆师 裁缝 木匠 电工 水管工 焊工 工人 农民 渔民 保安 保姆 清洁工 园丁 花艺师 店员 售货员 店长 销售 推销员 销售员 业务员 客服 人事 行政 秘书 助理 \
    文员 导游 图书管理员 社工 自由职业者 自由职业 个体户 创业者 企业家 家庭主妇 全职妈妈 全职爸爸 全职太太 运动员 裁判 物理学家 数学家 化学家 建筑师 运营 前端 后端 测试 物流 市场";

/// What narrows no occupation: such a person is none, or somebody else's.
pub(super) const NOT_OCCUPATIONS: &str = "好 坏 前 假 伪 差 优秀 准 未来 合格 普通 非 真 热爱 喜欢 名誉 找 问 见 看 采访 请 小小 称职 好的 坏的 一流";

/// Trades, as in "做销售的" and "从事金融行业".
pub(super) const TRADES: &str = "销售 设计 金融 IT 教育 外贸 会计 编程 前端 后端 运营 市场 餐饮 物流 翻译 客服 行政 人事 软件 软件开发 游戏开发 开发 测试 建筑 医疗 护理 法律 保险 房地产 媒体 新媒体 广告 电商 摄影 美容 装修 科研 投资 审计";

/// Places that end in no administrative word.
pub(super) const PLACES: &str = "北京 上海 广州 深圳 天津 重庆 成都 杭州 南京 武汉 西安 苏州 郑州 长沙 东莞 沈阳 青岛 合肥 佛山 宁波 昆明 福州 无锡 厦门 济南 大连 哈尔滨 温州 石家庄 泉州 南宁 长春 南昌 贵阳 金华 常州 \
    嘉兴 惠州 太原 徐州 南通 珠海 中山 绍兴 烟台 兰州 潍坊 洛阳 扬州 镇江 台州 海口 三亚 桂林 拉萨 银川 西宁 乌鲁木齐 呼和浩特 汕头 湛江 义乌 昆山 河北 山西 辽宁 吉林 黑龙江 江苏 浙江 安徽 福建 江西 山东 河南 湖北 湖南 广东 \
    海南 四川 贵州 云南 陕西 甘肃 青海 台湾 内蒙古 广西 西藏 宁夏 新疆 香港 澳门 台北 新北 桃园 台中 台南 高雄 新竹 基隆 嘉义 花莲 宜兰 屏东 台东 九龙 铜锣湾 旺角 浦东 徐汇 静安 海淀 朝阳 中关村 天河 南山 福田 东城 西城 \
    中国 日本 韩国 美国 英国 法国 德国 意大利 西班牙 葡萄牙 荷兰 比利时 瑞士 奥地利 瑞典 挪威 丹麦 芬兰 冰岛 爱尔兰 波兰 捷克 匈牙利 希腊 土耳其 俄罗斯 乌克兰 加拿大 墨西哥 巴西 阿根廷 智利 秘鲁 澳大利亚 澳洲 新西兰 \
    印度 泰国 越南 菲律宾 马来西亚 新加坡 印度尼西亚 印尼 柬埔寨 缅甸 老挝 蒙古 尼泊尔 巴基斯坦 伊朗 以色列 埃及 南非 迪拜 沙特 东京 大阪 京都 横滨 名古屋 福冈 札幌 冲绳 首尔 釜山 济州岛 曼谷 清迈 河内 胡志明 吉隆坡 雅加达 \
    巴厘岛 马尼拉 孟买 纽约 洛杉矶 旧金山 西雅图 芝加哥 波士顿 华盛顿 休斯顿 硅谷 加州 夏威夷 多伦多 温哥华 蒙特利尔 伦敦 曼彻斯特 爱丁堡 巴黎 里昂 柏林 慕尼黑 法兰克福 汉堡 罗马 米兰 威尼斯 马德里 巴塞罗那 里斯本 阿姆斯特丹 \
    布鲁塞尔 苏黎世 日内瓦 维也纳 布拉格 布达佩斯 华沙 莫斯科 圣彼得堡 伊斯坦布尔 斯德哥尔摩 哥本哈根 悉尼 墨尔本 布里斯班 奥克兰 东北 华南 江南 欧洲 非洲";

/// Endings of administrative names.
pub(super) const DISTRICTS: &str = "省 市 区 县 镇 乡 村 州";

/// Beginnings of what is no place although it ends like one.
pub(super) const NOT_PLACES: &str = "小 城 郊 市 本 外 同 学 农 老 新 乡 农村 社 某";

/// Countries whose people are told by them, as in "中国人".
pub(super) const COUNTRIES: &str = "中国 日本 韩国 美国 英国 法国 德国 意大利 西班牙 葡萄牙 荷兰 比利时 瑞士 奥地利 瑞典 挪威 丹麦 芬兰 爱尔兰 波兰 捷克 希腊 土耳其 俄罗斯 乌克兰 加拿大 墨西哥 巴西 阿根廷 澳大利亚 新西兰 印度 泰国 越南 菲律宾 马来西亚 新加坡 印度尼西亚 印尼 缅甸 蒙古 尼泊尔 伊朗 以色列 埃及 南非";

/// Companies and endings of workplaces.
pub(super) const WORKPLACES: &str = "医院 银行 学校 小学 中学 高中 大学 研究所 研究院 咖啡店 咖啡馆 餐厅 餐馆 饭店 酒店 工厂 市政府 政府 图书馆 药店 诊所 出版社 电视台 报社 美术馆 博物馆 幼儿园 事务所 律所 旅行社 书店 面包店 理发店 美容院 \
    工作室 超市 便利店 商场 外企 国企 央企 私企 民企 创业公司 互联网公司 科技公司 软件公司 游戏公司 广告公司 外贸公司 保险公司 证券公司 物流公司 贸易公司 上市公司 设计公司 建筑公司 公安局 法院 机场 腾讯 阿里 阿里巴巴 百度 字节 字节跳动 华为 小米 京东 美团 \
    滴滴 网易 拼多多 快手 哔哩哔哩 微软 谷歌 苹果 亚马逊 特斯拉 台积电 联发科 鸿海 富士康 比亚迪 联想 海尔 索尼 丰田 三星 星巴克 麦当劳 Google Apple Microsoft Amazon Meta Tesla Netflix OpenAI NVIDIA";

/// Schools.
pub(super) const SCHOOLS: &str = "大学 学院 高中 中学 小学 北大 清华 复旦 浙大 交大 台大 港大";

/// Languages.
pub(super) const LANGUAGES: &str = "英语 英文 中文 汉语 普通话 国语 粤语 广东话 闽南语 台语 客家话 上海话 四川话 日语 日文 韩语 韩文 法语 法文 德语 德文 西班牙语 意大利语 葡萄牙语 俄语 阿拉伯语 泰语 越南语 印尼语 马来语 土耳其语 荷兰语 瑞典语 希腊语 印地语 拉丁语 手语";

/// What people learn, besides languages.
pub(super) const SKILLS: &str = "钢琴 弹钢琴 吉他 弹吉他 小提琴 拉小提琴 大提琴 架子鼓 打鼓 古筝 二胡 尤克里里 萨克斯 长笛 游泳 瑜伽 网球 羽毛球 高尔夫 书法 画画 油画 水彩 素描 围棋 象棋 太极拳 跆拳道 空手道 柔道 拳击 编程 Python Rust Java 开车 做饭 烘焙 插花 茶道 摄影 唱歌 跳舞 滑雪 冲浪 潜水";

/// Animals people keep.
pub(super) const PETS: &str = "猫 狗 猫咪 狗狗 小猫 小狗 橘猫 黑猫 白猫 布偶猫 英短 美短 蓝猫 暹罗猫 波斯猫 金毛 柯基 柴犬 泰迪 贵宾犬 哈士奇 拉布拉多 边牧 吉娃娃 博美 柴柴 土狗 兔子 仓鼠 鹦鹉 鸟 乌龟 金鱼 鱼 热带鱼 刺猬 蜥蜴 龙猫 豚鼠 荷兰猪 宠物 毛孩子 蛇 马 鸭子 猫猫";

/// Relatives.
pub(super) const RELATIVES: &str = "妹妹 姐姐 哥哥 弟弟 妹 姐 哥 弟 妈妈 母亲 妈 爸爸 父亲 爸 爷爷 奶奶 外公 外婆 姥姥 姥爷 老公 老婆 丈夫 妻子 太太 先生 儿子 女儿 大儿子 小儿子 大女儿 小女儿 男朋友 女朋友 男友 女友 男票 女票 对象 未婚夫 未婚妻 爱人 孙子 孙女 侄子 侄女 外甥 外甥女 叔叔 阿姨 舅舅 姑姑 \
    表哥 表姐 表弟 表妹 堂哥 堂弟 堂姐 堂妹 双胞胎妹妹 双胞胎弟弟 双胞胎姐姐 双胞胎哥哥 大哥 二哥 大姐 二姐 孩子 小孩 兄弟 姐妹 兄弟姐妹 宝宝 双胞胎";

/// Who else may be spoken of, and how something is asked for: what has no speaker beside them is nobody's.
pub(super) const OTHERS: &str =
    "你 您 他 她 它 牠 人家 别人 有人 某人 客户 患者 病人 儿童 小朋友 婴儿 主角 大家 男人 女人 老人 爸 妈";
pub(super) const DEMANDS: &str = "请 帮 给我 推荐 求 介绍一 想找 找个 攻略 建议 告诉 教我 教程 介绍 比较 分析 解释 列出 生成 写 设计 规划 安排 优缺点 区别 需要 注意 要多 要不 能不 可以 值得 适合 标题 文案 关键词";
/// What stands before a liking, an allergy and a pet where their owner is not named.
pub(super) const TASTES: &str = "喜欢 喜爱 讨厌 爱吃 爱喝 爱看 爱听 热爱 爱好是";
pub(super) const ALLERGENS: &str = "海鲜 花生 花粉 牛奶 鸡蛋 虾 蟹 螃蟹 虾蟹 芒果 坚果 麸质 大豆 小麦 尘螨 螨虫 猫毛 狗毛 猫 狗 青霉素 头孢 阿司匹林 酒精 乳胶 紫外线 乳糖 菠萝 桃子 柳絮 磺胺";
pub(super) const KEEPING: &str = "养了 养着 有养 家里养 家里有 家有";

/// What somebody studies, by how it ends.
pub(super) const SUBJECTS: &str = "学 计算机 软件 工程 法 法律 医 金融 会计 经济 设计 管理 中文 英语 日语 德语 法语 韩语 俄语 新闻 传媒 建筑 机械 自动化 电子 通信 土木 护理 师范 教育 音乐 美术 艺术 历史 哲学 心理 物理 化学 生物 数学 统计 外语 市场营销 国贸 电气 临床 专业";

/// Persons that are no liking to keep.
pub(super) const PERSONS: &str = "爸爸 妈妈 爸妈 父母 家人 女朋友 男朋友 女友 男友 老婆 老公 妻子 丈夫 儿子 女儿 孩子 朋友 哥哥 姐姐 弟弟 妹妹 宝贝 亲爱的 老师 班主任 同桌 学长 学姐 学弟 学妹 前任 领导 同学 同事 老板 室友 邻居";

/// Diets.
pub(super) const DIETS: &str =
    "素食者 素食主义者 纯素食者 纯素主义者 吃素 吃素的 吃全素 纯素 蛋奶素 鱼素者 清真";

/// Topics of which people have a favourite.
pub(super) const TOPICS: &str = "颜色 食物 菜 水果 蔬菜 饮料 电影 书 歌 歌曲 歌手 乐队 演员 作家 游戏 运动 球队 球星 季节 动物 电视剧 剧 动漫 漫画 小说 科目 城市 国家 零食 甜点 花 语言 乐器 数字 音乐 导演 明星 偶像 角色 菜系 咖啡 茶 酒 品牌 节日 诗人 节目 综艺";

/// Family names of one letter.
pub(super) const SURNAMES: &str = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩邓冯曹彭曾肖萧田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向常汤温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞左柳甘祝包宁尚符舒阮柯纪梅童凌毕单季裴霍涂成苗谷盛曲翁冉骆蓝路游辛靳管柴蒙鲍华喻祁蒲房滕屈饶解牟艾尤阳时穆农司卓古吉缪简车项连芦麦褚娄";

/// Family names of two letters.
pub(super) const LONG_SURNAMES: &str = "欧阳 司马 上官 诸葛 司徒 东方 夏侯 皇甫 尉迟 公孙 慕容 端木 南宫";

/// Letters of given names.
pub(super) const GIVEN: &str = "一世东丝中丹丽久义之乐乔九书云亚亦京亮仁仪伊伟传佐佑佩佳依俊信倩健允元光克兰兴冉军冠冬凌凡凤凯刚利剑力功加勇勤千华卓南博厚友发可叶向君启和咏品哲唐善喜嘉国圆圣坚坤城培夏大天奇奕如妍妙妮姿威娇娜娟娥娴婧婷媚媛子孝宁宇安宏宗定宜家容宽富小尔尚展岚岩峰崇巍川巧希平幸广庄庆康廷建开弘强彤彦彬影德心忆志忠念怀思怡恒恩悦惠慧成承振捷政敏敬文斌斯新旭时昆昊昌明易星映春昭晋晓晖晗晨景晴晶智曦曼月朗未杰松林果枫柠柯柳栋树桂桃桐梁梅梓梦森楠楷欢欣歌正武殿毅毓民永江汶沛波泽洁洋洛洪浩海涛润涵淑深清源潇灵炜焕然煌煜熙燕爽玉玫玲珂珊珍珠琦琪琳琴瑞瑶瑾璇璐甜申皓盈益盛真睿知石硕磊礼祖祥福禾秀秋科立章童竹笑筱米素紫红纯绍继维绿美翔翰耀耕育胜胤臻舒舟航良艳艺芝芬花芳芸苇苑苗若英茂茉茹荣荷莉莎莱莲莹菊菲萌萍萱蓉蓝蕾薇虎虹裕言诗诚语诺谦豪贞贤贵贺超越轩辉辰达近进远迪逸道野金鑫钢钧钰铭银锋锦阳雄雅雨雪雯震霞露青静音韵顺颖风飞馨驰高鹏麒龙";

/// Letters that are no part of a name.
pub(super) const NOT_IN_NAMES: &str = "上下来去过到得起回不没的地单车餐菜饭肉茶面粥包店家个位名号员生师工";

/// Words that are no name.
pub(super) const NOT_NAMES: &str = "外卖 救命 安静 小时 小心 小偷 大家 大叫 大声 老公 老婆 老师 高中 白领 小白 和平 安全 明天 光明 天才 英文 中文 华语 国语 天天 文明 成功 幸福 快乐 无名 匿名 佚名 和尚 时间 可乐 方便 师傅 荣幸 明白 老板 小姐 先生";

/// Letters that count things, and numbers before them.
pub(super) const MEASURES: &str = "只 条 个 位 匹 头 名 群 对 口 尾";
pub(super) const NUMERALS: &str = "一 两 二 三 四 五 六 七 八 九 十 几 1 2 3 4 5 6 7 8 9";
