/**
 * Known sources by name. A host includes its subdomains; `google.*` matches that name under any country's suffix, alone or with `www.`
 * and the like, because other hosts of Google are other products. `apps` are Android packages, `words` are values of utm_source. A host
 * that is not listed is a source under its own name.
 */
export type SourceKind = 'search' | 'social' | 'video' | 'shopping' | 'mail' | 'assistant' | 'other';

export type Source = {
	name: string;
	kind: SourceKind;
	hosts: readonly string[];
	apps?: readonly string[];
	words?: readonly string[];
};

const list = (text: string | undefined): readonly string[] => (text ? text.split(' ') : []);
const ofKind =
	(kind: SourceKind) =>
	([name, hosts, words, apps]: SourceRow): Source => ({
		name,
		kind,
		hosts: list(hosts),
		words: list(words),
		apps: list(apps),
	});

type SourceRow = [name: string, hosts: string, words?: string, apps?: string];

const search: SourceRow[] = [
	[
		'Google',
		'google.*',
		'google adwords googleads google-ads',
		'com.google.android.googlequicksearchbox com.google.android.apps.searchlite',
	],
	['Bing', 'bing.com', 'bing bingads bing-ads microsoft msn', 'com.microsoft.bing'],
	['DuckDuckGo', 'duckduckgo.com', 'duckduckgo ddg', 'com.duckduckgo.mobile.android'],
	['Yahoo', 'yahoo.com yahoo.co.jp', 'yahoo'],
	['Yandex', 'yandex.* ya.ru', 'yandex', 'ru.yandex.searchplugin'],
	['Baidu', 'baidu.com', 'baidu', 'com.baidu.searchbox'],
	['Ecosia', 'ecosia.org', 'ecosia', 'com.ecosia.android'],
	['Qwant', 'qwant.com', 'qwant', 'com.qwant.liberty'],
	['Startpage', 'startpage.com startpage.nl', 'startpage'],
	['Brave Search', 'search.brave.com', 'brave', 'com.brave.browser'],
	['Kagi', 'kagi.com', 'kagi'],
	['Mojeek', 'mojeek.com', 'mojeek'],
	['Naver', 'naver.com', 'naver', 'com.nhn.android.search'],
	['Daum', 'daum.net', 'daum'],
	['Seznam', 'seznam.cz', 'seznam'],
	['Sogou', 'sogou.com', 'sogou'],
	['360 Search', 'so.com', ''],
	['Shenma', 'sm.cn', ''],
	['Petal Search', 'petalsearch.com', ''],
	['AOL', 'aol.com', 'aol'],
	['Ask', 'ask.com', 'ask'],
	['Dogpile', 'dogpile.com', ''],
	['MetaGer', 'metager.de metager.org', ''],
	['Swisscows', 'swisscows.com', ''],
	['Lilo', 'lilo.org', ''],
	['Presearch', 'presearch.com presearch.org', ''],
	['Rambler', 'rambler.ru', ''],
	['Cốc Cốc', 'coccoc.com', ''],
	['Yep', 'yep.com', ''],
	['SearXNG', 'searx.be searx.tiekoetter.com', ''],
	['GMX Search', 'suche.gmx.net search.gmx.com', ''],
	['WEB.DE Search', 'suche.web.de', ''],
	['T-Online Search', 'suche.t-online.de', ''],
];

