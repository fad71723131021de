import type { Texts } from '../texts.ts';

export const exports: Texts['exports'] = {
	title: 'Exportar',
	text: 'Baixe todos os dados armazenados deste site. As colunas são descritas na documentação.',
	what: {
		label: 'Dados',
		events: 'Eventos (brutos)',
		visits: 'Visitas (dias completos)',
		totals: 'Totais diários (dias completos)',
	},
	format: {
		label: 'Formato',
		parquet: 'Parquet (bancos de dados, notebooks)',
		csv: 'CSV (planilhas)',
		ndjson: 'NDJSON (um objeto JSON por linha)',
	},
	from: 'De',
	to: 'Até',
	dates: 'Deixe vazio para exportar tudo.',
	order: 'A data final é anterior à inicial.',
	button: 'Baixar',
	begun: 'Download iniciado. Arquivos grandes demoram um pouco.',
};
