import type { Texts } from '../texts.ts';

export const trafficRules: Texts['trafficRules'] = {
	title: 'Regras de tráfego',
	text: 'Exclua requisições por caminho, nome de host, país, referenciador, campanha, user agent, rede IP ou operadora de rede. As regras valem para o tráfego novo. A maioria também pode ser aplicada ao tráfego anterior.',
	textForEditors:
		'Exclua requisições por caminho, nome de host, país, referenciador, campanha, user agent, rede IP ou operadora de rede. As regras valem para o tráfego novo. Administradores também podem aplicar a maioria ao tráfego anterior.',
	add: 'Adicionar regra',
	edit: 'Editar regra',
	none: 'Ainda não há regras.',
	noDrops: 'Nenhuma requisição excluída nos últimos 30 dias',
	dropped_one: '{{total}} requisição excluída nos últimos 30 dias',
	dropped_many: '{{total}} de requisições excluídas nos últimos 30 dias',
	dropped_other: '{{total}} requisições excluídas nos últimos 30 dias',
	kind: 'Excluir por',
	kinds: {
		path: 'Caminho',
		hostname: 'Nome de host',
		country: 'País',
		referrer: 'Referenciador',
		campaign: 'Campanha (utm_campaign)',
		user_agent: 'User agent',
		network: 'Endereço ou rede IP',
		operator: 'Operadora de rede',
	},
	domain: 'é o domínio ou um subdomínio de',
	values: 'Valores',
	perLine: 'Um por linha. Uma requisição que corresponda a qualquer um deles é excluída.',
	country: 'Códigos de país de duas letras, um por linha.',
	operatorNumbers: 'Números de AS como AS64500, um por linha.',
	operatorNames: 'Partes de nomes, uma por linha. Não há distinção entre maiúsculas e minúsculas.',
	operatorsMissing:
		'Esta regra não corresponde a nada, porque o banco de dados de operadoras de rede não está instalado. Para instalá-lo, execute {{command}} no servidor.',
	firstPage:
		'Exclui só as requisições com este referenciador ou esta campanha, em geral a primeira visualização da visita. As demais páginas da visita são contadas.',
	applies: 'Vale para o tráfego novo. Depois de salva, também pode ser aplicada ao tráfego anterior.',
	appliesForEditors: 'Vale para o tráfego novo. Administradores também podem aplicá-la ao tráfego anterior.',
	appliesToNew:
		'Vale só para o tráfego novo, porque endereços IP, operadoras de rede e user agents não são armazenados.',
	matches_one: '{{total}} visita dos últimos 30 dias corresponde.',
	matches_many: '{{total}} de visitas dos últimos 30 dias correspondem.',
	matches_other: '{{total}} visitas dos últimos 30 dias correspondem.',
	noMatch: 'Nenhuma visita dos últimos 30 dias corresponde.',
	loading: 'Contando as visitas correspondentes…',
	reasons: {
		not_stored:
			'Sem prévia: endereços IP, operadoras de rede e user agents não são armazenados, então não é possível verificar visitas anteriores.',
		too_many_values: 'Sem prévia para mais de 1.000 valores.',
		not_available: 'Sem prévia: os dados de visitas não cobrem os últimos 30 dias.',
	},
	nameTaken: 'Já existe uma regra com este nome.',
	valuesNeeded: 'Digite pelo menos um valor.',
	badValue: 'O valor {{number}} não é válido para este tipo de regra.',
	deleteText:
		'O tráfego novo que corresponder à regra voltará a ser contado. As requisições excluídas não são restauradas.',
	byRule: 'Por regra de tráfego',
};