const social: SourceRow[] = [
	[
		'Facebook',
		'facebook.com fb.com fb.me messenger.com',
		'facebook fb meta facebook-ads',
		'com.facebook.katana com.facebook.lite com.facebook.orca',
	],
	['Instagram', 'instagram.com', 'instagram ig insta', 'com.instagram.android'],
	['Threads', 'threads.net threads.com', 'threads', 'com.instagram.barcelona'],
	['X', 'twitter.com x.com t.co', 'twitter x', 'com.twitter.android'],
	['LinkedIn', 'linkedin.com lnkd.in', 'linkedin', 'com.linkedin.android'],
	['Pinterest', 'pinterest.* pin.it', 'pinterest', 'com.pinterest'],
	['Reddit', 'reddit.com redd.it', 'reddit', 'com.reddit.frontpage'],
	['TikTok', 'tiktok.com', 'tiktok', 'com.zhiliaoapp.musically com.ss.android.ugc.trill'],
	['Snapchat', 'snapchat.com', 'snapchat snap', 'com.snapchat.android'],
	[
		'Mastodon',
		'mastodon.social mastodon.online mstdn.social fosstodon.org hachyderm.io infosec.exchange chaos.social',
		'mastodon',
		'org.joinmastodon.android',
	],
	['Bluesky', 'bsky.app bsky.social', 'bluesky bsky', 'xyz.blueskyweb.app'],
	['WhatsApp', 'whatsapp.com wa.me', 'whatsapp', 'com.whatsapp com.whatsapp.w4b'],
	[
		'Telegram',
		't.me telegram.org telegram.me',
		'telegram',
		'org.telegram.messenger org.telegram.messenger.web',
	],
	['Signal', 'signal.org', 'signal', 'org.thoughtcrime.securesms'],
	['Discord', 'discord.com discordapp.com discord.gg', 'discord', 'com.discord'],
	['Slack', 'slack.com', 'slack', 'com.Slack'],
	[
		'Microsoft Teams',
		'teams.microsoft.com teams.live.com teams.cloud.microsoft',
		'teams',
		'com.microsoft.teams',
	],
	['VK', 'vk.com vk.ru', 'vk', 'com.vkontakte.android'],
	['Odnoklassniki', 'ok.ru', 'ok.ru', 'ru.ok.android'],
	['Weibo', 'weibo.com weibo.cn t.cn', 'weibo', 'com.sina.weibo'],
	['WeChat', 'weixin.qq.com wechat.com', 'wechat weixin', 'com.tencent.mm'],
	['Zhihu', 'zhihu.com', 'zhihu'],
	['Douban', 'douban.com', ''],
	['Xiaohongshu', 'xiaohongshu.com xhslink.com', 'xiaohongshu'],
	['LINE', 'line.me', 'line', 'jp.naver.line.android'],
	['KakaoTalk', 'kakao.com', 'kakao', 'com.kakao.talk'],
	['Tumblr', 'tumblr.com', 'tumblr', 'com.tumblr'],
	['XING', 'xing.com', 'xing', 'com.xing.android'],
	['Nextdoor', 'nextdoor.com nextdoor.de', 'nextdoor', 'com.nextdoor'],
	['Quora', 'quora.com', 'quora', 'com.quora.android'],
	['Stack Overflow', 'stackoverflow.com stackexchange.com', 'stackoverflow'],
	['Hacker News', 'news.ycombinator.com hckrnews.com', 'hackernews hn', 'io.github.hidroh.materialistic'],
	['Lobsters', 'lobste.rs', 'lobsters'],
	['Lemmy', 'lemmy.world lemmy.ml', ''],
	['Product Hunt', 'producthunt.com', 'producthunt product-hunt'],
	['DEV', 'dev.to', ''],
	['Medium', 'medium.com', 'medium'],
	['Substack', 'substack.com', 'substack'],
	['Flipboard', 'flipboard.com', 'flipboard', 'flipboard.app'],
	['Pocket', 'getpocket.com', 'pocket pocket_saves'],
	['Feedly', 'feedly.com', 'feedly'],
	['Disqus', 'disqus.com disq.us', ''],
	['Digg', 'digg.com', ''],
	['Meetup', 'meetup.com', 'meetup'],
	['Tripadvisor', 'tripadvisor.*', 'tripadvisor'],
	['Yelp', 'yelp.*', 'yelp'],
];

const video: SourceRow[] = [
	['YouTube', 'youtube.com youtu.be youtube-nocookie.com', 'youtube yt', 'com.google.android.youtube'],
	['Vimeo', 'vimeo.com', 'vimeo'],
	['Twitch', 'twitch.tv', 'twitch', 'tv.twitch.android.app'],
	['Dailymotion', 'dailymotion.com dai.ly', 'dailymotion'],
	['Bilibili', 'bilibili.com b23.tv', 'bilibili', 'tv.danmaku.bili'],
	['Rumble', 'rumble.com', 'rumble'],
	['Odysee', 'odysee.com', 'odysee'],
	['Niconico', 'nicovideo.jp', 'niconico'],
	['Youku', 'youku.com', 'youku'],
	['iQIYI', 'iqiyi.com', 'iqiyi'],
	['Wistia', 'wistia.com', 'wistia'],
	['Netflix', 'netflix.com', 'netflix'],
];

