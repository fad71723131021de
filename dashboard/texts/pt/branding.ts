import type { Texts } from '../texts.ts';

export const branding: Texts['branding'] = {
	text: 'Seu nome, seu logotipo e sua cor nas páginas dos seus sites, nos links de compartilhamento e nos e-mails. As páginas de login e os avisos de segurança continuam sendo os do serviço.',
	nameTitle: 'Nome e cor',
	name: 'Nome',
	nameHint: 'Até 60 caracteres. Deixe em branco para mostrar Tidemark.',
	accent: 'Cor de destaque',
	accentHint: 'Por exemplo, #0a7f78. As páginas usam tons fáceis de ler. Deixe em branco para usar o padrão.',
	accentFault: 'Informe uma cor como #0a7f78.',
	pick: 'Escolher uma cor',
	poweredBy: 'Mostrar “Desenvolvido com Tidemark”',
	poweredByHint:
		'Abaixo das suas páginas e relatórios. As atribuições exigidas por licenças sempre permanecem.',
	logos: 'Logotipos',
	logosText: 'PNG ou JPEG, até 200 KB e 1024 × 512 pixels.',
	light: 'Logotipo',
	dark: 'Logotipo para fundos escuros',
	darkHint: 'Opcional. Sem ele, o outro logotipo é usado.',
	noLogo: 'Nenhum logotipo',
	upload: 'Escolher um arquivo',
	remove: 'Excluir',
	preview: 'Pré-visualização',
	previewText: 'Como fica o cabeçalho das suas páginas.',
	previewLight: 'Claro',
	previewDark: 'Escuro',
	previewButton: 'Botão',
	previewLink: 'Link',
};
