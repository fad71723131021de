import type { Texts } from '../texts.ts';

export const exports: Texts['exports'] = {
	title: 'Leve seus dados',
	text: 'Tudo o que se guarda deste site em um arquivo: evento por evento ou em totais. As colunas estão descritas na documentação.',
	what: {
		label: 'O quê',
		events: 'Eventos: tudo o que foi contado, um a um',
		visits: 'Visitas de dias encerrados',
		totals: 'Totais por dia, de dias encerrados',
	},
	format: {
		label: 'Formato',
		parquet: 'Parquet, para bancos de dados e notebooks',
		csv: 'CSV, para planilhas',
		ndjson: 'NDJSON, uma linha de JSON cada',
	},
	from: 'De',
	to: 'Até',
	dates: 'Vazio: tudo o que existe.',
	order: 'O fim vem antes do início.',
	button: 'Baixar',
	begun: 'O download começou. Um arquivo grande demora um pouco.',
};
