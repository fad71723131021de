/** Addresses of the files of flags and brand marks, which the build copies from their packages. A browser loads those that it shows. */

const flags = import.meta.glob<string>('../../node_modules/country-flag-icons/3x2/*.svg', {
	query: '?url',
	import: 'default',
	eager: true,
});

// Vite reads this text when it builds, so the list cannot be a constant.
const brands = import.meta.glob<string>(
	'../../node_modules/simple-icons/icons/{aliexpress,alipay,android,apple,applenews,baidu,bilibili,blackberry,bluesky,brave,brevo,claude,dailymotion,deepseek,devdotto,digg,discord,disqus,douban,duckduckgo,ebay,ecosia,electron,etsy,facebook,feedly,firefox,flipboard,github,gitlab,gmail,gmx,google,googlechrome,googlegemini,googlenews,googletranslate,harmonyos,huawei,icloud,instagram,kagi,kaios,kakaotalk,kimi,klarna,lemmy,line,linux,lobsters,mailchimp,maildotru,mastodon,medium,meetup,metaai,metager,minimax,mistralai,mojeek,naver,netflix,nextdoor,niconico,notebooklm,odnoklassniki,odysee,opera,otto,perplexity,pinterest,playstation,poe,producthunt,protonmail,quora,qwant,qwen,rakuten,reddit,roku,rumble,safari,searxng,shopee,signal,sinaweibo,snapchat,sogou,stackoverflow,startpage,substack,swisscows,taobao,target,telegram,threads,tiktok,tripadvisor,tumblr,tuta,twitch,vimeo,vivaldi,vivo,vk,webdotde,wechat,whatsapp,wikipedia,wistia,x,xiaohongshu,xing,ycombinator,yelp,youtube,zalando,zdotai,zhihu}.svg',
	{ query: '?url', import: 'default', eager: true },
);

const nameOf = (path: string): string => path.replace(/^.*\/|\.svg$/g, '');
const byName = (files: Record<string, string>) =>
	new Map(Object.entries(files).map(([path, url]) => [nameOf(path), url]));
const flagFiles = byName(flags);
const brandFiles = byName(brands);

/** By ISO 3166 code: `DE`. */
export const flagFile = (country: string | undefined): string | undefined => flagFiles.get(country ?? '');

export const brandFile = (brand: string): string | undefined => brandFiles.get(brand);
