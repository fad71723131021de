import type { Texts } from '../texts.ts';

export const settings: Texts['settings'] = {
	title: 'Ajustes',
	chooseTab: 'Ajustes: {{tab}}',
	readOnly:
		'Tienes acceso de solo lectura. Los editores y administradores de este sitio pueden cambiar estos ajustes.',
	adminsOnly: 'Solo los administradores de este sitio pueden cambiar estos ajustes.',
	tabs: {
		general: {
			title: 'General',
			text: 'Dominio, zona horaria, nombres de host y etiquetas.',
		},
		sharing: {
			title: 'Compartir',
			text: 'Quién puede ver las estadísticas y cómo mostrarlas en otras páginas.',
		},
		goals: {
			title: 'Objetivos',
			text: 'Páginas y eventos que cuentan como conversiones.',
		},
		paths: {
			title: 'Grupos de páginas',
			text: 'Reglas que agrupan páginas, por ejemplo todas las páginas de producto.',
		},
		exclusions: {
			title: 'Exclusiones',
			text: 'Tráfico que no se cuenta.',
		},
		drops: {
			title: 'Tráfico excluido',
			text: 'Peticiones que no se han contado, por motivo.',
		},
		alerts: {
			title: 'Alertas',
			text: 'Notificaciones sobre picos, falta de tráfico y objetivos.',
		},
		reports: {
			title: 'Informes',
			text: 'Resúmenes semanales y mensuales.',
		},
		people: {
			title: 'Miembros',
			text: 'Quién tiene acceso a este sitio y a quién pertenece.',
		},
		changes: {
			title: 'Registro de actividad',
			text: 'Todos los cambios en este sitio. Las entradas no se pueden editar.',
		},
		data: {
			title: 'Datos',
			text: 'Retención, importación, exportación y eliminación.',
		},
	},
	unsaved: {
		title: 'Cambios sin guardar',
		discard: 'Descartar',
		save: 'Guardar cambios',
		leaveTitle: '¿Salir sin guardar?',
		leaveText: 'Tus cambios no se han guardado: {{titles}}.',
		leave: 'Salir',
	},
	domain: {
		title: 'Dominio',
		text: 'Al cambiar el nombre, el sitio conserva su ID ({{id}}), sus estadísticas y su fragmento de código. A partir de entonces solo cuentan las páginas del dominio nuevo.',
		hint: 'Para seguir contando el dominio anterior, añade los dos en Nombres de host.',
		taken: 'Ya tienes un sitio {{domain}}.',
		bad: 'Introduce un dominio válido, como example.com.',
	},
	install: {
		title: 'Fragmento de código',
		text: 'El ID de este sitio es {{id}}.',
		link: 'Guías de instalación',
	},
	zone: {
		title: 'Zona horaria',
		unknown: 'Introduce una zona horaria válida, como Europe/Madrid.',
		text: 'Define cuándo empieza y termina un día. Los días pasados conservan su zona horaria.',
	},
	hostnames: {
		title: 'Nombres de host',
		text: '{{domain}} cuenta siempre. Sus subdominios también, salvo que indiques aquí otros nombres de host.',
		label: 'Nombres de host permitidos (uno por línea)',
		bad: 'La línea {{line}} no es un nombre de host válido. Ejemplos: example.com, *.example.com, !old.example.com, localhost.',
		hint: '*.example.com permite todos los subdominios, !old.example.com excluye un nombre de host y localhost permite tu propio equipo.',
	},
	labels: {
		title: 'Etiquetas',
		text: 'Agrupa sitios con tus propias etiquetas.',
		hint: 'Separa las etiquetas con comas (hasta 20).',
		bad: 'Introduce como máximo 20 etiquetas de hasta 50 caracteres cada una.',
	},
	favorite: {
		title: 'Favorito',
		label: 'Fijar al principio de la lista de sitios',
	},
	privacy: {
		title: 'Visibilidad',
		text: 'Los cambios guardados se aplican también a las páginas ya abiertas.',
		modes: {
			public: {
				title: 'Público',
				text: 'Cualquiera con el enlace puede ver las estadísticas, pero no los ajustes.',
			},
			private: {
				title: 'Privado',
				text: 'Solo tú y los miembros invitados podéis ver las estadísticas.',
			},
			password: {
				title: 'Contraseña',
				text: 'Cualquiera con el enlace y la contraseña puede ver las estadísticas. El acceso dura un día.',
			},
		},
		password: 'Contraseña',
		passwordHint: 'Visible mientras escribes. Después no se puede volver a mostrar.',
		newPassword: 'Contraseña nueva',
		keep: 'Déjalo vacío para mantener la contraseña actual. Una contraseña nueva retira el acceso a quienes usaban la anterior.',
		needed: 'Introduce una contraseña.',
		leftOver: 'La contraseña guardada no se usa en este modo.',
		remove: 'Quitar contraseña',
		off: 'Las estadísticas públicas están desactivadas en este servidor (TIDEMARK_PUBLIC_STATS). Todos los sitios se tratan como privados.',
	},
	address: {
		title: 'Página pública',
		label: 'Enlace a las estadísticas',
		text: {
			public: 'Cualquiera con este enlace puede ver las estadísticas.',
			private: 'Este sitio es privado. Cambia su visibilidad para compartirlo.',
			password: 'Los visitantes deben introducir la contraseña. Envíala por separado.',
		},
	},
	engines: {
		title: 'Buscadores',
		label: 'Permitir que los buscadores indexen estas estadísticas',
		hint: 'Si está desactivado, se pide a los buscadores que no indexen esta página.',
		publicOnly: 'Solo se aplica mientras el sitio sea público.',
	},
	email: {
		title: 'Correo electrónico',
		label: 'Informes por correo',
		hint: 'Un resumen de estas estadísticas por correo electrónico.',
	},
	bots: {
		title: 'Bots',
		label: 'Excluir bots',
		hint: 'Rastreadores, herramientas de monitorización y navegadores headless.',
	},
	signals: {
		title: 'Señales de privacidad',
		label: 'Respetar Global Privacy Control y Do Not Track',
		hint: 'No se cuentan los visitantes cuyo navegador envía una señal de privacidad.',
	},
	addresses: {
		title: 'Direcciones IP',
		hidden: 'Solo los editores y administradores de este sitio pueden ver esta lista.',
		text: 'El tráfico de estas direcciones IP y redes se ignora.',
		label: 'Direcciones IP y redes (una por línea)',
		hint: 'IPv4 o IPv6; redes en notación CIDR, como 10.0.0.0/8.',
		addMine: 'Añadir mi dirección IP',
		bad: 'La línea {{line}} no es una dirección IP ni una red válida, como 10.0.0.0/8.',
		added: '{{address}} añadida. Guarda para aplicar los cambios.',
		known: '{{address}} ya está en la lista.',
	},
	ownVisits: {
		title: 'Tus propias visitas',
		text: 'Las direcciones IP cambian. Abre este enlace una vez en un navegador para excluirlo de este sitio.',
		label: 'Enlace de exclusión para este navegador',
		back: 'Usa #tidemark-count en lugar de #tidemark-ignore para volver a contar el navegador.',
	},
	params: {
		title: 'Parámetros de consulta',
		text: 'Estos parámetros de consulta se quitan de las URL antes de guardarlas.',
		label: 'Nombres de parámetros (uno por línea)',
		hint: 'Escribe & para quitar todos los parámetros.',
	},
	goals: {
		add: 'Añadir objetivo',
		edit: 'Editar objetivo',
		none: 'Aún no hay objetivos',
		noneText:
			'Un objetivo cuenta las visitas que llegan a una página o activan un evento, como una página de agradecimiento o un registro.',
		name: 'Nombre',
		kind: 'Tipo',
		kinds: {
			page: {
				title: 'Página',
				text: 'Se ve una página.',
				bad: 'Una ruta empieza por / o * y contiene como máximo cinco *.',
				pattern: 'Ruta de la página',
			},
			event: {
				title: 'Evento',
				text: 'Se envía un evento personalizado.',
				bad: 'Un nombre contiene como máximo cinco *.',
				pattern: 'Nombre del evento',
			},
		},
		wildcard: '* equivale a cualquier carácter (hasta cinco veces).',
		property: 'Propiedad (opcional)',
		propertyHint: 'El evento también debe tener esta propiedad, con un valor que coincida.',
		value: 'Valor',
		valueNeeded: 'Introduce un valor para la propiedad.',
		numberNeeded: 'Introduce un número, como 10 o 19,99.',
		nameNeeded: 'Introduce un nombre.',
		nameTaken: 'Ya existe un objetivo con este nombre.',
		editOne: 'Editar {{name}}',
		deleteOne: 'Eliminar {{name}}',
		deleteTitle: '¿Eliminar {{name}}?',
		deleteText:
			'Los eventos se conservan. Un objetivo con la misma regla volverá a mostrar las mismas cifras.',
	},
	drops: {
		period: 'Periodo',
		periods: {
			'7d': 'Últimos 7 días',
			'30d': 'Últimos 30 días',
			'12months': 'Últimos 12 meses',
		},
		none: 'Sin tráfico excluido',
		noneText: 'Se han contado todas las peticiones de este periodo.',
		total_one: 'Se ha excluido {{total}} petición.',
		total_many: 'Se han excluido {{total}} de peticiones.',
		total_other: 'Se han excluido {{total}} peticiones.',
		byReason: 'Por motivo',
		byDay: 'Por día',
		day: 'Día',
		why: 'Motivo',
		hits: 'Peticiones',
		hostnames: 'Nombres de host desconocidos',
		hostnamesText:
			'Estos nombres de host han enviado peticiones, pero no están permitidos. Permite uno para contarlo a partir de ahora.',
		countThis: 'Permitir',
		countThisName: 'Permitir {{hostname}}',
		countsNow: 'Permitido',
		reasons: {
			prefetch: {
				title: 'Precarga',
				text: 'El navegador precargó la página. Se cuenta cuando se muestra.',
			},
			bot: {
				title: 'Bot',
				text: 'Un bot, una herramienta o un navegador headless. Puedes contar los bots en Exclusiones.',
			},
			excluded_address: {
				title: 'Dirección IP excluida',
				text: 'La dirección IP está en tu lista de Exclusiones.',
			},
			foreign_hostname: {
				title: 'Nombre de host desconocido',
				text: 'La página no está en un nombre de host permitido: una copia, un entorno de pruebas u otro sitio con tu fragmento de código.',
			},
			privacy_signal: {
				title: 'Señal de privacidad',
				text: 'El navegador envió Global Privacy Control o Do Not Track. Puedes cambiarlo en Exclusiones.',
			},
			bad_url: {
				title: 'URL no válida',
				text: 'La URL no era de una página http o https: una página guardada, una aplicación o una llamada no válida.',
			},
			late: {
				title: 'Demasiado tarde',
				text: 'Llegó demasiado tarde para asociarlo a un visitante. Los servidores deben enviar los eventos en un plazo de siete días.',
			},
			erased: {
				title: 'Antes del restablecimiento',
				text: 'Ocurrió antes de restablecer las estadísticas.',
			},
			over_budget: {
				title: 'Límite de frecuencia superado',
				text: 'El sitio recibió más peticiones de las que permite su límite. Las páginas reintentan hasta tres veces, así que algunas se contaron más tarde. Si es tráfico real, pide al operador del servidor un límite más alto.',
			},
			rule: {
				title: 'Regla de tráfico',
				text: 'La petición coincidió con una regla de tráfico. Puedes cambiar las reglas en Exclusiones.',
			},
		},
	},
	retention: {
		title: 'Retención de datos',
		text: 'Elimina los eventos y las visitas pasado un tiempo. Los totales diarios se conservan, así que los gráficos históricos se mantienen.',
		label: 'Retención en meses',
		placeholder: 'Para siempre',
		forever: 'Déjalo vacío para conservar los eventos y las visitas para siempre.',
		deletes: 'Los eventos y las visitas anteriores al {{date}} se eliminarán definitivamente en un día.',
		range: 'Introduce un número entero del 1 al 120 o déjalo vacío.',
		saveAndDelete: 'Guardar y eliminar los datos anteriores',
	},
	reset: {
		title: 'Restablecer estadísticas',
		text: 'Elimina todos los datos recopilados. El sitio, sus ajustes y sus objetivos se conservan, y se sigue contando.',
		warning: 'Se eliminarán todas las estadísticas de {{domain}}. Esta acción no se puede deshacer.',
		confirm: 'Restablecer estadísticas',
		done: 'Estadísticas restablecidas.',
	},
	delete: {
		title: 'Eliminar sitio',
		text: 'Elimina el sitio, sus ajustes y todas sus estadísticas. Su ID no se vuelve a usar nunca.',
		warning: 'Se eliminarán {{domain}} y todas sus estadísticas. Esta acción no se puede deshacer.',
		confirm: 'Eliminar sitio',
	},
	typed: {
		label: 'Escribe {{domain}} para confirmar',
		wrong: 'El nombre no coincide con {{domain}}.',
	},
	embed: {
		frame: 'Insertar',
		frameText:
			'Inserta la página de estadísticas en un iframe, claro u oscuro. Solo pueden insertarla estos orígenes.',
		origins: 'Orígenes permitidos (uno por línea)',
		originsHint:
			'Por ejemplo, https://example.com o https://*.example.com. Déjalo vacío para desactivar la inserción.',
		page: 'Página',
		frameCode: 'Código de inserción',
		badge: 'Insignia',
		badgeText: 'Una imagen con el número de visitantes, actualizada cada minuto.',
		badgeCode: 'Código de la insignia',
		title: 'Insertar e insignia',
		publicOnly:
			'Solo se pueden insertar los sitios web públicos y los enlaces para compartir sin contraseña. Solo los sitios web públicos tienen insignia.',
		preview: 'Vista previa',
		badgeLook: 'Estilo',
		looks: {
			badge: 'Insignia',
			counter: 'Contador',
		},
	},
};
