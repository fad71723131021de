import type { Texts } from '../texts.ts';

export const branding: Texts['branding'] = {
	text: 'Tu nombre, tu logotipo y tu color en las páginas de tus sitios, en los enlaces compartidos y en los correos. Las páginas de inicio de sesión y los avisos de seguridad siguen siendo los del servicio.',
	nameTitle: 'Nombre y color',
	name: 'Nombre',
	nameHint: 'Hasta 60 caracteres. Déjalo vacío para mostrar Tidemark.',
	accent: 'Color de acento',
	accentHint:
		'Por ejemplo, #0a7f78. Las páginas usan tonos fáciles de leer. Déjalo vacío para usar el predeterminado.',
	accentFault: 'Introduce un color como #0a7f78.',
	pick: 'Elegir un color',
	poweredBy: 'Mostrar «Con la tecnología de Tidemark»',
	poweredByHint:
		'Debajo de tus páginas e informes. Las atribuciones que exigen las licencias siempre permanecen.',
	logos: 'Logotipos',
	logosText: 'PNG o JPEG, hasta 200 KB y 1024 × 512 píxeles.',
	light: 'Logotipo',
	dark: 'Logotipo para fondos oscuros',
	darkHint: 'Opcional. Sin él, se usa el otro logotipo.',
	noLogo: 'Sin logotipo',
	upload: 'Elegir un archivo',
	remove: 'Eliminar',
	preview: 'Vista previa',
	previewText: 'Así se ve el encabezado de tus páginas.',
	previewLight: 'Claro',
	previewDark: 'Oscuro',
	previewButton: 'Botón',
	previewLink: 'Enlace',
};