const shopping: SourceRow[] = [
	['Amazon', 'amazon.*', 'amazon', 'com.amazon.mShop.android.shopping'],
	['eBay', 'ebay.*', 'ebay', 'com.ebay.mobile'],
	['Google Shopping', 'shopping.google.com', 'googleshopping google_shopping google-shopping'],
	['Etsy', 'etsy.com', 'etsy', 'com.etsy.android'],
	['AliExpress', 'aliexpress.* aliexpress.us', 'aliexpress', 'com.alibaba.aliexpresshd'],
	['Alibaba', 'alibaba.com', 'alibaba'],
	['Temu', 'temu.com', 'temu', 'com.einnovation.temu'],
	['SHEIN', 'shein.com', 'shein'],
	['Taobao', 'taobao.com tmall.com', 'taobao'],
	['JD', 'jd.com', ''],
	['Rakuten', 'rakuten.*', 'rakuten'],
	['Mercado Libre', 'mercadolibre.* mercadolivre.*', 'mercadolibre'],
	['Flipkart', 'flipkart.com', 'flipkart'],
	['Shopee', 'shopee.*', 'shopee'],
	['Lazada', 'lazada.*', 'lazada'],
	['Walmart', 'walmart.com', 'walmart'],
	['Target', 'target.com', ''],
	['Best Buy', 'bestbuy.com', ''],
	['Zalando', 'zalando.*', 'zalando'],
	['OTTO', 'otto.de', ''],
	['idealo', 'idealo.*', 'idealo'],
	['Geizhals', 'geizhals.de geizhals.at geizhals.eu', 'geizhals'],
	['Shop', 'shop.app', 'shop_app'],
];

const mail: SourceRow[] = [
	['Gmail', 'mail.google.com', 'gmail', 'com.google.android.gm'],
	[
		'Outlook',
		'outlook.live.com outlook.office.com outlook.office365.com outlook.com mail.live.com',
		'outlook',
		'com.microsoft.office.outlook',
	],
	['Yahoo Mail', 'mail.yahoo.com mail.yahoo.co.jp', '', 'com.yahoo.mobile.client.android.mail'],
	['iCloud Mail', 'icloud.com', ''],
	['Proton Mail', 'mail.proton.me', 'protonmail', 'ch.protonmail.android'],
	['Fastmail', 'fastmail.com', 'fastmail'],
	['Tuta', 'app.tuta.com mail.tutanota.com', ''],
	['GMX', 'gmx.net gmx.com gmx.at gmx.ch', '', 'de.gmx.mobile.android.mail'],
	['WEB.DE', 'web.de', '', 'de.web.mobile.android.mail'],
	['T-Online Mail', 'email.t-online.de', ''],
	['Zoho Mail', 'mail.zoho.com mail.zoho.eu', ''],
	['AOL Mail', 'mail.aol.com', ''],
	['Mail.ru', 'e.mail.ru mail.ru', '', 'ru.mail.mailapp'],
	['Yandex Mail', 'mail.yandex.ru mail.yandex.com', ''],
	['QQ Mail', 'mail.qq.com', ''],
	['NetEase Mail', 'mail.163.com mail.126.com', ''],
	['Naver Mail', 'mail.naver.com', ''],
	['Orange Mail', 'mail.orange.fr messagerie.orange.fr', ''],
	['Mailchimp', 'list-manage.com mailchi.mp', 'mailchimp'],
	['Brevo', 'sendibm1.com sendibm2.com sendibm3.com', 'brevo sendinblue'],
	['Klaviyo', 'klaviyo.com', 'klaviyo'],
	['MailerLite', 'mailerlite.com', 'mailerlite'],
	['Newsletter', '', 'newsletter email e-mail mail'],
];

