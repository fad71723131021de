import type { Texts } from '../texts.ts';

export const providers: Texts['providers'] = {
	continue: 'Continuar con {{provider}}',
	or: 'o',
	only: 'Inicia sesión con el proveedor de identidad de tu organización.',
	start: 'No se puede acceder a {{provider}}. Inténtalo más tarde.',
	refusals: {
		expired:
			'El inicio de sesión tardó demasiado o se empezó en otro navegador o en otra dirección. Inténtalo de nuevo.',
		denied: 'El proveedor no inició tu sesión. Inténtalo de nuevo o usa otra cuenta.',
		unavailable: 'No se puede acceder al proveedor. Inténtalo más tarde.',
		invalid:
			'La respuesta del proveedor no superó las comprobaciones de seguridad. Avisa al operador de este servidor; el motivo está en el registro.',
		unverified: 'El proveedor no ha verificado tu correo electrónico. Verifícalo allí e inténtalo de nuevo.',
		domain: 'No se aceptan direcciones de correo de este dominio. Usa otra cuenta.',
		unknown:
			'No tienes cuenta aquí. Pide a un propietario que te invite con el correo de tu cuenta en el proveedor.',
		disabled: 'Tu cuenta está desactivada. Ponte en contacto con el operador de este servidor.',
		taken:
			'Esta cuenta del proveedor está vinculada a otra persona, o ya has vinculado otra. Desvincúlala primero.',
	},
	proof: {
		title: '¿Eres tú?',
		link: '{{provider}} confirmó {{email}} y existe una cuenta con esta dirección. Introduce su contraseña una vez para vincular {{provider}}.',
		code: 'Introduce un código de tu aplicación de autenticación o un código de recuperación.',
		submit: 'Vincular e iniciar sesión',
		submitCode: 'Iniciar sesión',
		forgotten: 'Si no tienes contraseña, define una con «¿Has olvidado tu contraseña?».',
		taken: 'Esta cuenta ya está vinculada a otra cuenta de {{provider}}.',
	},
	account: {
		title: 'Proveedores de identidad',
		text: 'Inicia sesión con una cuenta que tengas en otro servicio.',
		linked: 'Vinculado {{made}}; último uso: {{used}}',
		none: 'Sin vincular',
		link: 'Vincular',
		unlink: 'Desvincular',
		linkLabel: 'Vincular {{provider}}',
		unlinkLabel: 'Desvincular {{provider}}',
		unlinkText: 'Ya no podrás iniciar sesión con {{provider}} y perderás los roles que te dieron sus grupos.',
		onlyOne: 'Es tu única forma de iniciar sesión.',
		done: 'El proveedor está vinculado. Ya puedes iniciar sesión con él.',
		noPassword:
			'No tienes contraseña. Algunos cambios, como vincular un proveedor o crear una clave de API, la piden.',
		noMail: 'Pide al operador de este servidor un enlace para definir una contraseña.',
		setPassword: 'Enviarme un enlace para definir una contraseña',
		mailed: 'Se ha enviado a {{email}} un enlace para definir una contraseña.',
	},
	join: 'Tu cuenta se crea al iniciar sesión.',
};
