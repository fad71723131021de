import { iso31662 } from 'iso-3166';

/** Usual English names, where ISO 3166-2 has a local or an official one. Code and name alternate; `=` separates them. */
const english: Record<string, string> = {
	AE: 'AJ=Ajman;AZ=Abu Dhabi;DU=Dubai;FU=Fujairah;RK=Ras Al Khaimah;SH=Sharjah;UQ=Umm Al Quwain',
	AR: 'C=Buenos Aires City;B=Buenos Aires Province',
	AT: '2=Carinthia;3=Lower Austria;4=Upper Austria;6=Styria;7=Tyrol;9=Vienna',
	BE: 'BRU=Brussels;VAN=Antwerp;VBR=Flemish Brabant;VLG=Flanders;VOV=East Flanders;VWV=West Flanders;WAL=Wallonia;WBR=Walloon Brabant',
	CH: 'GE=Geneva;GR=Grisons;LU=Lucerne;SG=St. Gallen;ZH=Zurich',
	CN: 'GX=Guangxi;HK=Hong Kong;MO=Macao;NM=Inner Mongolia;NX=Ningxia;TW=Taiwan;XJ=Xinjiang;XZ=Tibet',
	CZ: '10=Prague;20=Central Bohemia;31=South Bohemia;32=Plzeň;41=Karlovy Vary;42=Ústí nad Labem;51=Liberec;52=Hradec Králové;53=Pardubice;63=Vysočina;64=South Moravia;71=Olomouc;72=Zlín;80=Moravia-Silesia',
	DE: 'BY=Bavaria;HE=Hesse;MV=Mecklenburg-Western Pomerania;NI=Lower Saxony;NW=North Rhine-Westphalia;RP=Rhineland-Palatinate;SN=Saxony;ST=Saxony-Anhalt;TH=Thuringia',
	DK: '81=North Denmark;82=Central Denmark;83=Southern Denmark;84=Capital Region;85=Zealand',
	ES: 'AN=Andalusia;AR=Aragon;AS=Asturias;CL=Castile and León;CN=Canary Islands;CT=Catalonia;IB=Balearic Islands;MC=Murcia;MD=Madrid;NC=Navarre;PV=Basque Country;VC=Valencia',
	FI: '01=Åland;02=South Karelia;03=South Ostrobothnia;04=South Savo;07=Central Ostrobothnia;08=Central Finland;10=Lapland;12=Ostrobothnia;13=North Karelia;14=North Ostrobothnia;15=North Savo;19=Southwest Finland',
	FR: '20R=Corsica;973=French Guiana;BRE=Brittany;NC=New Caledonia;NOR=Normandy;PAC=Provence-Alpes-Côte d’Azur;PDL=Pays de la Loire;PF=French Polynesia',
	GR: 'A=Eastern Macedonia and Thrace;B=Central Macedonia;C=Western Macedonia;D=Epirus;E=Thessaly;F=Ionian Islands;G=Western Greece;H=Central Greece;I=Attica;J=Peloponnese;K=North Aegean;L=South Aegean;M=Crete',
	IN: 'AR=Arunachal Pradesh;BR=Bihar;CG=Chhattisgarh;DH=Dadra and Nagar Haveli and Daman and Diu;GJ=Gujarat;HP=Himachal Pradesh;HR=Haryana;JH=Jharkhand;JK=Jammu and Kashmir;KA=Karnataka;LA=Ladakh;MH=Maharashtra;ML=Meghalaya;NL=Nagaland;PY=Puducherry;RJ=Rajasthan;TN=Tamil Nadu;TS=Telangana;UK=Uttarakhand',
	IT: '21=Piedmont;23=Aosta Valley;25=Lombardy;32=Trentino-South Tyrol;52=Tuscany;75=Apulia;82=Sicily;88=Sardinia',
	JP: '01=Hokkaido;07=Fukushima;09=Tochigi;12=Chiba;13=Tokyo;17=Ishikawa;18=Fukui;19=Yamanashi;21=Gifu;22=Shizuoka;23=Aichi;25=Shiga;26=Kyoto;27=Osaka;28=Hyogo;32=Shimane;34=Hiroshima;35=Yamaguchi;36=Tokushima;39=Kochi;40=Fukuoka;44=Oita;46=Kagoshima',
	KR: '11=Seoul;26=Busan;27=Daegu;28=Incheon;29=Gwangju;30=Daejeon;31=Ulsan;41=Gyeonggi;42=Gangwon;43=North Chungcheong;44=South Chungcheong;45=North Jeolla;46=South Jeolla;47=North Gyeongsang;48=South Gyeongsang;49=Jeju',
	MX: 'CMX=Mexico City;COA=Coahuila;MEX=State of Mexico;MIC=Michoacán;VER=Veracruz',
	NL: 'FR=Friesland;NB=North Brabant;NH=North Holland;ZH=South Holland',
	NO: '15=Møre and Romsdal;38=Vestfold and Telemark;54=Troms and Finnmark',
	PL: '02=Lower Silesia;04=Kuyavia-Pomerania;06=Lublin;08=Lubusz;10=Łódź;12=Lesser Poland;14=Masovia;16=Opole;18=Subcarpathia;20=Podlasie;22=Pomerania;24=Silesia;26=Holy Cross;28=Warmia-Masuria;30=Greater Poland;32=West Pomerania',
	PT: '11=Lisbon;20=Azores;30=Madeira',
	RU: 'MOS=Moscow Oblast;MOW=Moscow;SPE=Saint Petersburg;TA=Tatarstan',
	TR: '34=Istanbul;35=Izmir',
};

/** Where readers of a language expect the local name: `Bayern` for a German reader. */
const localIn: Record<string, readonly string[]> = {
	de: ['DE', 'AT', 'CH'],
	es: ['ES', 'MX', 'AR'],
	fr: ['FR', 'BE', 'CH'],
	it: ['IT'],
	pl: ['PL'],
	pt: ['PT'],
};

/** `Stockholms län` and `Guangdong Sheng` have the kind of region at the end. */
const kinds: Record<string, RegExp> = { SE: /s? län$/, CN: / (Sheng|Shi)$/ };

const names = new Map<string, string>(iso31662.map(({ code, name }) => [code, name]));
const englishNames = new Map(
	Object.entries(english).flatMap(([country, list]) =>
		list.split(';').map((entry): [string, string] => {
			const [code, name = ''] = entry.split('=');
			return [`${country}-${code}`, name];
		}),
	),
);

/** Name of a region by its ISO 3166-2 code. */
export function regionName(code: string, language: string): string | undefined {
	const country = code.slice(0, 2);
	const kind = kinds[country];
	const isLocal = localIn[language.slice(0, 2)]?.includes(country);
	return (isLocal ? undefined : englishNames.get(code)) ?? names.get(code)?.replace(kind ?? /$^/, '');
}