const assistants: SourceRow[] = [
	['ChatGPT', 'chatgpt.com chat.openai.com', 'chatgpt chatgpt.com openai', 'com.openai.chatgpt'],
	['Claude', 'claude.ai', 'claude claude.ai anthropic', 'com.anthropic.claude'],
	['Perplexity', 'perplexity.ai pplx.ai', 'perplexity', 'ai.perplexity.app.android'],
	['Gemini', 'gemini.google.com bard.google.com', 'gemini bard', 'com.google.android.apps.bard'],
	['NotebookLM', 'notebooklm.google.com', 'notebooklm'],
	[
		'Copilot',
		'copilot.microsoft.com copilot.cloud.microsoft m365.cloud.microsoft edgeservices.bing.com',
		'copilot',
		'com.microsoft.copilot',
	],
	['Meta AI', 'meta.ai', 'meta.ai'],
	['Grok', 'grok.com x.ai', 'grok', 'ai.x.grok'],
	['DeepSeek', 'deepseek.com', 'deepseek', 'com.deepseek.chat'],
	['Le Chat', 'chat.mistral.ai', 'mistral lechat', 'ai.mistral.chat'],
	['Qwen', 'qwen.ai tongyi.aliyun.com tongyi.com', 'qwen', 'ai.qwenlm.chat.android'],
	['Kimi', 'kimi.com kimi.ai kimi.moonshot.cn', 'kimi', 'com.moonshot.kimichat'],
	['Doubao', 'doubao.com', 'doubao', 'com.larus.nova'],
	['ERNIE', 'yiyan.baidu.com ernie.baidu.com', 'ernie'],
	['Yuanbao', 'yuanbao.tencent.com', 'yuanbao'],
	['Z.ai', 'z.ai chatglm.cn', 'chatglm'],
	['MiniMax', 'minimax.io hailuoai.com', ''],
	['Poe', 'poe.com', 'poe', 'com.poe.android'],
	['You.com', 'you.com', 'you.com'],
	['Phind', 'phind.com', 'phind'],
	['Character.AI', 'character.ai', '', 'ai.character.app'],
	['Pi', 'pi.ai', ''],
	['Duck.ai', 'duck.ai', 'duck.ai'],
	['Lumo', 'lumo.proton.me', 'lumo', 'me.proton.android.lumo'],
	['Genspark', 'genspark.ai', 'genspark'],
	['Manus', 'manus.im', 'manus'],
	['Andi', 'andisearch.com', ''],
	['iAsk', 'iask.ai', ''],
	['Felo', 'felo.ai', ''],
	['Liner', 'liner.com getliner.com', ''],
	['Consensus', 'consensus.app', ''],
	['Monica', 'monica.im', ''],
	['Venice', 'venice.ai', ''],
	['Alice', 'alice.yandex.ru', ''],
];

/** Sources without a channel of their own: Referral. */
const others: SourceRow[] = [
	['GitHub', 'github.com', 'github', 'com.github.android'],
	['GitLab', 'gitlab.com', 'gitlab'],
	['Wikipedia', 'wikipedia.org', 'wikipedia', 'org.wikipedia'],
	['Google News', 'news.google.com', 'googlenews google-news', 'com.google.android.apps.magazines'],
	['Apple News', 'apple.news', 'apple-news'],
	['Google Translate', 'translate.google.com translate.goog', ''],
	['Outbrain', 'outbrain.com', 'outbrain'],
	['Taboola', 'taboola.com', 'taboola'],
];

export const sources: readonly Source[] = [
	...search.map(ofKind('search')),
	...social.map(ofKind('social')),
	...video.map(ofKind('video')),
	...shopping.map(ofKind('shopping')),
	...mail.map(ofKind('mail')),
	...assistants.map(ofKind('assistant')),
	...others.map(ofKind('other')),
];

const index = (pick: (source: Source) => readonly string[] | undefined) =>
	new Map(sources.flatMap((source) => (pick(source) ?? []).map((key) => [key, source] as const)));

const byHost = index((source) => source.hosts.filter((host) => !host.endsWith('.*')));
const byFamily = index((source) =>
	source.hosts.filter((host) => host.endsWith('.*')).map((host) => host.slice(0, -2)),
);
const byWord = index((source) => [source.name.toLowerCase(), ...(source.words ?? [])]);
const byApp = index((source) => source.apps);
const byName = new Map(sources.map((source) => [source.name, source] as const));

const family = /^(?:(?:www|m|search|images|smile|old)\.)?([a-z]+)\.(?:com|co|[a-z]{2})(?:\.[a-z]{2})?$/;

export function findSourceOfHost(hostname: string): Source | undefined {
	const [, name = ''] = family.exec(hostname) ?? [];
	const labels = hostname.split('.');
	for (let first = 0; first < labels.length - 1; first++) {
		const source = byHost.get(labels.slice(first).join('.'));
		if (source) return source;
	}
	return byFamily.get(name);
}

export const findSourceOfApp = (name: string): Source | undefined => byApp.get(name);

/** Finds the source of a utm_source value: a word, or a host. */
export function findSourceOfWord(text: string): Source | undefined {
	const word = text.toLowerCase();
	return byWord.get(word) ?? (word.includes('.') ? findSourceOfHost(word) : undefined);
}

export const findSourceByName = (name: string): Source | undefined => byName.get(name);
