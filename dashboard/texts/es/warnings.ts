import type { Texts } from '../texts.ts';

export const warnings: Texts['warnings'] = {
	otherAddress:
		'Has abierto {{here}}, pero la URL pública es {{address}}. Los fragmentos de código y los enlaces usan la URL pública.',
	proxyWarning:
		'Tidemark está detrás de un proxy que no es de confianza, así que todos los visitantes parecen tener la dirección IP del proxy. Define TIDEMARK_TRUSTED_PROXIES={{proxy}} y reinicia el servidor.',
	proxyPerhaps:
		'Algunas peticiones contienen una cabecera X-Forwarded-For que no es de confianza. Si Tidemark está detrás de tu proxy, pon su dirección en TIDEMARK_TRUSTED_PROXIES y reinicia el servidor. Si no, puedes ignorarlo.',
};
