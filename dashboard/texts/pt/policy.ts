import type { Texts } from '../texts.ts';

/** What an account requires of people who work with it. */
export const policy: Texts['policy'] = {
	title: 'Política de acesso',
	text: 'Para os proprietários desta conta e os membros dos seus sites. A coleta não é afetada.',
	signIn: 'Acesso obrigatório',
	rules: { any: 'Qualquer um', second_factor: 'Segundo fator', provider: 'Provedor de identidade' },
	idle: 'Encerrar a sessão após inatividade',
	longest: 'Entrar novamente após',
	default: '{{duration}} (padrão)',
	networks: 'Redes permitidas',
	networksHint:
		'Para o painel e as chaves de API. Uma por linha. Seu endereço é {{address}}. Deixe vazio para permitir todas.',
	networksFault: 'A lista deve conter seu endereço {{address}}, e apenas endereços IP e redes.',
	needs: {
		second_factor:
			'Ative primeiro a autenticação de dois fatores ou entre com uma chave de acesso, para não perder o acesso.',
		provider: 'Entre primeiro com seu provedor de identidade, para não perder o acesso.',
	},
	service:
		'O operador deste servidor também tem uma política para todas as contas. A mais rigorosa se aplica.',
	submit: 'Salvar política',
	saved: 'A política foi salva.',
	refused: {
		second_factor_required: 'Esta conta exige um segundo fator.',
		provider_required:
			'Esta conta exige entrar com um provedor de identidade. Saia e entre novamente com ele.',
		network_not_allowed:
			'O acesso a partir desta rede não é permitido. Fale com um proprietário da conta ou com o operador deste servidor.',
	},
	setUp: 'Configurar um segundo fator',
	useFactor: 'Saia e entre novamente com seu segundo fator.',
	link: 'Vincular um provedor',
	elsewhere: {
		second_factor_required: 'Os sites de {{account}} exigem um segundo fator.',
		provider_required: 'Os sites de {{account}} exigem entrar com um provedor de identidade.',
		network_not_allowed: 'Os sites de {{account}} não podem ser abertos a partir desta rede.',
	},
};
