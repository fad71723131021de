import type { Texts } from '../texts.ts';

/** What an account requires of people who work with it. */
export const policy: Texts['policy'] = {
	title: 'Política de acceso',
	text: 'Para los propietarios de esta cuenta y los miembros de sus sitios. La recopilación no cambia.',
	signIn: 'Acceso obligatorio',
	rules: { any: 'Cualquiera', second_factor: 'Segundo factor', provider: 'Proveedor de identidad' },
	idle: 'Cerrar sesión tras inactividad',
	longest: 'Volver a iniciar sesión tras',
	default: '{{duration}} (predeterminado)',
	networks: 'Redes permitidas',
	networksHint:
		'Para el panel y las claves de API. Una por línea. Tu dirección es {{address}}. Déjalo vacío para permitir todas.',
	networksFault: 'La lista debe contener tu dirección {{address}}, y solo direcciones IP y redes.',
	needs: {
		second_factor:
			'Activa primero la autenticación de dos factores o inicia sesión con una clave de acceso, para no quedarte fuera.',
		provider: 'Inicia sesión primero con tu proveedor de identidad, para no quedarte fuera.',
	},
	service:
		'El operador de este servidor también tiene una política para todas las cuentas. Se aplica la más estricta.',
	submit: 'Guardar política',
	saved: 'La política se ha guardado.',
	refused: {
		second_factor_required: 'Esta cuenta exige un segundo factor.',
		provider_required:
			'Esta cuenta exige iniciar sesión con un proveedor de identidad. Cierra la sesión y vuelve a iniciarla con él.',
		network_not_allowed:
			'No se permite el acceso desde esta red. Pregunta a un propietario de la cuenta o al operador de este servidor.',
	},
	setUp: 'Configurar un segundo factor',
	useFactor: 'Cierra la sesión y vuelve a iniciarla con tu segundo factor.',
	link: 'Vincular un proveedor',
	elsewhere: {
		second_factor_required: 'Los sitios de {{account}} exigen un segundo factor.',
		provider_required: 'Los sitios de {{account}} exigen iniciar sesión con un proveedor de identidad.',
		network_not_allowed: 'Los sitios de {{account}} no se pueden abrir desde esta red.',
	},
};
