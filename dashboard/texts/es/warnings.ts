import type { Texts } from '../texts.ts';

export const warnings: Texts['warnings'] = {
	otherAddress:
		'Has abierto {{here}}, pero la URL pública es {{address}}. Los fragmentos de código y los enlaces usan la URL pública.',
	proxyWarning:
		'Tidemark está detrás de un proxy que no es de confianza, así que todos los visitantes parecen tener la dirección IP del proxy. Define TIDEMARK_TRUSTED_PROXIES={{proxy}} y reinicia el servidor.',
	proxyPerhaps:
		'Algunas peticiones contienen una cabecera X-Forwarded-For que no es de confianza. Si Tidemark está detrás de tu proxy, pon su dirección en TIDEMARK_TRUSTED_PROXIES y reinicia el servidor. Si no, puedes ignorarlo.',
	unconfirmed: {
		text: 'Confirma tu dirección de correo con el enlace enviado a {{email}}. Hasta entonces no puedes recibir informes, alertas ni sitios transferidos.',
		noMail:
			'Tu dirección de correo {{email}} no está confirmada, por lo que no puedes recibir informes, alertas ni sitios transferidos. Pide al operador del servidor que la confirme.',
		again: 'Volver a enviar el correo de confirmación',
		sent: 'Confirmación enviada a {{email}}.',
	},
};
